import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { APPLICATION, connect } from '../postgres/connect.ts';
import { openingFault } from '../postgres/faults.ts';
import { WAITS } from '../postgres/lane.ts';
import { COPYING, migrateDatabase } from '../postgres/migrate.ts';
import type { ClientSession } from '../postgres/session.ts';
import { verifyDatabase } from '../postgres/verify.ts';
import { Sealer } from '../sealed.ts';
import { placeOf } from '../store-address.ts';
import { POSTGRES_TEXT } from '../text.ts';
import type { ChainReport } from '../verify-chain.ts';
import { type End, refuseOtherSchema } from './file-source.ts';
import { CopyFault, type Row } from './rows.ts';
import { rebuildSearch } from './search.ts';
import { listed, quoted, type Shape } from './shapes.ts';

/** The server takes a moment to let go of a board that was just stopped. */
const LEAVING_TRIES = 20;
const LEAVING_PAUSE_MS = 100;

interface HeadRow {
  ts: number;
  hash: string;
  last_time: number;
  schema: number;
  needs: number;
  key_name: string;
}

/** A database without rows, which no board may write to until the copy is whole. */
export class DatabaseTarget implements AsyncDisposable {
  readonly session: ClientSession;
  readonly #url: string;
  #shapes: readonly Shape[] = [];
  #end: End | null = null;

  private constructor(session: ClientSession, url: string) {
    this.session = session;
    this.#url = url;
  }

  static async open(url: string): Promise<DatabaseTarget> {
    const session = await connected(url);
    try {
      // What a lost server takes with it is copied again; the last commit waits for all before it.
      await session.script('SET synchronous_commit = off');
      const head = await headOf(session);
      // The migrations of an empty database seal nothing; the key of the installation comes with the board.
      if (head === null) await migrateDatabase(session, url, new Sealer(randomBytes(32)));
      else refuseOtherSchema(placeOf(url), head.schema);
      return new DatabaseTarget(session, url);
    } catch (error) {
      session.drop();
      throw openingFault(url, error);
    }
  }

  /** Refuses a database with rows, but for those that a copy left which did not come to its end: they go. */
  async begin(end: End, shapes: readonly Shape[]): Promise<void> {
    this.#shapes = shapes;
    this.#end = end;
    await this.#inTransaction(async () => {
      const { needs } = (await headOf(this.session, ' FOR UPDATE'))!;
      if (needs >= COPYING) await this.session.script(`TRUNCATE ${listed(shapes.map(({ name }) => name))}`);
      else await this.#refuseRows();
      // They would count the rows a second time: the counts are copied.
      await this.#watch('DISABLE');
      await this.session.send('UPDATE head SET ts = $1, hash = $2, needs = $3, key_name = $4', [
        ...[end.ts, end.hash, needs >= COPYING ? needs : needs + COPYING, end.keyName],
      ]);
    });
  }

  async #refuseRows(): Promise<void> {
    for (const { name } of this.#shapes) {
      const { rows } = await this.session.send(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
      if (rows.length === 0) continue;
      throw new CopyFault(
        `${placeOf(this.#url)} has rows in ${name}: it holds a board of its own; name an empty database, or a schema of its own by ?options=-csearch_path%3Dboard`,
      );
    }
  }

  async #watch(change: 'ENABLE' | 'DISABLE'): Promise<void> {
    for (const { name } of this.#shapes)
      await this.session.script(`ALTER TABLE ${quoted(name)} ${change} TRIGGER USER`);
  }

  /** Adds rows, in one transaction. */
  async put({ name, columns }: Shape, rows: readonly Row[]): Promise<void> {
    const list = listed(columns);
    const stored = rows.map((row) => {
      const values: Row = {};
      for (const column of columns) {
        const value = row[column]!;
        values[column] = typeof value === 'string' ? POSTGRES_TEXT.storable(value) : value;
      }
      return values;
    });
    // One statement is one transaction.
    await this.session.send(
      `INSERT INTO ${quoted(name)} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${quoted(name)}, $1::json)`,
      [JSON.stringify(stored)],
    );
  }

  /** Makes the texts searchable. */
  async complete(): Promise<void> {
    await this.#inTransaction(() => rebuildSearch(this.session));
    // Without statistics the first questions to a large board would be planned badly.
    await this.session.script('ANALYZE');
  }

  verify(): Promise<ChainReport> {
    return verifyDatabase(this.#url, null);
  }

  /** Makes it a board. */
  async finish(): Promise<void> {
    await this.session.script('SET synchronous_commit = on');
    await this.#inTransaction(async () => {
      await this.#watch('ENABLE');
      await this.session.send('UPDATE head SET last_time = $1, needs = needs - $2', [this.#end!.lastTime, COPYING]);
    });
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.session.script('BEGIN');
    try {
      await work();
      await this.session.script('COMMIT');
    } catch (error) {
      if (this.session.inTransaction) await this.session.script('ROLLBACK');
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.drop();
  }
}

/** A connection to a database that no board has open. */
async function connected(url: string): Promise<ClientSession> {
  const session = await connect(url, WAITS.connect);
  try {
    await session.script(
      "SET application_name = 'trial-board copy'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0",
    );
    for (let tries = 1; await hasBoard(session); tries += 1) {
      if (tries === LEAVING_TRIES)
        throw new CopyFault(`${placeOf(url)} has a board connected: stop its boards, so that no write is left behind`);
      await pause(LEAVING_PAUSE_MS);
    }
    return session;
  } catch (error) {
    session.drop();
    throw openingFault(url, error);
  }
}

async function hasBoard(session: ClientSession): Promise<boolean> {
  const { rows } = await session.send(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${APPLICATION}'`,
  );
  return rows.length > 0;
}

/** Null for a database without a board. */
async function headOf(session: ClientSession, lock: '' | ' FOR UPDATE' = ''): Promise<HeadRow | null> {
  const { rows } = await session.send("SELECT to_regclass('head') IS NOT NULL AS found");
  if (!(rows as { found: boolean }[])[0]!.found) return null;
  return (await session.send(`SELECT ts, hash, last_time, schema, needs, key_name FROM head${lock}`))
    .rows[0] as HeadRow;
}
