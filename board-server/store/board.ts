import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventKind } from '../../contract/ids.ts';
import { Arrivals } from './arrivals.ts';
import { Connection, isBusy, openWriter, READER, SNAPSHOT_READER, WRITER } from './connection.ts';
import type { BoardEffects } from './effects.ts';
import { GENESIS_HASH } from './event-chain.ts';
import { newestEvent } from './event-store.ts';
import { indexNewTexts } from './full-text.ts';
import { newestOutboxTs } from './outbox-store.ts';
import { Reader } from './reader.ts';
import type { Sealer } from './sealed.ts';
import { type Position, Transaction } from './transaction.ts';
import { BoardReadOnly, WriteHealth } from './write-health.ts';

/** Another process may hold the file for this long; after that the write is answered with a 503 and a retry hint. */
const LOCK_TRIES = 10;
const LOCK_PAUSE_MS = 25;
/** Bounds how long the first of a group waits for the last. */
const GROUP_MAX_WRITES = 64;

interface WaitingWrite {
  work: (tx: Transaction) => Promise<unknown>;
  /** Tried although the file took no writes before. */
  isProof: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Result of one write of a group; its caller learns it only once the group is on the disk. */
interface Outcome {
  settle: () => void;
  announced: Transaction['announced'];
}

/**
 * The board's file. One connection for writes, which run one after the other, several to a commit; two for reads.
 * WAL with synchronous=FULL: a write that was answered is on the disk. A second process may write to the same file:
 * each group begins with the newest event that is in the file.
 */
export class Board implements AsyncDisposable {
  /** For single look-ups: each sees what is committed. Look-ups that must agree belong in `snapshot`. */
  readonly read: Reader;
  /** `event` is emitted after the commit of each event, with its time and kind. */
  readonly committed = new EventEmitter<{ event: [number, EventKind] }>();
  /** Whether the file takes writes. */
  readonly health: WriteHealth;
  /** Readers that wait for the next event. */
  readonly arrivals = new Arrivals();
  readonly effects: BoardEffects;
  /** Encrypts what the file must not hold in clear. */
  readonly sealer: Sealer;
  readonly #path: string;
  readonly #reader: Connection;
  readonly #snapshots: Connection;
  #writer: Connection;
  /** Latest time that a stored write took, so that no time is given twice while the clock stands still. */
  #lastTime = 0;
  #closed = false;
  #waiting: WaitingWrite[] = [];
  #draining: Promise<void> | null = null;

