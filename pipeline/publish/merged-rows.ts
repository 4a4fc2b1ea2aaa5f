import { join } from 'node:path';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { StatedTable } from '../../snapshot/sql/row-state.ts';
import { columnList, TABLE_SPECS, unhashedColumns, writtenColumns } from '../../snapshot/sql/tables.ts';
import { type Connection, WORKING_ROW_GROUP_ROWS } from '../store/database.ts';
import type { PublishedTables } from './raw-parts.ts';
import { knowsRows, stateRegistrations } from './row-hashes.ts';
import { mergedTrialsSql } from './trials-sql.ts';

/**
 * A wide table of a snapshot is 629,000 rows of several kilobytes. Sorted anew they do not fit into memory, and spilling and sorting
 * cost more than writing. The parent's file is sorted already, so a day's few changed rows are put into its order.
 */

/** Largest share of changed rows; above it the table is sorted. Tests give their own. */
const MOST_CHANGED = 0.1;

/**
 * The parent, if rows of a table can be taken over from it: the kept row hashes are those of its table, and its file has the columns and
 * types that this code writes. Else null.
 */
export async function mergeableParent(
  db: Connection,
  table: StatedTable,
  parent: PublishedTables | null,
): Promise<PublishedTables | null> {
  if (parent === null) return null;
  const { rows, root, files } = parent.tables[table];
  if (rows === 0 || files.length > 1 || !(await knowsRows(db, table, root))) return null;
  const described = async (query: string): Promise<string> =>
    JSON.stringify(await db.all(`SELECT column_name, column_type FROM (DESCRIBE ${query})`));
  const ours = await described(`SELECT ${writtenColumns(table)} FROM ${TABLE_SPECS[table].source}`);
  return ours === (await described(`SELECT * FROM read_parquet(${fileOf(table, parent)})`)) ? parent : null;
}

/** Finds out which registrations to take over from the parent, as `pickRows` does. */
export async function pickRegistrations(
  db: Connection,
  parent: PublishedTables,
  mostChanged = MOST_CHANGED,
): Promise<boolean> {
  await stateRegistrations(db);
  return pickRows(
    db,
    'registrations',
    { parent, mostChanged },
    async () => `(FROM registrations WHERE ${await groupsWith(db, 'registrations_changed')})`,
  );
}

/** Files with the registrations of changed trials: `changed` as `writeChangedRows` wrote it, and `others`, which `pickTrials` writes. */
export interface SideFiles {
  changed: string;
  others: string;
}

/** Finds out which trials to take over; needs `trials_stated`. Without `sides` all registrations are read. */
export async function pickTrials(
  db: Connection,
  parent: PublishedTables,
  sides: SideFiles | null,
  mostChanged = MOST_CHANGED,
): Promise<boolean> {
  return pickRows(db, 'trials', { parent, mostChanged }, async () => {
    await db.run(
      'CREATE OR REPLACE TEMP TABLE changed_heads AS FROM trial_heads SEMI JOIN trials_changed USING (canonical_id)',
    );
    if (sides !== null) await writeOtherSides(db, sides);
    const registrations = sides === null ? 'registrations' : rowsIn([sides.changed, sides.others]);
    const names = { heads: 'changed_heads', sides: 'changed_sides', view: 'changed_trials' };
    await db.run(await mergedTrialsSql({ ...names, registrations }));
    return 'changed_trials';
  });
}

