import { existsSync } from 'node:fs';
import { GENESIS_HASH } from '../event-chain.ts';
import { newestEvent } from '../event-store.ts';
import { FIRST_SCHEMA, newestSchema, refusalOfOld } from '../migrations.ts';
import { newestOutboxTs } from '../outbox-store.ts';
import { Reader } from '../reader.ts';
import { keyFileOf, sealerOf } from '../sealed.ts';
import { Connection, READER } from '../sqlite/connection.ts';
import { BoardFileFault } from '../sqlite/migrate.ts';
import { ServingLock } from '../sqlite/serving-lock.ts';
import { CopyFault } from './rows.ts';

/** Where the feed of a board ends. */
export interface End {
  ts: number;
  hash: string;
  /** Latest time that any write took. */
  lastTime: number;
  /** Of the key that sealed what is stored. */
  keyName: string;
}

/** A row means the same on both sides only where both have the schema of this program. */
export function refuseOtherSchema(place: string, schema: number): void {
  if (schema === newestSchema()) return;
  if (schema < FIRST_SCHEMA) throw new CopyFault(refusalOfOld(place, schema));
  const remedy =
    schema < newestSchema() ? 'start its board once with this program, stop it' : 'copy it with the newer program';
  throw new CopyFault(`${place} has schema ${schema}, this program copies ${newestSchema()}: ${remedy}`);
}

/** A file whose board is stopped: the copy holds its lock, so that no board serves it meanwhile. */
export class FileSource implements AsyncDisposable {
  readonly session: Connection;
  readonly end: End;
  readonly #lock: ServingLock;

  private constructor(session: Connection, end: End, lock: ServingLock) {
    this.session = session;
    this.end = end;
    this.#lock = lock;
  }

  static async open(path: string): Promise<FileSource> {
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
      return new FileSource(session, { ts, hash, lastTime, keyName: sealerOf(keyFileOf(path)).name }, lock);
    } catch (error) {
      await session?.close();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Whether the board was written to since it was opened: a tool may write to the file without its lock. Nothing can be
   * read any more once it was asked.
   */
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
