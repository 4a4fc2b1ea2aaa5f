import { randomUUID } from 'node:crypto';
import {
  A2A_TASK_BYTES_MAX_PER_ADDRESS,
  A2A_TASK_BYTES_MAX_TOTAL,
  A2A_TASK_KEPT_HOURS,
  A2A_TASKS_MAX_PER_ADDRESS,
  A2A_TURN_MAX_SECONDS,
} from '../../contract/limits/limits.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { besideFeed } from '../kit/beside.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import {
  keepWithinShare,
  keepWithinTotal,
  putTask,
  removeExpired,
  type TaskBounds,
  taskById,
  taskByRequest,
} from './task-store.ts';
import { endTurn, removeEnded, type Turn, takeTurn } from './turn-store.ts';

const KEPT_MS = A2A_TASK_KEPT_HOURS * 3_600_000;
const TURN_MICROS = A2A_TURN_MAX_SECONDS * 1_000_000;
/** How often expired tasks are removed and all tasks are held to their bound, by one of the boards. */
const SWEEP_MICROS = 10_000_000;
const SWEEP = 'sweep';

/** A task as a gateway sends it. */
export interface SentTask {
  id: string;
  address: string;
  caller: string;
  request: string | null;
  changedAt: number;
  /** Packed. */
  body: Buffer;
}

interface Options {
  board: Board;
  addressSalt: string;
  now: () => Date;
  bounds?: Partial<TaskBounds>;
}

/** A2A tasks of the gateways that share this board, and the turns by which each has one next state. */
export class Tasks {
  readonly #board: Board;
  readonly #salt: string;
  readonly #now: () => Date;
  readonly #bounds: TaskBounds;
  /** When this board last tried to sweep, in microseconds. */
  #triedAt = 0;

  constructor({ board, addressSalt, now, bounds = {} }: Options) {
    this.#board = board;
    this.#salt = addressSalt;
    this.#now = now;
    this.#bounds = {
      tasksPerAddress: A2A_TASKS_MAX_PER_ADDRESS,
      bytesPerAddress: A2A_TASK_BYTES_MAX_PER_ADDRESS,
      bytesTotal: A2A_TASK_BYTES_MAX_TOTAL,
      ...bounds,
    };
  }

  /** The packed task of a caller; null where there is none, or none any more. */
  async find(wanted: { id: string; caller: string } | { request: string }): Promise<Buffer | null> {
    const { read, sealer } = this.#board;
    const after = this.#now().getTime() - KEPT_MS;
    const found =
      'request' in wanted
        ? await taskByRequest(read, { request: wanted.request, after })
        : await taskById(read, { id: wanted.id, callerHash: this.#hash(wanted.caller), after });
    return found === undefined ? null : sealer.openBytes('A2A task', found.id, found.body);
  }

  async put({ id, address, caller, request, changedAt, body }: SentTask): Promise<void> {
    const row = {
      ...{ id, address_hash: this.#hash(address), caller_hash: this.#hash(caller), request, changed_at: changedAt },
      ...{ bytes: body.length, body: this.#board.sealer.seal('A2A task', id, body) },
    };
    await besideFeed(this.#board, async (db) => keepWithinShare(db, await putTask(db, row), this.#bounds));
    // The task is stored; what could not be removed is removed with a later one.
    await this.#sweep().catch(() => undefined);
  }

  take(turn: Turn): Promise<boolean> {
    return besideFeed(this.#board, (db) => takeTurn(db, turn, TURN_MICROS, toMicros(this.#now())));
  }

  end(turn: Turn): Promise<void> {
    return besideFeed(this.#board, (db) => endTurn(db, turn));
  }

  /** By one board at a time, whose turn is never ended: only here are tasks of several addresses removed at once. */
  async #sweep(): Promise<void> {
    const now = toMicros(this.#now());
    if (now < this.#triedAt + SWEEP_MICROS) return;
    this.#triedAt = now;
    const turn = { turn: SWEEP, holder: randomUUID() };
    await besideFeed(this.#board, async (db) => {
      if (!(await takeTurn(db, turn, SWEEP_MICROS, now))) return;
      await removeEnded(db, now);
      await removeExpired(db, this.#now().getTime() - KEPT_MS);
      await keepWithinTotal(db, this.#bounds);
    });
  }

  #hash(text: string): string {
    return sha256(`${this.#salt}\n${text}`);
  }
}