/** Writes the registrations of `changed_heads` that did not change themselves, as they are written. */
async function writeOtherSides(db: Connection, { changed, others }: SideFiles): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE other_sides AS
     SELECT registry, id, rowid AS row_id FROM registrations
     SEMI JOIN (
       SELECT 'clinicaltrials_gov' AS registry, ctgov_id AS id FROM changed_heads
       UNION ALL SELECT 'isrctn', isrctn_id FROM changed_heads
     ) USING (registry, id)
     ANTI JOIN (SELECT registry, id FROM ${rowsIn([changed])}) USING (registry, id)`,
  );
  const write = (condition: string): Promise<void> =>
    db.run(
      `COPY (SELECT ${writtenColumns('registrations')} FROM registrations SEMI JOIN other_sides USING (registry, id) WHERE ${condition})
       TO ${sqlLiteral(others)} (FORMAT parquet)`,
    );
  await write(await groupsWith(db, 'other_sides'));
  if ((await countOf(db, rowsIn([others]))) !== (await countOf(db, 'other_sides'))) await write('true');
}

/**
 * SQL condition on the working registrations that holds for those whose row ids the table has, and for few row groups beside theirs, so
 * that DuckDB skips the rest. Changed registrations were inserted together, so they lie in one or two groups. DuckDB may move rows when it
 * closes a file or a large transaction, so whoever asks counts what was found.
 */
async function groupsWith(db: Connection, table: string): Promise<string> {
  const groups = await db.all(
    `SELECT min(row_id)::DOUBLE AS "first", max(row_id)::DOUBLE AS "last" FROM ${table} GROUP BY row_id // ${WORKING_ROW_GROUP_ROWS}`,
  );
  return groups.length === 0
    ? 'false'
    : `(${groups.map(({ first, last }) => `rowid BETWEEN ${first} AND ${last}`).join(' OR ')})`;
}

async function countOf(db: Connection, rows: string): Promise<number> {
  return Number((await db.one(`SELECT count(*)::DOUBLE AS n FROM ${rows}`))?.n);
}

function rowsIn(files: readonly string[]): string {
  return `read_parquet([${files.map(sqlLiteral).join(', ')}])`;
}

/**
 * Makes the tables `<table>_fresh`, the rows of `<table>_stated` that the parent's file does not have, numbered in key order, and
 * `<table>_picks`: what stands in the place of each row of that file, the row itself (0) unless it is gone or changed, and the fresh
 * ones that follow it. `source` gives SQL of rows with the keys in `<table>_changed`. False where too many rows are fresh, or where
 * `source` lacks one.
 */
