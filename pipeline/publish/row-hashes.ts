import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { rowLeaf } from '../../snapshot/sql/row-json.ts';
import { registrationStateForm, type StatedTable, statedRows } from '../../snapshot/sql/row-state.ts';
import {
  columnList,
  hashedColumns,
  parquetSource,
  TABLE_SPECS,
  unhashedColumns,
  writtenColumns,
} from '../../snapshot/sql/tables.ts';
import { type Connection, LIBRARY_VERSION } from '../store/database.ts';
import { sha256 } from './durable.ts';
import { type LeafTree, rootInOrder, type TableValues } from './identity/table-root.ts';
import { trialsSql } from './trials-sql.ts';

/**
 * The root of the registrations that were just written, read from the file as `rootOfTable` does. Reuses the hash of
 * each row whose state the last publish knew. Leaves the temporary table `registrations_hashed`.
 */
export async function hashRegistrationsAgain(db: Connection, dir: string, tree?: LeafTree): Promise<TableValues> {
  const { key } = TABLE_SPECS.registrations;
  // DuckDB's coalesce would compute the leaf of every row, also where the first value is there.
  const leaf = rowLeaf('registrations', hashedColumns('registrations'));
  await db.run(
    `CREATE OR REPLACE TEMP TABLE registrations_hashed AS
     SELECT ${columnList(key)}, state, CASE WHEN known.row_hash IS NULL THEN ${leaf} ELSE known.row_hash END AS row_hash
     FROM ${statedRows('registrations', parquetSource(dir, 'registrations'), 'registrations')}
     LEFT JOIN (${await knownHashes(db, 'registrations')}) known USING (state)`,
  );
  return rootInOrder(db, 'registrations', 'SELECT * FROM registrations_hashed', tree);
}

/**
 * Makes `registrations_stated`: each registration as it would be written now, with its state, its run times, the hash that the last
 * publish knew of its state, or null, and its row id in the working table.
 */
export async function stateRegistrations(db: Connection): Promise<void> {
  const columns = [...TABLE_SPECS.registrations.key, ...unhashedColumns('registrations')];
  const written = `(SELECT ${writtenColumns('registrations')}, rowid AS row_id FROM registrations)`;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE registrations_stated AS
     SELECT ${columnList(columns)}, state, row_hash, row_id
     FROM ${statedRows('registrations', written, 'registrations')}
     LEFT JOIN (${await knownHashes(db, 'registrations')}) known USING (state)`,
  );
}

/**
 * The root of a table from `<table>_stated`; rows without a known hash are read from `source`, SQL of rows as they are written. Leaves the
 * temporary table `<table>_hashed`.
 */
export async function hashStated(
  db: Connection,
  table: StatedTable,
  source: string,
  tree?: LeafTree,
): Promise<TableValues> {
  const key = columnList(TABLE_SPECS[table].key);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${table}_hashed AS
     SELECT ${key}, state, row_hash FROM ${table}_stated WHERE row_hash IS NOT NULL
     UNION ALL
     SELECT ${key}, state, ${rowLeaf(table, hashedColumns(table))}
     FROM ${source}
     JOIN (SELECT ${key}, state FROM ${table}_stated WHERE row_hash IS NULL) USING (${key})`,
  );
  return rootInOrder(db, table, `SELECT * FROM ${table}_hashed`, tree);
}

/**
 * Everything from which trials.sql makes a trial's row: its own columns and its registrations. The SHA-256 of a
 * registration's row stands for the registration, so that the trials need not be read.
 */
const TRIAL_STATE = `md5_number(concat_ws(' ', h.canonical_id, array_to_string(h.aliases, ','), h.ctgov_id, h.isrctn_id,
  h.founding_registry, h.founding_id, coalesce(c.row_hash, '-'), coalesce(i.row_hash, '-')))`;

/**
 * The root of the trials that were just written, with the hashes of unchanged rows reused. Needs `defineTrials`.
 * The kept row hashes must be those of the present registrations, whose root is `registrations`; throws when they
 * are not. Leaves the temporary table `trials_hashed`.
 */
export async function hashTrialsAgain(
  db: Connection,
  dir: string,
  registrations: string,
  tree?: LeafTree,
): Promise<TableValues> {
  await stateTrials(db, registrations);
  return hashStated(db, 'trials', parquetSource(dir, 'trials'), tree);
}

