import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../engine.ts';
import { GENESIS_HASH } from '../event-chain.ts';
import { newestEvent } from '../event-store.ts';
import { newestOutboxTs } from '../outbox-store.ts';
import { Reader } from '../reader.ts';
import type { Sealer } from '../sealed.ts';
import type { Session } from '../session.ts';
import type { Position } from '../transaction.ts';
import type { FaultKind } from '../write-health.ts';
import { Connection, isBusy, openWriter, READER, SNAPSHOT_READER, sqliteCode, WRITER } from './connection.ts';

/** Another process may hold the file for this long; after that the write is answered with a 503 and a retry hint. */
const LOCK_TRIES = 10;
const LOCK_PAUSE_MS = 25;

/**
 * The board in a file. One connection for writes, two for reads. WAL with synchronous=FULL: a write that was answered is
 * on the disk. A second process may write to the same file: each group begins with the newest event that is in it.
 */
export class SqliteEngine implements Engine {
  readonly sealer: Sealer;
  readonly read: Connection;
  readonly aside = null;
  onFailure: (error: unknown) => void = () => undefined;
  readonly #path: string;
  readonly #snapshots: Connection;
  #writer: Connection;
  /** Latest time that a stored write took, so that no time is given twice while the clock stands still. */
  #lastTime = 0;

  private constructor(path: string, writer: Connection, sealer: Sealer) {
    this.#path = path;
    this.#writer = writer;
    this.sealer = sealer;
    this.read = new Connection(path, READER);
    this.#snapshots = new Connection(path, SNAPSHOT_READER);
    for (const connection of [writer, this.read, this.#snapshots]) this.#watch(connection);
  }

  /** Opens or creates the file. Throws BoardFileFault for one that is damaged, locked, read-only or of a newer program. */
  static async open(path: string): Promise<SqliteEngine> {
    mkdirSync(dirname(path), { recursive: true });
    const { writer, sealer } = await openWriter(path);
    const engine = new SqliteEngine(path, writer, sealer);
    // Times of the outbox go on after a restart, also where the clock went back: news of the trial index are no events.
    engine.#lastTime = await newestOutboxTs(new Reader(engine.read));
    return engine;
  }

  async schema(): Promise<number> {
    return Number(this.read.file.pragma('user_version', { simple: true }));
  }

  /** One process serves a file (serving-lock.ts). */
  watch(_onChange: () => void): void {}

  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    return this.#snapshots.db.transaction().execute((queries) => work(new Reader(this.#snapshots, queries)));
  }

  async group(isRetry: boolean, work: (session: Session, head: Position) => Promise<void>): Promise<void> {
    const isUsable = this.#writer.file.open && !this.#writer.file.inTransaction && !isRetry;
    if (!isUsable) await this.#reconnect();
    const connection = this.#writer;
    await begin(connection);
    try {
      const newest = await newestEvent(new Reader(connection));
      const head = { eventTs: newest?.ts ?? 0, hash: newest?.hash ?? GENESIS_HASH, lastTime: this.#lastTime };
      await work(connection, head);
      connection.send('COMMIT');
      this.#lastTime = head.lastTime;
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

  #watch(connection: Connection): void {
    connection.onFailure = (error) => this.onFailure(error);
  }

  faultOf(error: unknown): FaultKind | null {
    const code = sqliteCode(error);
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'damaged';
    if (code === 'SQLITE_FULL') return 'full';
    return /^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code) ? 'disk' : null;
  }

  isHeldUp(error: unknown): boolean {
    return isBusy(error);
  }

  async closeReaders(): Promise<void> {
    await this.read.close();
    await this.#snapshots.close();
  }

  async close(): Promise<void> {
    await this.#writer.close();
  }
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
