import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import {
  A2A_TASK_BYTES_MAX_IN_MEMORY,
  A2A_TASK_BYTES_MAX_PER_ADDRESS,
  A2A_TASK_BYTES_MAX_TOTAL,
  A2A_TASK_KEPT_HOURS,
  A2A_TASKS_MAX_PER_ADDRESS,
} from '../../contract/limits/limits.ts';
import { keepForOwner } from '../../server-kit/owner-only.ts';
import type { KeptTask } from '../a2a/task.ts';
import { type EndTurn, packedTask, type TaskOwner, type TaskStore, unpackedTask } from './task-store.ts';

const MEMORY = ':memory:';
const KEPT_MS = A2A_TASK_KEPT_HOURS * 3_600_000;
/** Waiting inside SQLite blocks the process. If the file is locked longer, one task is not kept; no answer fails. */
const BUSY_TIMEOUT_MS = 5;
/** At start, nobody waits for the process. */
const OPEN_TIMEOUT_MS = 2_000;
/** Expired tasks are removed in small groups, so that no single request pays for all. */
const SWEPT_AT_ONCE_TASKS = 50;
const SCHEMA_VERSION = 2;
/** Its tasks named no caller and held tokens: they are dropped, since a task lives for a day and nothing depends on it. */
const FIRST_SCHEMA_VERSION = 1;
/** Size of index entries and of free and half-empty pages, as a multiple of the packed tasks. */
const FILE_OVERHEAD = 2;
/** Size of an empty file with its tables. */
const FILE_MIN_BYTES = 65_536;