  private constructor(path: string, writer: Connection, sealer: Sealer, effects: BoardEffects) {
    this.#path = path;
    this.#writer = writer;
    this.sealer = sealer;
    this.#reader = new Connection(path, READER);
    this.#snapshots = new Connection(path, SNAPSHOT_READER);
    this.read = new Reader(this.#reader);
    this.effects = effects;
    this.health = new WriteHealth(effects.now);
    for (const connection of [writer, this.#reader, this.#snapshots]) this.#watch(connection);
    this.committed.setMaxListeners(0);
  }

  /** Opens or creates the file. Throws BoardFileFault for one that is damaged, locked, read-only or of a newer program. */
  static async open(path: string, effects: BoardEffects): Promise<Board> {
    mkdirSync(dirname(path), { recursive: true });
    const { writer, sealer } = await openWriter(path);
    const board = new Board(path, writer, sealer, effects);
    // Times of the outbox go on after a restart, also where the clock went back: news of the trial index are no events.
    board.#lastTime = await newestOutboxTs(board.read);
    return board;
  }

  /** Number of migrations applied to the file. */
  get schema(): number {
    return Number(this.#reader.file.pragma('user_version', { simple: true }));
  }

  /** Reads one moment of the board: one transaction, which sees nothing committed after it began to read. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    return this.#snapshots.db.transaction().execute((queries) => work(new Reader(this.#snapshots, queries)));
  }

  #watch(connection: Connection): void {
    connection.onFailure = (error) => this.health.note(error);
  }

  /**
   * Runs one write; any exception rolls all of it back and rejects. Writes that wait together are committed together:
   * each in a savepoint of its own, answered only after the one commit that put them all on the disk. Rejects with
   * BoardReadOnly while the file takes no writes.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#queue(work, false);
  }

  /** Proves by a real write that the file takes writes, and takes them again if it does. A damaged file is not asked. */
  async prove(): Promise<boolean> {
    const { fault } = this.health;
    if (fault?.kind === 'damaged') return false;
    try {
      await this.#queue((tx) => provedAt(tx), true);
    } catch {
      return false;
    }
    this.health.recover(fault);
    return this.health.fault === null;
  }

  #queue<T>(work: (tx: Transaction) => Promise<T>, isProof: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, isProof, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    try {
      // One turn of the event loop lets requests that arrived together queue up together.
      await new Promise(setImmediate);
      while (this.#waiting.length > 0) await this.#commitGroup(this.#waiting.splice(0, GROUP_MAX_WRITES));
    } finally {
      // Cleared in the same turn as the last look at the queue, so that a later write starts the next drain.
      this.#draining = null;
    }
  }

  async #commitGroup(waiting: WaitingWrite[]): Promise<void> {
    const group = this.#allowed(waiting);
    if (group.length === 0) return;
    const outcomes: Outcome[] = [];
    try {
      const position = await this.#inTransaction(async (connection) => {
        const head = await newestEvent(new Reader(connection));
        const reached = { eventTs: head?.ts ?? 0, hash: head?.hash ?? GENESIS_HASH, lastTime: this.#lastTime };
        const before = this.#lastTime;
        for (const write of group) outcomes.push(await this.#runInSavepoint(connection, write, reached));
        await indexNewTexts(connection, Math.max(before, head?.ts ?? 0), searchedTables(outcomes));
        return reached;
      });
      this.#lastTime = position.lastTime;
      this.health.noteWritten();
    } catch (error) {
      // Writes that waited behind a locked file fail too: they would only queue up.
      const failed = isBusy(error) ? [...group, ...this.#waiting.splice(0)] : group;
      for (const write of failed) write.reject(error);
      return;
    }
    for (const { settle } of outcomes) settle();
    for (const event of outcomes.flatMap(({ announced }) => announced)) {
      const { ts, kind } = event;
      this.arrivals.announce(event);
      this.committed.emit('event', ts, kind);
    }
  }

  /** Refuses what may not be tried while the file takes no writes. */
  #allowed(group: WaitingWrite[]): WaitingWrite[] {
    const { said } = this.health;
    if (said === null) return group;
    for (const write of group) if (!write.isProof) write.reject(new BoardReadOnly(said));
    return group.filter(({ isProof }) => isProof);
  }

  /** Runs `work` between BEGIN and COMMIT. Whatever fails, the connection is left without an open transaction. */
  async #inTransaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the board is closed');
    const isUsable = this.#writer.file.open && !this.#writer.file.inTransaction && this.health.fault === null;
    if (!isUsable) await this.#reconnect();
    const connection = this.#writer;
    await begin(connection);
    try {
      const value = await work(connection);
      connection.send('COMMIT');
      return value;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  }

  /** Closing the old connection releases whatever it still holds. */
  async #reconnect(): Promise<void> {
    await this.#writer.close();
    this.#writer = new Connection(this.#path, WRITER);
    this.#watch(this.#writer);
  }

  async #runInSavepoint(connection: Connection, write: WaitingWrite, reached: Position): Promise<Outcome> {
    const tx = new Transaction(connection, reached, this.effects);
    connection.send('SAVEPOINT one_write');
    try {
      const value = await write.work(tx);
      connection.send('RELEASE one_write');
      Object.assign(reached, tx.position);
      return { settle: () => write.resolve(value), announced: tx.announced };
    } catch (error) {
      // After some faults (a full disk) SQLite has rolled back everything, including the earlier writes of the group.
      if (!connection.file.inTransaction) throw error;
      connection.send('ROLLBACK TO one_write');
      connection.send('RELEASE one_write');
      return { settle: () => write.reject(error), announced: [] };
    }
  }

  /** Stores the waiting writes, then closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.arrivals.close();
    while (this.#draining !== null) await this.#draining;
    this.#closed = true;
    await this.closeReaders();
    await this.#writer.close();
  }

  /** Every later read fails. */
  async closeReaders(): Promise<void> {
    await this.#reader.close();
    await this.#snapshots.close();
  }
}

/** Writes the one row that nobody reads. */
async function provedAt(tx: Transaction): Promise<void> {
  await tx
    .insertInto('proofs')
    .values({ id: 1, at: tx.now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: tx.now }))
    .execute();
}

const TABLE_OF_KIND: Partial<Record<EventKind, string>> = { claim: 'claims', message: 'messages', finding: 'findings' };

/** Tables with searchable text into which a group's events may have put rows. */
function searchedTables(outcomes: readonly Outcome[]): Set<string> {
  const kinds = outcomes.flatMap(({ announced }) => announced.map(({ kind }) => kind));
  return new Set(kinds.flatMap((kind) => TABLE_OF_KIND[kind] ?? []));
}

/** Takes the write lock, waiting for another process without blocking this one. */
async function begin(connection: Connection): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      connection.send('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!isBusy(error) || tries === LOCK_TRIES) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}

/** SQLite may have rolled back by itself already; after any other failure the next write replaces the connection. */
function rollBack(connection: Connection): void {
  try {
    if (connection.file.inTransaction) connection.send('ROLLBACK');
  } catch {
    // The error that led here is the one to report.
  }
}
