import type { Manifest } from '../../snapshot-format/manifest.ts';
import { countComparedTrials } from '../../snapshot-sql/compare.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import { type StatedTable, statedRows, stateForm } from '../../snapshot-sql/row-state.ts';
import { columnList, hashedColumns, parquetSource, TABLE_SPECS } from '../../snapshot-sql/tables.ts';
import type { Connection, Database } from '../store/database.ts';
import { sha256 } from './durable.ts';
import { hashInOrder, rowHash, type TableValues } from './value-hash.ts';

/**
 * The value hash of a table that was just written, from the file as `hashTable`; but the JSON of a row whose state is
 * that of a row of the last publish is not made and hashed again. Leaves the temporary table `<table>_hashed`.
 */
export async function hashTableAgain(db: Connection, dir: string, table: StatedTable): Promise<TableValues> {
  const columns = hashedColumns(table);
  const key = columnList(TABLE_SPECS[table].key);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${table}_hashed AS
     SELECT ${key}, state, coalesce(known.row_hash, ${rowHash(columns)}) AS row_hash
     FROM ${statedRows(table, parquetSource(dir, table), 'registrations')}
     LEFT JOIN (SELECT state, row_hash FROM ${table}_row_hashes WHERE form = ${sqlLiteral(await form(db, table))}) known
       USING (state)`,
  );
  return hashInOrder(db, table, `SELECT * FROM ${table}_hashed`);
}

/** Keeps the row hashes for the next publish; needs `hashTableAgain`. One statement, so that a kill leaves old or new. */
export async function keepRowHashes(db: Connection, table: StatedTable, valueHash: string): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TABLE ${table}_row_hashes AS
     SELECT ${columnList(TABLE_SPECS[table].key)}, state, row_hash,
       ${sqlLiteral(await form(db, table))} AS form, ${sqlLiteral(valueHash)} AS value_hash
     FROM ${table}_hashed`,
  );
}

/**
 * How many trials differ between two snapshot directories, by row hashes: those of the last publish where they are of the
 * trials with value hash `valueHashA`, and those of `hashTableAgain`. Null where they are of other trials.
 */
export async function countKeptChanges(
  db: Database,
  dirs: { dirA: string; dirB: string },
  valueHashA: string,
): Promise<Manifest['changes']> {
  const kept = await db.one('SELECT form, value_hash FROM trials_row_hashes LIMIT 1');
  if (kept === null || kept.value_hash !== valueHashA || kept.form !== (await form(db, 'trials'))) return null;
  const hashes = (table: string): string => `(SELECT canonical_id AS k, row_hash FROM ${table})`;
  return countComparedTrials(db, dirs, { a: hashes('trials_row_hashes'), b: hashes('trials_hashed') });
}

/** What a kept row hash depends on beside the row: the library that writes its JSON, the columns, what a state is made of. */
async function form(db: Connection, table: StatedTable): Promise<string> {
  const library = await db.one('SELECT version() AS version');
  return sha256(`${library?.version} ${stateForm(table)}`);
}