async function pickRows(
  db: Connection,
  table: StatedTable,
  { parent, mostChanged }: { parent: PublishedTables; mostChanged: number },
  source: () => Promise<string>,
): Promise<boolean> {
  const key = columnList(TABLE_SPECS[table].key);
  // What no state covers is compared itself; the state of a trial covers all its columns, since all follow from its registrations.
  const uncovered = table === 'trials' ? [] : unhashedColumns(table);
  const isSame = uncovered.map((column) => `AND p."${column}" IS NOT DISTINCT FROM s."${column}"`);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${table}_places AS
     SELECT ${key}, p.file_row_number AS place, s.row_hash IS NOT NULL ${isSame.join(' ')} AS stays
     FROM read_parquet(${fileOf(table, parent)}, file_row_number = true) p LEFT JOIN ${table}_stated s USING (${key});
     CREATE OR REPLACE TEMP TABLE ${table}_changed AS
     SELECT s.* FROM ${table}_stated s ANTI JOIN (SELECT ${key} FROM ${table}_places WHERE stays) USING (${key})`,
  );
  const changed = await countOf(db, `${table}_changed`);
  if (changed > mostChanged * (await countOf(db, `${table}_stated`))) return false;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${table}_fresh AS
     SELECT row_number() OVER (ORDER BY ${key}) AS pick, * FROM (
       SELECT ${writtenColumns(table)} FROM ${await source()} SEMI JOIN ${table}_changed USING (${key}))`,
  );
  if ((await countOf(db, `${table}_fresh`)) !== changed) return false;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${table}_followers AS
     SELECT last_place, list(pick ORDER BY pick) AS picks FROM (
       SELECT pick, max(place) OVER (ORDER BY ${key} ROWS UNBOUNDED PRECEDING) AS last_place FROM (
         SELECT ${key}, place, NULL AS pick FROM ${table}_places WHERE stays
         UNION ALL SELECT ${key}, NULL, pick FROM ${table}_fresh
       )
     ) WHERE pick IS NOT NULL GROUP BY last_place;
     CREATE OR REPLACE TEMP TABLE ${table}_picks AS
     SELECT CASE WHEN place = 0 THEN coalesce((SELECT picks FROM ${table}_followers WHERE last_place IS NULL), []) ELSE [] END
       || CASE WHEN stays THEN [0] ELSE [] END || coalesce(f.picks, []) AS picks
     FROM ${table}_places LEFT JOIN ${table}_followers f ON f.last_place = place ORDER BY place`,
  );
  return true;
}

/**
 * SQL of the rows of a table in key order after `pickRows`: no sort, and nothing but the fresh rows is held. On one thread DuckDB keeps
 * the order of the file through it, since a subquery gives one value for each row; a plain join may turn its sides. `isInOrder` checks it.
 */
export function mergedRows(table: StatedTable, parent: PublishedTables): string {
  const values = TABLE_SPECS[table].columns.map(
    (column) => `CASE WHEN pick = 0 THEN "${column}" ELSE fresh."${column}" END AS "${column}"`,
  );
  return `SELECT ${values.join(', ')}
    FROM (
      SELECT *, (SELECT f FROM ${table}_fresh f WHERE f.pick = picked.pick) AS fresh
      FROM (
        SELECT * EXCLUDE (picks), unnest(picks) AS pick
        FROM (FROM read_parquet(${fileOf(table, parent)}) POSITIONAL JOIN (SELECT picks FROM ${table}_picks))
      ) picked
    )`;
}

/** Files with the rows that one of two snapshots has and the other has not, or has otherwise, and perhaps a few more. */
export interface ChangedRows {
  before: string;
  after: string;
}

/**
 * Writes the changed rows of a table after `pickRows` into `scratch`, so that whoever needs them need not read all rows of both snapshots.
 * Those of the parent are written by `before`, on any connection, since reading its file takes as long as a small table.
 */
export async function writeChangedRows(
  db: Connection,
  table: StatedTable,
  parent: PublishedTables,
  scratch: string,
): Promise<ChangedRows & { writeBefore: (db: Connection) => Promise<void> }> {
  const key = columnList(TABLE_SPECS[table].key);
  const at = (side: string): string => join(scratch, `${table}-${side}.parquet`);
  const write = (connection: Connection, rows: string, side: string): Promise<void> =>
    connection.run(`COPY (${rows}) TO ${sqlLiteral(at(side))} (FORMAT parquet)`);
  await write(db, `SELECT * EXCLUDE (pick) FROM ${table}_fresh`, 'after');
  await write(db, `SELECT ${key} FROM ${table}_places WHERE NOT stays`, 'gone');
  const gone = `(SELECT ${key} FROM read_parquet(${sqlLiteral(at('gone'))}))`;
  const rowsBefore = `FROM read_parquet(${fileOf(table, parent)}) SEMI JOIN ${gone} USING (${key})`;
  const writeBefore = (connection: Connection): Promise<void> => write(connection, rowsBefore, 'before');
  return { before: at('before'), after: at('after'), writeBefore };
}

/** Whether the file of a table has its rows in ascending order of its key, each key once. */
export async function isInOrder(db: Connection, table: StatedTable, dir: string): Promise<boolean> {
  const { key } = TABLE_SPECS[table];
  const before = key.map((column) => `lag("${column}") OVER (ORDER BY file_row_number) AS "before_${column}"`);
  const row = (prefix: string): string => `(${key.map((column) => `"${prefix}${column}"`).join(', ')})`;
  const wrong = await db.one(
    `SELECT file_row_number::DOUBLE AS place
     FROM (SELECT *, ${before.join(', ')}
       FROM (SELECT ${columnList(key)}, file_row_number FROM read_parquet(${sqlLiteral(join(dir, `${table}.parquet`))}, file_row_number = true)))
     WHERE file_row_number > 0 AND ${row('')} <= ${row('before_')} LIMIT 1`,
  );
  return wrong === null;
}

function fileOf(table: StatedTable, { dir }: PublishedTables): string {
  return sqlLiteral(join(dir, `${table}.parquet`));
}
