import type { Logger } from 'pino';
import type { EndTurn, TaskOwner, TaskStore } from '../store/task-store.ts';
import type { KeptTask } from './task.ts';

/** Most ids remembered as lost; enough until somebody has freed the disk. */
const LOST_MAX_TASKS = 10_000;

interface KeeperOptions {
  store: TaskStore;
  log: Logger;
  now: () => Date;
}

/**
 * Reads and writes tasks for the door. If the store fails, the failure is logged and the task counts as not found: no
 * answer fails because of it.
 */
export class TaskKeeper {
  readonly #options: KeeperOptions;
  /** The last unit of work for each key. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** Tasks whose current state could not be stored. They are not shown, because the store has an outdated state. */
  readonly #lost = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** The task with this id if it is the caller's. */
  async find(id: string, caller: string): Promise<KeptTask | null> {
    await this.#sweep();
    const found = await this.#attempt('read', (store, now) => store.read(id, caller, now));
    return this.#lost.has(id) ? null : found;
  }

  /** The task that an equal message began earlier. */
  async findByRequest(request: string): Promise<KeptTask | null> {
    const found = await this.#attempt('read', (store, now) => store.readByRequest(request, now));
    return found === null || this.#lost.has(found.id) ? null : found;
  }

  async keep(task: KeptTask, owner: TaskOwner): Promise<void> {
    await this.#sweep();
    const kept = await this.#attempt('kept', async (store) => {
      await store.write(task, owner);
      return true;
    });
    if (kept === true) return void this.#lost.delete(task.id);
    this.#lost.add(task.id);
    const [oldest] = this.#lost;
    if (this.#lost.size > LOST_MAX_TASKS && oldest !== undefined) this.#lost.delete(oldest);
  }

  /** Runs work for one key in order, one at a time over all gateways, so that a task has a single next state. */
  async exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#running.get(key);
    const inTurn = () => this.#inTurn(key, work);
    const result = before === undefined ? inTurn() : before.then(inTurn);
    const ended = result.catch(() => {});
    this.#running.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#running.get(key) === ended) this.#running.delete(key);
    }
  }

  async #inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const end = await this.#attempt<EndTurn>('kept from other gateways', (store) => store.turn(key));
    try {
      return await work();
    } finally {
      if (end !== null) await this.#attempt('given to other gateways', () => end());
    }
  }

  /** Removes expired tasks; they are never shown anyway. */
  async #sweep(): Promise<void> {
    await this.#attempt('removed', (store, now) => store.sweep(now));
  }

  async #attempt<Result>(
    what: string,
    work: (store: TaskStore, now: Date) => Result | Promise<Result>,
  ): Promise<Result | null> {
    const { store, log, now } = this.#options;
    try {
      return await work(store, now());
    } catch (err) {
      log.warn({ err }, `an A2A task could not be ${what}`);
      return null;
    }
  }
}
