import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Board } from '../../board-server/store/board.ts';
import { MIGRATIONS, newestSchema } from '../../board-server/store/migrations.ts';
import { countedBytes, TestClock } from '../support/board/board.ts';
import { NO_POSTGRES, openDatabase } from '../support/runner/postgres.ts';
import { until } from '../support/until.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-schema-'));
});
afterEach(() => rm(root, { recursive: true }));

const effects = { now: new TestClock().now, random: countedBytes() };

/** What one table says of itself, in words that are equal for both stores. */
interface Table {
  columns: string[];
  uniques: string[];
  indexes: string[];
  references: string[];
}

type Tables = Record<string, Table>;

const KINDS: Record<string, string> = {
  INTEGER: 'integer',
  TEXT: 'text',
  REAL: 'real',
  bigint: 'integer',
  text: 'text',
  'double precision': 'real',
};

/** Words for texts are found in tables that the two stores cannot share. */
const isShared = (name: string) => !/_(?:search|scope)(?:$|_)/.test(name) && name !== 'head';

function ofSqlite(path: string): Tables {
  const file = new SQLite(path, { readonly: true });
  const all = <Row>(sql: string, ...values: string[]) => file.prepare(sql).all(...values) as Row[];
  const names = all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name);
  const tables = names.filter(isShared).map((table) => {
    const columns = all<{ name: string; type: string; notnull: number; pk: number }>(
      'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
      table,
    );
    const indexes = all<{ name: string; unique: number; origin: string; partial: number }>(
      'SELECT name, "unique", origin, partial FROM pragma_index_list(?)',
      table,
    ).map((index) => ({
      ...index,
      on: all<{ name: string }>('SELECT name FROM pragma_index_info(?) ORDER BY seqno', index.name).map(
        ({ name }) => name,
      ),
    }));
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const uniques = [key.map(({ name }) => name), ...indexes.filter(({ unique }) => unique).map(({ on }) => on)];
    const references = all<{ table: string; from: string; on_delete: string }>(
      'SELECT "table", "from", on_delete FROM pragma_foreign_key_list(?)',
      table,
    );
    return [
      table,
      {
        columns: columns.map(
          ({ name, type, notnull, pk }) => `${name} ${KINDS[type]}${notnull || pk ? '' : ' or null'}`,
        ),
        uniques: [...new Set(uniques.map(String))].sort(),
        indexes: indexes
          .filter(({ origin }) => origin === 'c')
          .map(({ name, on, partial }) => `${name} (${on})${partial ? ' partial' : ''}`)
          .sort(),
        references: references.map((one) => `${one.from} to ${one.table} ${one.on_delete}`).sort(),
      },
    ];
  });
  file.close();
  return Object.fromEntries(tables);
}