/** Makes `trials_stated`: each trial with its state, and the hash that the last publish knew of it, or null. Throws as `hashTrialsAgain`. */
export async function stateTrials(db: Connection, registrations: string): Promise<void> {
  if ((await keptOf(db, 'registrations'))?.root !== registrations)
    throw new Error('the kept row hashes do not belong to the registrations that the trials are made from');
  const hashesOf = (registry: string): string =>
    `(SELECT id, row_hash FROM registrations_hashes WHERE registry = ${sqlLiteral(registry)})`;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE trials_stated AS
     SELECT canonical_id, state, row_hash
     FROM (
       SELECT h.canonical_id, ${TRIAL_STATE} AS state
       FROM trial_heads h
       LEFT JOIN ${hashesOf('clinicaltrials_gov')} c ON c.id = h.ctgov_id
       LEFT JOIN ${hashesOf('isrctn')} i ON i.id = h.isrctn_id
     ) LEFT JOIN (${await knownHashes(db, 'trials')}) known USING (state)`,
  );
}

/** SQL of the row hashes of the last publish by row state; no rows when this code would hash rows differently. */
async function knownHashes(db: Connection, table: StatedTable): Promise<string> {
  return `SELECT state, row_hash FROM ${table}_hashes WHERE ${(await keptOf(db, table))?.isUsable === true}`;
}

/**
 * Keeps the row hashes for the next publish; needs `<table>_hashed`. Writes only rows whose state changed, in one
 * transaction, so that a kill leaves the old or the new hashes.
 */
export async function keepRowHashes(db: Connection, table: StatedTable, root: string): Promise<void> {
  const { key } = TABLE_SPECS[table];
  const isSame = [...key, 'state'].map((column) => `h."${column}" = k."${column}"`).join(' AND ');
  const goesOn = (await keptOf(db, table))?.isUsable === true;
  const name = sqlLiteral(table);
  await db.run('BEGIN TRANSACTION');
  try {
    await db.run(
      `DELETE FROM ${table}_hashes k
         WHERE NOT ${goesOn} OR NOT EXISTS (SELECT 1 FROM ${table}_hashed h WHERE ${isSame});
       INSERT INTO ${table}_hashes SELECT ${columnList(key)}, state, row_hash FROM ${table}_hashed h
         WHERE NOT EXISTS (SELECT 1 FROM ${table}_hashes k WHERE ${isSame});
       DELETE FROM kept_roots WHERE table_name = ${name};
       INSERT INTO kept_roots VALUES (${name}, ${sqlLiteral(await form(table))}, ${sqlLiteral(root)});
       COMMIT`,
    );
  } catch (error) {
    await db.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** With more changes than this nothing is reused from the parent, so the keys are not collected. */
const MOST_KEYS = 100_000;

/**
 * Ids (last column of the key) of the rows that differ from the parent's table, whose root is `rootA`:
 * changed rows and rows on one side only. Needs `<table>_hashed`; call it before the row hashes are kept. Null when the
 * kept hashes are not those of the parent, or when there are too many ids.
 */
export async function differingKeys(db: Connection, table: StatedTable, rootA: string): Promise<string[] | null> {
  if (!(await knowsRows(db, table, rootA))) return null;
  const { key } = TABLE_SPECS[table];
  const rows = await db.all(
    `SELECT "${key.at(-1)}" AS "key" FROM ${table}_hashes a FULL JOIN ${table}_hashed b USING (${columnList(key)})
     WHERE a.row_hash IS DISTINCT FROM b.row_hash ORDER BY "key" LIMIT ${MOST_KEYS + 1}`,
  );
  return rows.length > MOST_KEYS ? null : rows.map((row) => String(row.key));
}

/** Whether the kept row hashes are those of the table whose root is `root`, and this code would hash rows alike. */
export async function knowsRows(db: Connection, table: StatedTable, root: string): Promise<boolean> {
  const kept = await keptOf(db, table);
  return kept?.isUsable === true && kept.root === root;
}

/** Root of the table that the kept row hashes belong to, and whether this code would hash it alike; or null. */
async function keptOf(db: Connection, table: StatedTable): Promise<{ isUsable: boolean; root: string } | null> {
  const row = await db.one(`SELECT form, root FROM kept_roots WHERE table_name = ${sqlLiteral(table)}`);
  return row && { isUsable: row.form === (await form(table)), root: String(row.root) };
}

/** What a kept row hash depends on besides the row: the library that writes JSON, the columns, the form of a state. */
async function form(table: StatedTable): Promise<string> {
  const registrations = `${registrationStateForm()} ${rowLeaf('registrations', hashedColumns('registrations'))}`;
  if (table === 'registrations') return sha256(`${LIBRARY_VERSION} ${registrations}`);
  const leaf = rowLeaf('trials', hashedColumns('trials'));
  return sha256(`${LIBRARY_VERSION} ${registrations} ${TRIAL_STATE} ${leaf} ${await trialsSql()}`);
}
