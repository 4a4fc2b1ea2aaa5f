import {
  A2A_TASK_BYTES_MAX_PER_ADDRESS,
  A2A_TASK_BYTES_MAX_TOTAL,
  A2A_TASK_KEPT_HOURS,
  A2A_TASKS_MAX_PER_ADDRESS,
} from '../../contract/limits/limits.ts';
import type { KeptTask } from './task.ts';
import { withoutSecrets } from './task-secrets.ts';

const KEPT_MS = A2A_TASK_KEPT_HOURS * 3_600_000;

/** The owner of a new task; updating a task does not change it. */
export interface TaskOwner {
  /** The client address that requests are counted under. */
  address: string;
  /** Who may read it and go on with it. */
  caller: string;
  /** Hash of the message that began it, to recognise an equal message; null if that is not needed. */
  request: string | null;
}

interface Bounds {
  tasksPerAddress: number;
  bytesPerAddress: number;
  bytesTotal: number;
}

interface Held extends TaskOwner {
  changedAt: number;
  /** JSON without one-time tokens. */
  body: Buffer;
}

/**
 * A2A tasks of the last 24 hours, in the memory of this process. Beyond a bound the oldest tasks of the address leave, then the
 * oldest of all. No one-time token is kept.
 */
export class Tasks {
  readonly #now: () => Date;
  readonly #bounds: Bounds;
  /** By id; those that changed first come first. */
  readonly #held = new Map<string, Held>();
  readonly #idByRequest = new Map<string, string>();
  /** Ids and bytes of each address, in the same order. */
  readonly #shares = new Map<string, { ids: Set<string>; bytes: number }>();
  #bytes = 0;
  /** The last unit of work for each key. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(now: () => Date, bounds: Partial<Bounds> = {}) {
    this.#now = now;
    this.#bounds = {
      tasksPerAddress: A2A_TASKS_MAX_PER_ADDRESS,
      bytesPerAddress: A2A_TASK_BYTES_MAX_PER_ADDRESS,
      bytesTotal: A2A_TASK_BYTES_MAX_TOTAL,
      ...bounds,
    };
  }

  /** The task with this id if it is the caller's. */
  find(id: string, caller: string): KeptTask | null {
    this.#dropExpired();
    const held = this.#held.get(id);
    return held?.caller === caller ? taskIn(held) : null;
  }

  /** The newest task that an equal message began. */
  findByRequest(request: string): KeptTask | null {
    this.#dropExpired();
    const held = this.#held.get(this.#idByRequest.get(request) ?? '');
    return held === undefined ? null : taskIn(held);
  }

  keep(task: KeptTask, owner: TaskOwner): void {
    this.#dropExpired();
    const { address, caller, request } = this.#held.get(task.id) ?? owner;
    this.#remove(task.id);
    const body = Buffer.from(JSON.stringify(withoutSecrets(task)));
    this.#held.set(task.id, { address, caller, request, changedAt: Date.parse(task.changedAt), body });
    if (request !== null) this.#idByRequest.set(request, task.id);
    const share = this.#shares.get(address) ?? { ids: new Set<string>(), bytes: 0 };
    this.#shares.set(address, share);
    share.ids.add(task.id);
    share.bytes += body.length;
    this.#bytes += body.length;
    const { tasksPerAddress, bytesPerAddress, bytesTotal } = this.#bounds;
    while (share.ids.size > tasksPerAddress || share.bytes > bytesPerAddress) this.#remove(firstOf(share.ids));
    while (this.#bytes > bytesTotal) this.#remove(firstOf(this.#held.keys()));
  }

  /** Runs work for one key in order, one at a time, so that a task has a single next state. */
  async exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#running.get(key);
    const result = before === undefined ? work() : before.then(work);
    const ended = result.catch(() => {});
    this.#running.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#running.get(key) === ended) this.#running.delete(key);
    }
  }

  #dropExpired(): void {
    const until = this.#now().getTime() - KEPT_MS;
    for (const [id, { changedAt }] of this.#held) {
      if (changedAt > until) return;
      this.#remove(id);
    }
  }

  #remove(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    const { address, request, body } = held;
    this.#held.delete(id);
    if (request !== null && this.#idByRequest.get(request) === id) this.#idByRequest.delete(request);
    this.#bytes -= body.length;
    const share = this.#shares.get(address)!;
    share.ids.delete(id);
    share.bytes -= body.length;
    if (share.ids.size === 0) this.#shares.delete(address);
  }
}

function taskIn({ body }: Held): KeptTask {
  return JSON.parse(body.toString()) as KeptTask;
}

function firstOf(ids: Iterable<string>): string {
  const [first] = ids;
  return first!;
}
