import { readFile } from 'node:fs/promises';
import type { Manifest } from '../format/versions/manifest.ts';
import type { SqlConnection } from './connection.ts';
import { parquetType } from './fields.ts';
import { isStated, statedRows } from './row-state.ts';
import { comparedColumns, parquetSource } from './tables.ts';

/** Tables that are compared, with the SQL of a row's key. */
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

export interface LinkTotals {
  from: number;
  gained: number;
  changed: number;
  lost: number;
  to: number;
}

export interface SignalTotals {
  from: number;
  gained: number;
  lost: number;
  to: number;
}

/** Exact, even when lists are cut. from - removed - merged + added + split = to. */
export interface DiffTotals {
  trials: TrialTotals;
  registrations: RowTotals;
  links: LinkTotals;
  signals: SignalTotals;
}

/** A snapshot to be compared. */
export interface SnapshotSide {
  dir: string;
  manifest: Manifest;
}

/** What a comparison needs of it; a new snapshot has no more before it is published. */
export interface ComparedSide {
  dir: string;
  manifest: Pick<Manifest, 'tables'>;
}

/**
 * Compares two snapshots and leaves the tables that `LIST_SPECS` reads in the connection. A table with equal value
 * hashes on both sides is not read. Throws when the totals do not add up.
 */
export async function compareSnapshots(db: SqlConnection, from: ComparedSide, to: ComparedSide): Promise<DiffTotals> {
  for (const table of Object.keys(COMPARED) as ComparedTable[]) {
    const isSame = from.manifest.tables[table].root === to.manifest.tables[table].root;
    await compareTable(db, table, from.dir, to.dir, isSame);
  }
  await compareIdentifiers(db, from, to);
  const links = await rowTotals(db, 'links');
  return {
    trials: await trialTotals(db),
    registrations: await rowTotals(db, 'registrations'),
    links: { from: links.from, gained: links.added, changed: links.changed, lost: links.removed, to: links.to },
    signals: await signalTotals(db, from.dir, to.dir),
  };
}

/** Makes `identifier_changes`: what the changed registrations state differently. */
async function compareIdentifiers(db: SqlConnection, from: ComparedSide, to: ComparedSide): Promise<void> {
  const changes = await readFile(new URL('identifier-changes.sql', import.meta.url), 'utf8');
  const isSame = from.manifest.tables.identifiers.root === to.manifest.tables.identifiers.root;
  const source = ({ dir }: ComparedSide): string =>
    isSame ? `(FROM ${parquetSource(dir, 'identifiers')} LIMIT 0)` : parquetSource(dir, 'identifiers');
  await db.run(changes.replace('{identifiers_a}', source(from)).replace('{identifiers_b}', source(to)));
}

/**
 * Makes the views `<table>_a` and `<table>_b`, the table `<table>_states` of the rows that differ, and for lists
 * `<table>_kept_a` and `<table>_kept_b`, which hold these rows and perhaps more. Tables that are the same
 * (`isSame`) are not read.
 */
export async function compareTable(
  db: SqlConnection,
  table: ComparedTable,
  dirA: string,
  dirB: string,
  isSame = false,
): Promise<void> {
  const [typesA, typesB] = [await columnTypes(db, table, dirA), await columnTypes(db, table, dirB)];
  // Trials had origins before snapshots said so, and of other columns before fields were added: no change of a trial.
  const sayOrigins = [typesA, typesB].every((types) => unquoted(types.get('origins')) === unquoted(ORIGINS));
  for (const [side, dir, types] of [
    ['a', dirA, typesA],
    ['b', dirB, typesB],
  ] as const) {
    // A snapshot that is older than a column has null in it.
    const columns = comparedColumns(table).map((column) => {
      if (column === 'origins' && !sayOrigins) return `NULL::${ORIGINS} AS origins`;
      return types.has(column)
        ? `"${column}"`
        : `NULL::${typesA.get(column) ?? typesB.get(column) ?? 'VARCHAR'} AS "${column}"`;
    });
    await db.run(`CREATE TEMP VIEW ${table}_${side} AS SELECT ${columns.join(', ')} FROM ${parquetSource(dir, table)}`);
  }
  const compare = await readFile(new URL('compare.sql', import.meta.url), 'utf8');
  const { a, b } = await differingRows(db, table, dirA, dirB, isSame);
  await db.run(compare.replaceAll('{table}', table).replace('{rows_a}', a).replace('{rows_b}', b));
  if (!isSame && !isStated(table)) await keepRows(db, table, `SELECT k FROM ${table}_states`);
  if (table === 'trials') await db.run(await readFile(new URL('trial-moves.sql', import.meta.url), 'utf8'));
}

const ORIGINS = parquetType('origins');

function unquoted(sqlType: string | undefined): string | undefined {
  return sqlType?.replaceAll('"', '');
}

/** SQL types of a table's columns in a snapshot directory. */
async function columnTypes(db: SqlConnection, table: ComparedTable, dir: string): Promise<Map<string, string>> {
  const source = parquetSource(dir, table);
  const row = await db.one(`SELECT list([column_name, column_type]) AS pairs FROM (DESCRIBE SELECT * FROM ${source})`);
  return new Map(row?.pairs as [string, string][]);
}

/** Rows with a hash of their JSON; of the wide tables only the few rows whose states differ. */
async function differingRows(
  db: SqlConnection,
  table: ComparedTable,
  dirA: string,
  dirB: string,
  isSame: boolean,
): Promise<{ a: string; b: string }> {
  const key = COMPARED[table];
  const hashes = (source: string): string =>
    `(SELECT ${key} AS k, md5_number(to_json(t)::VARCHAR) AS row_hash FROM ${source} t)`;
  if (isSame) await keepRows(db, table, 'SELECT NULL WHERE false');
  else if (!isStated(table)) return { a: hashes(`${table}_a`), b: hashes(`${table}_b`) };
  else {
    const states = (side: 'a' | 'b', dir: string): string =>
      `(SELECT ${key} AS k, state FROM ${statedRows(table, `${table}_${side}`, parquetSource(dir, 'registrations'))})`;
    await db.run(
      `CREATE OR REPLACE TEMP TABLE in_another_state AS
       SELECT coalesce(a.k, b.k) AS k FROM ${states('a', dirA)} a FULL JOIN ${states('b', dirB)} b ON a.k = b.k
       WHERE a.state IS DISTINCT FROM b.state`,
    );
    await keepRows(db, table, 'SELECT k FROM in_another_state');
  }
  return { a: hashes(`${table}_kept_a`), b: hashes(`${table}_kept_b`) };
}

/** Copies the rows of both sides whose keys the query gives, so that they are read once. */
async function keepRows(db: SqlConnection, table: ComparedTable, keys: string): Promise<void> {
  for (const side of ['a', 'b'] as const) {
    await db.run(
      `CREATE TEMP TABLE ${table}_kept_${side} AS SELECT * FROM ${table}_${side} WHERE ${COMPARED[table]} IN (${keys})`,
    );
  }
}

/** Exact counts of the compared trials. Throws when they do not add up, which would mean an id on two sides at once. */
export async function trialTotals(db: SqlConnection): Promise<TrialTotals> {
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
async function rowTotals(db: SqlConnection, table: ComparedTable, check = true): Promise<RowTotals> {
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

/** How many feed items were gained and lost, by id; the content of items is not compared. */
async function signalTotals(db: SqlConnection, dirA: string, dirB: string): Promise<SignalTotals> {
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
    `the diff of ${table} does not add up: ${computed} by its parts, ${counted} in the later snapshot; a key is there twice, so verify both snapshots`,
  );
}