// Triggers maintain the totals of each address, so that no write has to add them up. The address '' stands for all.
const SCHEMA = `
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    caller TEXT NOT NULL,
    request TEXT,
    changed_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_address ON tasks (address, changed_at);
  CREATE INDEX tasks_by_age ON tasks (changed_at);
  CREATE INDEX tasks_by_request ON tasks (request) WHERE request IS NOT NULL;
  CREATE TABLE holdings (
    address TEXT PRIMARY KEY,
    tasks INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO holdings VALUES ('', 0, 0);
  CREATE TRIGGER task_added AFTER INSERT ON tasks BEGIN
    INSERT INTO holdings VALUES (new.address, 1, new.bytes), ('', 1, new.bytes)
      ON CONFLICT (address) DO UPDATE SET tasks = tasks + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER task_changed AFTER UPDATE OF bytes ON tasks BEGIN
    UPDATE holdings SET bytes = bytes + new.bytes - old.bytes WHERE address IN (new.address, '');
  END;
  CREATE TRIGGER task_removed AFTER DELETE ON tasks BEGIN
    UPDATE holdings SET tasks = tasks - 1, bytes = bytes - old.bytes WHERE address IN (old.address, '');
    DELETE FROM holdings WHERE address = old.address AND tasks = 0;
  END;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

interface TaskLimits {
  tasksPerAddress: number;
  bytesPerAddress: number;
  bytesTotal: number;
}

const ALONE: TaskStore['turn'] = async () => async () => {};

interface Row {
  body: Buffer;
}

interface Holding {
  tasks: number;
  bytes: number;
}

/**
 * Tasks of the gateways of one machine, in a file of their own or, for `:memory:`, in memory. Only the owner may read the file, and deleted
 * content is overwritten. Any method may throw SQLite's errors.
 */
export class TaskFile implements TaskStore, Disposable {
  readonly #file: SQLite.Database;
  readonly #limits: TaskLimits;
  readonly #turn: TaskStore['turn'];
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #put: (row: Record<string, unknown>) => void;

  private constructor(file: SQLite.Database, limits: TaskLimits, turn: TaskStore['turn']) {
    this.#file = file;
    this.#limits = limits;
    this.#turn = turn;
    this.#statements = statementsOf(file);
    this.#put = file.transaction((row: Record<string, unknown>) => {
      const { address } = this.#statements.put.get(row)!;
      this.#makeRoom(address);
    });
  }

  /** Opens the file; creates it and its directory if needed. `turn`: how gateways that share it take turns. */
  static open(path: string, limits: Partial<TaskLimits> = {}, turn = ALONE): TaskFile {
    if (path !== MEMORY) {
      mkdirSync(dirname(path), { recursive: true });
      keepForOwner(path);
    }
    const file = new SQLite(path, { timeout: OPEN_TIMEOUT_MS });
    const bounds: TaskLimits = {
      tasksPerAddress: A2A_TASKS_MAX_PER_ADDRESS,
      bytesPerAddress: A2A_TASK_BYTES_MAX_PER_ADDRESS,
      bytesTotal: path === MEMORY ? A2A_TASK_BYTES_MAX_IN_MEMORY : A2A_TASK_BYTES_MAX_TOTAL,
      ...limits,
    };
    try {
      prepare(file, bounds.bytesTotal);
      return new TaskFile(file, bounds, turn);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  async read(id: string, caller: string, now: Date): Promise<KeptTask | null> {
    return unpacked(this.#statements.read.get(id, caller, now.getTime() - KEPT_MS));
  }

  async readByRequest(request: string, now: Date): Promise<KeptTask | null> {
    return unpacked(this.#statements.readByRequest.get(request, now.getTime() - KEPT_MS));
  }

  async write(task: KeptTask, owner: TaskOwner): Promise<void> {
    const body = await packedTask(task);
    const changedAt = Date.parse(task.changedAt);
    this.#put({ id: task.id, ...owner, changedAt, bytes: body.length, body });
  }

  /** Removes some expired tasks, oldest first; writes nothing if there are none. */
  sweep(now: Date): void {
    const until = now.getTime() - KEPT_MS;
    if (this.#statements.tooOld.get(until)) this.#statements.sweep.run(until, SWEPT_AT_ONCE_TASKS);
  }

  turn(key: string): Promise<EndTurn> {
    return this.#turn(key);
  }

  /** The totals of one address, or of all. */
  holding(address = ''): Holding {
    return this.#statements.holding.get(address) ?? { tasks: 0, bytes: 0 };
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  /** One write adds one task, so that few are removed at a time. */
  #makeRoom(address: string): void {
    const { tasksPerAddress, bytesPerAddress, bytesTotal } = this.#limits;
    const isOver = ({ tasks, bytes }: Holding): boolean => tasks > tasksPerAddress || bytes > bytesPerAddress;
    while (isOver(this.holding(address))) this.#statements.dropOldestOf.run(address);
    while (this.holding().bytes > bytesTotal) this.#statements.dropOldest.run();
  }
}

/** Each statement reads one row or a few, by the index that its comment names. */
function statementsOf(file: SQLite.Database) {
  return {
    /** tasks' primary key; an existing task keeps its address, its caller and the hash of its first message. */
    put: file.prepare<[Record<string, unknown>], { address: string }>(
      `INSERT INTO tasks (id, address, caller, request, changed_at, bytes, body)
       VALUES (@id, @address, @caller, @request, @changedAt, @bytes, @body)
       ON CONFLICT (id) DO UPDATE SET changed_at = excluded.changed_at, bytes = excluded.bytes, body = excluded.body
       RETURNING address`,
    ),
    /** tasks' primary key. */
    read: file.prepare<[string, string, number], Row>(
      'SELECT body FROM tasks WHERE id = ? AND caller = ? AND changed_at > ?',
    ),
    /** tasks_by_request. */
    readByRequest: file.prepare<[string, number], Row>(
      'SELECT body FROM tasks WHERE request = ? AND changed_at > ? ORDER BY changed_at DESC, rowid DESC LIMIT 1',
    ),
    /** tasks_by_age. */
    tooOld: file.prepare<[number], { found: 1 }>('SELECT 1 AS found FROM tasks WHERE changed_at <= ? LIMIT 1'),
    /** tasks_by_age. */
    sweep: file.prepare<[number, number]>(
      'DELETE FROM tasks WHERE rowid IN (SELECT rowid FROM tasks WHERE changed_at <= ? ORDER BY changed_at LIMIT ?)',
    ),
    /** holdings' primary key. */
    holding: file.prepare<[string], Holding>('SELECT tasks, bytes FROM holdings WHERE address = ?'),
    /** tasks_by_address; among tasks changed in the same millisecond, the one stored first. */
    dropOldestOf: file.prepare<[string]>(
      'DELETE FROM tasks WHERE rowid = (SELECT rowid FROM tasks WHERE address = ? ORDER BY changed_at, rowid LIMIT 1)',
    ),
    /** tasks_by_age; ties as above. */
    dropOldest: file.prepare<[]>(
      'DELETE FROM tasks WHERE rowid = (SELECT rowid FROM tasks ORDER BY changed_at, rowid LIMIT 1)',
    ),
  };
}

/** SQLite gives its companion files the mode of the database. */
function prepare(file: SQLite.Database, bytesTotal: number): void {
  file.pragma('journal_mode = WAL');
  // A power cut may lose the last tasks; their writes are durable on the board.
  file.pragma('synchronous = NORMAL');
  file.pragma('secure_delete = ON');
  const pageBytes = file.pragma('page_size', { simple: true }) as number;
  file.pragma(`max_page_count = ${Math.ceil((FILE_MIN_BYTES + bytesTotal * FILE_OVERHEAD) / pageBytes)}`);
  file
    .transaction(() => {
      const version = file.pragma('user_version', { simple: true });
      if (version === SCHEMA_VERSION) return;
      if (version !== 0 && version !== FIRST_SCHEMA_VERSION) {
        throw new Error(`its schema is ${version}, this program knows ${SCHEMA_VERSION}`);
      }
      if (version === FIRST_SCHEMA_VERSION) file.exec('DROP TABLE tasks; DROP TABLE holdings');
      file.exec(SCHEMA);
    })
    .immediate();
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

async function unpacked(row: Row | undefined): Promise<KeptTask | null> {
  return row === undefined ? null : unpackedTask(row.body);
}