async function ofPostgres(url: string): Promise<Tables> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const all = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];
  const columns = await all<{ table: string; name: string; type: string; nullable: boolean; collated: boolean }>(
    `SELECT table_name AS table, column_name AS name, data_type AS type, is_nullable = 'YES' AS nullable,
       data_type <> 'text' OR collation_name = 'C' AS collated
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  );
  const indexes = await all<{
    table: string;
    name: string;
    unique: boolean;
    made: boolean;
    partial: boolean;
    on: string;
  }>(
    `SELECT t.relname AS table, i.relname AS name, x.indisunique AS unique, c.oid IS NULL AS made,
       x.indpred IS NOT NULL AS partial,
       (SELECT string_agg(a.attname, ',' ORDER BY k.place)
        FROM unnest(x.indkey::int[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number) AS on
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     LEFT JOIN pg_constraint c ON c.conindid = i.oid AND c.contype IN ('p', 'u')
     WHERE t.relnamespace = 'public'::regnamespace`,
  );
  const references = await all<{ table: string; from: string; to: string; on_delete: string }>(
    `SELECT t.relname AS table, a.attname AS from, f.relname AS to,
       CASE c.confdeltype WHEN 'c' THEN 'CASCADE' ELSE 'NO ACTION' END AS on_delete
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (c.conkey)
     WHERE c.contype = 'f'`,
  );
  await client.end();
  expect(columns.filter(({ collated }) => !collated)).toEqual([]);
  const names = [...new Set(columns.map(({ table }) => table))].filter(isShared);
  return Object.fromEntries(
    names.map((table) => {
      const own = indexes.filter((index) => index.table === table);
      return [
        table,
        {
          columns: columns
            .filter((column) => column.table === table)
            .map(({ name, type, nullable }) => `${name} ${KINDS[type]}${nullable ? ' or null' : ''}`),
          uniques: [...new Set(own.filter(({ unique }) => unique).map(({ on }) => on))].sort(),
          indexes: own
            .filter(({ made }) => made)
            .map(({ name, on, partial }) => `${name} (${on})${partial ? ' partial' : ''}`)
            .sort(),
          references: references
            .filter((one) => one.table === table)
            .map((one) => `${one.from} to ${one.to} ${one.on_delete}`)
            .sort(),
        },
      ];
    }),
  );
}

describe.skipIf(NO_POSTGRES !== null)('the schema on PostgreSQL', () => {
  it('has the tables of SQLite after all migrations, with their columns, uniques, indexes and references', async () => {
    const path = join(root, 'board.sqlite');
    await using database = await openDatabase();
    for (const store of [path, database.url]) {
      await (await Board.open(store, effects, { keyFile: join(root, 'board.key') }))[Symbol.asyncDispose]();
    }
    const [sqlite, postgres] = [ofSqlite(path), await ofPostgres(database.url)];
    expect(Object.keys(postgres).sort()).toEqual(Object.keys(sqlite).sort());
    expect(Object.keys(postgres).length).toBeGreaterThan(30);
    expect(postgres).toEqual(sqlite);
  });

  it('is made once where several boards begin at the same moment', async () => {
    await using database = await openDatabase();
    const keyFile = join(root, 'board.key');
    const boards = await Promise.all([1, 2, 3].map(() => Board.open(database.url, effects, { keyFile })));
    expect(await Promise.all(boards.map((board) => board.prove()))).toEqual([true, true, true]);
    for (const board of boards) await board[Symbol.asyncDispose]();
  });

  it('is changed beside a long reader without holding up writers and other readers', async () => {
    await using database = await openDatabase();
    const open = () => Board.open(database.url, effects, { keyFile: join(root, 'board.key') });
    await using board = await open();
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT count(*) FROM claims');
    const statements = ['ALTER TABLE claims ADD COLUMN next_note TEXT'];
    MIGRATIONS.push({ schema: newestSchema() + 1, statements, needed: false });
    const next = open();
    const waiting = `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE datname = current_database() AND mode = 'AccessExclusiveLock' AND NOT granted`;
    for (let time = 0; time < 3; time += 1) {
      await until(async () => (await run(database.url, waiting)).length > 0);
      expect(await board.prove()).toBe(true);
      await run(database.url, 'SELECT count(*) FROM claims');
    }
    await reader.end();
    await (await next)[Symbol.asyncDispose]();
    expect(await run(database.url, 'SELECT next_note FROM claims')).toEqual([]);
    MIGRATIONS.pop();
  });

  it('is refused where the database holds something else, has another key, or needs a newer program, saying what to do', async () => {
    const open = (url: string) => Board.open(url, effects, { keyFile: join(root, 'board.key') });
    await using foreign = await openDatabase();
    await using newer = await openDatabase();
    await run(foreign.url, 'CREATE TABLE claims (number integer)');
    await expect(open(foreign.url)).rejects.toThrow(/ has a table claims and is no board: name another database/);
    await (await open(newer.url))[Symbol.asyncDispose]();
    await run(newer.url, 'UPDATE head SET schema = 999');
    // A migration that older programs need not know lets them go on.
    await (await open(newer.url))[Symbol.asyncDispose]();
    const other = Board.open(newer.url, effects, { keyFile: join(root, 'other.key') });
    await expect(other).rejects.toThrow(/ was made with another key, .*: put the key file of its first board where/);
    await run(newer.url, 'UPDATE head SET needs = 999');
    await expect(open(newer.url)).rejects.toThrow(/ has schema 999, .* run the newer program$/);
  });
});

describe.skipIf(NO_POSTGRES !== null)('a board that starts', () => {
  it('does not wait for ever where another connection holds the head, and says so', async () => {
    await using database = await openDatabase();
    const open = () => Board.open(database.url, effects, { keyFile: join(root, 'board.key'), waits: { start: 100 } });
    await (await open())[Symbol.asyncDispose]();
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE head IN ACCESS EXCLUSIVE MODE');
    await expect(open()).rejects.toThrow(/ does not let go of its table head: look in pg_locks and pg_stat_activity/);
    await holder.query('ROLLBACK; BEGIN; SELECT FROM head FOR UPDATE');
    MIGRATIONS.push({ schema: newestSchema() + 1, statements: [], needed: false });
    await expect(open()).rejects.toThrow(/ does not let go of its table head: /);
    MIGRATIONS.pop();
    await holder.end();
  });
});

async function run(url: string, sql: string): Promise<object[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(sql);
  await client.end();
  return rows;
}
