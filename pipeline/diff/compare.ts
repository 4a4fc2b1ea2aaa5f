import { readFile } from 'node:fs/promises';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import type { Database } from '../store/database.ts';
import { isStated, statedRows } from '../store/row-state.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { columnList, hashedColumns, parquetSource } from '../store/snapshot-tables.ts';

/** Tables that a diff looks at, with the SQL that gives a row's key. */
export const COMPARED = {
  trials: 'canonical_id',
  registrations: "registry || ' ' || id",
  links: 'link_id',
} as const;
export type ComparedTable = keyof typeof COMPARED;

export interface TrialTotals {
  from: number;
  added: number;
  changed: number;
  removed: number;
  merged: number;
  split: number;
  to: number;
}

export interface RowTotals {
  from: number;
  added: number;
  changed: number;
  removed: number;
  to: number;
}

export interface SignalTotals {
  from: number;
  gained: number;
  lost: number;
  to: number;
}

type Changes = NonNullable<Manifest['changes']>;

/** How many trials differ between two snapshot directories. */
export async function countTrialChanges(dirA: string, dirB: string): Promise<Changes> {
  return withScratchDatabase((db) => countComparedTrials(db, { dirA, dirB }));
}

/** SQL of both sides' rows as their key `k` and a `row_hash` that differs where the row does. */
interface RowHashes {
  a: string;
  b: string;
}

/** The same in a database that is there already; leaves nothing in it. */
export async function countComparedTrials(
  db: Database,
  { dirA, dirB }: { dirA: string; dirB: string },
  rows?: RowHashes,
): Promise<Changes> {
  try {
    await compareTable(db, 'trials', dirA, dirB, rows);
    const { added, changed, removed, merged, split } = await trialTotals(db);
    return { added, changed, removed, merged, split };
  } finally {
    await db.run(`DROP TABLE IF EXISTS split; DROP TABLE IF EXISTS merged; DROP TABLE IF EXISTS trials_states;
      DROP VIEW IF EXISTS trials_a; DROP VIEW IF EXISTS trials_b; DROP TABLE IF EXISTS in_another_state`);
  }
}

/** Makes the views `<table>_a` and `<table>_b` and the table `<table>_states` of the rows that differ. */
export async function compareTable(
  db: Database,
  table: ComparedTable,
  dirA: string,
  dirB: string,
  rows?: RowHashes,
): Promise<void> {
  for (const [side, dir] of [
    ['a', dirA],
    ['b', dirB],
  ] as const) {
    const columns = columnList(hashedColumns(table));
    await db.run(`CREATE TEMP VIEW ${table}_${side} AS SELECT ${columns} FROM ${parquetSource(dir, table)}`);
  }
  const compare = await readFile(new URL('compare.sql', import.meta.url), 'utf8');
  const { a, b } = rows ?? (await differingRows(db, table, dirA, dirB));
  await db.run(compare.replaceAll('{table}', table).replace('{rows_a}', a).replace('{rows_b}', b));
  if (table === 'trials') await db.run(await readFile(new URL('trial-moves.sql', import.meta.url), 'utf8'));
}

/** Rows by a hash of their JSON; of the wide tables only rows whose states differ, which are few. */
async function differingRows(db: Database, table: ComparedTable, dirA: string, dirB: string): Promise<RowHashes> {
  const key = COMPARED[table];
  const hashes = (side: 'a' | 'b', among: string): string =>
    `(SELECT ${key} AS k, md5_number(to_json(t)::VARCHAR) AS row_hash FROM ${table}_${side} t ${among})`;
  if (!isStated(table)) return { a: hashes('a', ''), b: hashes('b', '') };
  const states = (side: 'a' | 'b', dir: string): string =>
    `(SELECT ${key} AS k, state FROM ${statedRows(table, `${table}_${side}`, parquetSource(dir, 'registrations'))})`;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE in_another_state AS
     SELECT coalesce(a.k, b.k) AS k FROM ${states('a', dirA)} a FULL JOIN ${states('b', dirB)} b ON a.k = b.k
     WHERE a.state IS DISTINCT FROM b.state`,
  );
  const among = `WHERE ${key} IN (SELECT k FROM in_another_state)`;
  return { a: hashes('a', among), b: hashes('b', among) };
}

/** Exact counts of the compared trials. Throws when they do not add up, which would mean an id on two sides at once. */
export async function trialTotals(db: Database): Promise<TrialTotals> {
  const rows = await rowTotals(db, 'trials', false);
  const moved = await db.one(
    'SELECT (SELECT count(*)::DOUBLE FROM merged) AS merged, (SELECT count(*)::DOUBLE FROM split) AS split',
  );
  const [merged, split] = [Number(moved?.merged), Number(moved?.split)];
  const totals = { ...rows, removed: rows.removed - merged, merged, added: rows.added - split, split };
  assertAddsUp('trials', totals.from - totals.removed - merged + totals.added + split, totals.to);
  return totals;
}

/** Exact counts of compared registrations or links. Throws when they do not add up. */
export async function rowTotals(db: Database, table: ComparedTable, check = true): Promise<RowTotals> {
  const row = await db.one(`SELECT
    (SELECT count(*)::DOUBLE FROM ${table}_a) AS "from",
    count(*) FILTER (in_b AND NOT in_a)::DOUBLE AS added,
    count(*) FILTER (in_a AND in_b)::DOUBLE AS changed,
    count(*) FILTER (in_a AND NOT in_b)::DOUBLE AS removed,
    (SELECT count(*)::DOUBLE FROM ${table}_b) AS "to"
    FROM ${table}_states`);
  const totals = row as unknown as RowTotals;
  if (check) assertAddsUp(table, totals.from - totals.removed + totals.added, totals.to);
  return totals;
}

/** How many feed items differ, by id: what an item says is not compared. */
export async function signalTotals(db: Database, dirA: string, dirB: string): Promise<SignalTotals> {
  const [a, b] = [dirA, dirB].map((dir) => `(SELECT id FROM ${parquetSource(dir, 'signals')})`);
  const row = await db.one(`SELECT
    (SELECT count(*)::DOUBLE FROM ${a}) AS "from",
    (SELECT count(*)::DOUBLE FROM ${b} b ANTI JOIN ${a} a USING (id)) AS gained,
    (SELECT count(*)::DOUBLE FROM ${a} a ANTI JOIN ${b} b USING (id)) AS lost,
    (SELECT count(*)::DOUBLE FROM ${b}) AS "to"`);
  const totals = row as unknown as SignalTotals;
  assertAddsUp('signals', totals.from - totals.lost + totals.gained, totals.to);
  return totals;
}

function assertAddsUp(table: string, computed: number, counted: number): void {
  if (computed === counted) return;
  throw new Error(
    `the diff of ${table} does not add up: ${computed} by its parts, ${counted} in the later snapshot; verify both snapshots, a key stands twice`,
  );
}
