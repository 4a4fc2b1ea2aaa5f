import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keepForOwner } from '../../../server-kit/owner-only.ts';
import { GENESIS_HASH } from '../event-chain.ts';
import { newestEvent } from '../event-store.ts';
import { newestOutboxTs } from '../outbox-store.ts';
import { Reader } from '../reader.ts';
import { keyFileOf, Sealer, sealerOf } from '../sealed.ts';
import { Connection, READER, WRITER } from '../sqlite/connection.ts';
import { BoardFileFault, migrate } from '../sqlite/migrate.ts';
import { ServingLock } from '../sqlite/serving-lock.ts';
import { verifyFile } from '../sqlite/verify-file.ts';
import type { ChainReport } from '../verify-chain.ts';
import { type End, refuseOtherSchema, type Source, type Target } from './ends.ts';
import { CopyFault, type Row } from './rows.ts';
import { rebuildSearch } from './search.ts';
import { listed, quoted, type Shape } from './shapes.ts';

/** A file whose board is stopped: the copy holds its lock, so that no board serves it meanwhile. */
export class SqliteSource implements Source {
  readonly session: Connection;
  readonly end: End;
  readonly #lock: ServingLock;

  private constructor(session: Connection, end: End, lock: ServingLock) {
    this.session = session;
    this.end = end;
    this.#lock = lock;
  }

  static async open(path: string): Promise<SqliteSource> {
    if (!existsSync(path)) throw new CopyFault(`${path} does not exist`);
    const lock = heldFor(path);
    let session: Connection | null = null;
    try {
      session = new Connection(path, READER);
      session.send('BEGIN');
      const schema = Number(session.file.pragma('user_version', { simple: true }));
      refuseOtherSchema(path, schema);
      const db = new Reader(session);
      const { ts, hash } = (await newestEvent(db)) ?? { ts: 0, hash: GENESIS_HASH };
      const lastTime = Math.max(ts, await newestOutboxTs(db));
      return new SqliteSource(session, { ts, hash, lastTime, keyName: sealerOf(keyFileOf(path)).name }, lock);
    } catch (error) {
      await session?.close();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  /** A tool may write to the file without its lock. */
  async moved(): Promise<boolean> {
    this.session.send('ROLLBACK');
    return (await newestEvent(new Reader(this.session)))?.ts !== (this.end.ts || undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    this.#lock[Symbol.dispose]();
  }
}

function heldFor(path: string): ServingLock {
  try {
    return new ServingLock(path);
  } catch (error) {
    if (!(error instanceof BoardFileFault)) throw error;
    throw new CopyFault(`${path} is served: stop its board, so that no write is left behind, or copy a backup of it`, {
      cause: error,
    });
  }
}

/** A new file, which has another name until the copy is whole. */
export class SqliteTarget implements Target {
  readonly session: Connection;
  readonly #path: string;
  readonly #partial: string;
  readonly #lock: ServingLock;

  private constructor(session: Connection, path: string, partial: string, lock: ServingLock) {
    this.session = session;
    this.#path = path;
    this.#partial = partial;
    this.#lock = lock;
  }

  static async open(path: string): Promise<SqliteTarget> {
    if (existsSync(path)) throw new CopyFault(`${path} exists: name a new file`);
    await mkdir(dirname(path), { recursive: true });
    const partial = `${path}.copying`;
    // Held by one copy at a time.
    const lock = heldFor(partial);
    let session: Connection | null = null;
    try {
      keepForOwner(partial);
      session = new Connection(partial, WRITER);
      // The migrations of an empty file seal nothing; the key of the installation comes with the board.
      await migrate(session.db, partial, new Sealer(randomBytes(32)));
      // Rows come before some that they refer to, and all are checked at the end. A copy that a power cut ends begins anew.
      session.file.pragma('foreign_keys = OFF');
      session.file.pragma('synchronous = NORMAL');
      session.file.exec('CREATE TABLE IF NOT EXISTS copying (hash TEXT NOT NULL) STRICT');
      session.file.exec('CREATE TABLE IF NOT EXISTS copying_triggers (sql TEXT NOT NULL) STRICT');
      return new SqliteTarget(session, path, partial, lock);
    } catch (error) {
      await session?.close();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  async begin({ hash }: End, shapes: readonly Shape[]): Promise<void> {
    const known = this.session.file.prepare('SELECT hash FROM copying').pluck().get();
    if (known === hash) return;
    this.#inTransaction(() => {
      this.#setTriggersAside();
      for (const { name } of shapes.toReversed()) this.session.file.exec(`DELETE FROM ${quoted(name)}`);
      this.#remember(hash);
    });
  }

  async giveUp(): Promise<void> {
    this.#remember('');
  }

  #remember(hash: string): void {
    this.session.file.exec('DELETE FROM copying');
    this.session.file.prepare('INSERT INTO copying VALUES (?)').run(hash);
  }

  /** They would count the rows a second time: the counts are copied. */
  #setTriggersAside(): void {
    const { file } = this.session;
    file.exec("INSERT INTO copying_triggers SELECT sql FROM sqlite_schema WHERE type = 'trigger'");
    const names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
    for (const name of names) file.exec(`DROP TRIGGER ${quoted(name)}`);
  }

  async put({ name, columns }: Shape, rows: readonly Row[]): Promise<void> {
    const insert = `INSERT INTO ${quoted(name)} (${listed(columns)}) VALUES (${columns.map(() => '?').join(', ')})`;
    this.#inTransaction(() => {
      for (const row of rows)
        this.session.send(
          insert,
          columns.map((column) => row[column]),
        );
    });
  }

  async complete(): Promise<void> {
    this.session.send('BEGIN');
    await rebuildSearch(this.session);
    this.session.send('COMMIT');
  }

  async verify(): Promise<ChainReport> {
    return verifyFile(this.#partial);
  }

  async finish(): Promise<void> {
    const { file } = this.session;
    this.#inTransaction(() => {
      for (const sql of file.prepare('SELECT sql FROM copying_triggers').pluck().all() as string[]) file.exec(sql);
      file.exec('DROP TABLE copying_triggers; DROP TABLE copying');
    });
    file.pragma('journal_mode = DELETE');
    await this.session.close();
    for (const path of [this.#partial, dirname(this.#path)]) await syncOf(path);
    // Unlike a rename, a link never replaces a file that was created in between.
    await link(this.#partial, this.#path);
    await rm(this.#partial);
    await syncOf(dirname(this.#path));
    this.#lock[Symbol.dispose]();
    await rm(`${this.#partial}.lock`, { force: true });
  }

  #inTransaction(work: () => void): void {
    this.session.file.transaction(work).immediate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.session.file.open) await this.session.close();
    this.#lock[Symbol.dispose]();
  }
}

async function syncOf(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync();
  await file.close();
}
