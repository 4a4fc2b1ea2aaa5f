import { setTimeout as pause } from 'node:timers/promises';
import { GENESIS_HASH } from '../event-chain.ts';
import { FIRST_SCHEMA, MIGRATIONS, newestSchema, refusalOfOld } from '../migrations.ts';
import type { Sealer } from '../sealed.ts';
import { placeOf } from '../store-address.ts';
import { DatabaseFault, LOCK_NOT_AVAILABLE } from './faults.ts';
import { firstSchema, inPostgres } from './schema.ts';
import { type ClientSession, sqlState } from './session.ts';

/** Several boards may start at once on an empty database; all but one then find its objects made by another. */
const TRIES = 5;
const MADE_BY_ANOTHER = /^(?:23505|42P0[67]|42710|42723)$/;

/**
 * How long a migration waits for those who read a table that it changes. All writers, and whoever reads the table next,
 * wait behind it; so it soon lets them go first and begins anew. It is less than the server waits before it ends one of
 * two who wait for each other, which could be a reader.
 */
const READERS_WITHIN_MS = 500;
const BEGIN_AGAIN_MS = 500;
/** Minutes: nothing that a board reads takes as long. */
const READERS_TRIES = 300;

/** Added to `needs` while a board is copied here, so that none is served until the copy is whole. */
export const COPYING = 1_000_000;

/** One row: where the feed ends, and what the schema is. Every writer locks it, so that they write one after the other. */
const HEAD = `CREATE TABLE head (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     ts INTEGER NOT NULL,                   -- time of the newest event, 0 without one
     hash TEXT NOT NULL,                    -- of the newest event
     last_time INTEGER NOT NULL,            -- latest time that any write took
     schema INTEGER NOT NULL,               -- number of the last migration applied
     needs INTEGER NOT NULL,                -- number of the last that a program must know to write here
     key_name TEXT NOT NULL                 -- of the key that seals what is stored here
   )`;

/** Brings a database to the newest schema, in one transaction. Several boards may do so at once. */
export async function migrateDatabase(session: ClientSession, url: string, sealer: Sealer): Promise<void> {
  let [tries, readersTries] = [1, 1];
  for (;;) {
    try {
      if (!(await hasHead(session))) await create(session, url, sealer);
      await bringUp(session, url, sealer);
      return;
    } catch (error) {
      if (sqlState(error) === LOCK_NOT_AVAILABLE && readersTries < READERS_TRIES) {
        readersTries += 1;
        await pause(BEGIN_AGAIN_MS);
      } else if (MADE_BY_ANOTHER.test(sqlState(error)) && tries < TRIES) {
        tries += 1;
      } else {
        throw error;
      }
    }
  }
}

async function hasHead(session: ClientSession): Promise<boolean> {
  const { rows } = await session.send("SELECT to_regclass('head') IS NOT NULL AS found");
  return (rows as { found: boolean }[])[0]!.found;
}

async function create(session: ClientSession, url: string, sealer: Sealer): Promise<void> {
  const statements = firstSchema();
  await refuseForeign(session, url, statements);
  await inTransaction(session, async () => {
    await session.send(inPostgres(HEAD));
    for (const statement of statements) await session.send(statement);
    const head = [1, 0, GENESIS_HASH, 0, FIRST_SCHEMA, FIRST_SCHEMA, sealer.name];
    await session.send(
      'INSERT INTO head (id, ts, hash, last_time, schema, needs, key_name) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      head,
    );
  });
}

/** Tables of these names without a head are somebody else's. */
async function refuseForeign(session: ClientSession, url: string, statements: readonly string[]): Promise<void> {
  const names = statements.flatMap((statement) => /^CREATE TABLE "?(\w+)/.exec(statement)?.[1] ?? []);
  const { rows } = await session.send(
    'SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ANY ($1)',
    [names],
  );
  const [found] = rows as { table_name: string }[];
  if (found === undefined) return;
  throw new DatabaseFault(
    `${placeOf(url)} has a table ${found.table_name} and is no board: name another database in BOARD_STORE, or a schema of its own by ?options=-csearch_path%3Dboard`,
  );
}

async function bringUp(session: ClientSession, url: string, sealer: Sealer): Promise<void> {
  const at = await schemaOf(session, url, '');
  if (at.needs >= COPYING) {
    throw new DatabaseFault(
      `${placeOf(url)} holds a copy that was not finished: run \`npm run board -- copy\` again, or name another database`,
    );
  }
  if (at.schema < FIRST_SCHEMA) throw new DatabaseFault(refusalOfOld(placeOf(url), at.schema));
  if (at.needs > newestSchema()) {
    throw new DatabaseFault(
      `${placeOf(url)} has schema ${at.schema}, which a program that knows ${newestSchema()} may not write to: run the newer program`,
    );
  }
  if (at.key_name !== sealer.name) {
    throw new DatabaseFault(
      `${placeOf(url)} was made with another key, without which no webhook can be signed: put the key file of its first board where BOARD_KEY_FILE says`,
    );
  }
  if (at.schema >= newestSchema()) return;
  await inTransaction(session, async () => {
    const { schema } = await schemaOf(session, url, ' FOR UPDATE');
    await session.script(`SET LOCAL lock_timeout = ${READERS_WITHIN_MS}`);
    for (const next of MIGRATIONS.filter((one) => one.schema > schema)) {
      for (const statement of next.statements) await session.send(inPostgres(statement));
      const needs = next.needed ? next.schema : 0;
      await session.send('UPDATE head SET schema = $1, needs = greatest(needs, $2)', [next.schema, needs]);
    }
  });
}

interface Standing {
  schema: number;
  needs: number;
  key_name: string;
}

async function schemaOf(session: ClientSession, url: string, lock: '' | ' FOR UPDATE'): Promise<Standing> {
  try {
    const { rows } = await session.send(`SELECT schema, needs, key_name FROM head${lock}`);
    return (rows as Standing[])[0]!;
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new DatabaseFault(
      `${placeOf(url)} has another connection that does not let go of its table head: look in pg_locks and pg_stat_activity who holds it, end that, then start again`,
      { cause: error },
    );
  }
}

async function inTransaction(session: ClientSession, work: () => Promise<void>): Promise<void> {
  await session.script('BEGIN');
  try {
    await work();
    await session.script('COMMIT');
  } catch (error) {
    if (session.inTransaction) await session.script('ROLLBACK');
    throw error;
  }
}
