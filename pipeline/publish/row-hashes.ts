import type { Manifest } from '../../snapshot-format/manifest.ts';
import { countComparedTrials } from '../../snapshot-sql/compare.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import { registrationStateForm, type StatedTable, statedRows } from '../../snapshot-sql/row-state.ts';
import { columnList, hashedColumns, parquetSource, TABLE_SPECS } from '../../snapshot-sql/tables.ts';
import type { Connection, Database } from '../store/database.ts';
import { sha256 } from './durable.ts';
import { trialsSql } from './trials-sql.ts';
import { hashInOrder, rowHash, type TableValues } from './value-hash.ts';

/**
 * The value hash of the registrations that were just written, from the file as `hashTable`; but the JSON of a row whose state
 * is that of a row of the last publish is not made and hashed again. Leaves the temporary table `registrations_hashed`.
 */
export async function hashRegistrationsAgain(db: Connection, dir: string): Promise<TableValues> {
  const { key } = TABLE_SPECS.registrations;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE registrations_hashed AS
     SELECT ${columnList(key)}, state, coalesce(known.row_hash, ${rowHash(hashedColumns('registrations'))}) AS row_hash
     FROM ${statedRows('registrations', parquetSource(dir, 'registrations'), 'registrations')}
     LEFT JOIN (${await knownHashes(db, 'registrations')}) known USING (state)`,
  );
  return hashInOrder(db, 'registrations', 'SELECT * FROM registrations_hashed');
}

/**
 * What a trial's row follows from by trials.sql: what is its own, and all that its registrations say. Told by the SHA-256 of
 * each registration's row, so that the trials themselves need not be read.
 */
const TRIAL_STATE = `md5_number(concat_ws(' ', h.canonical_id, array_to_string(h.aliases, ','), h.ctgov_id, h.isrctn_id,
  h.founding_registry, h.founding_id, coalesce(c.row_hash, '-'), coalesce(i.row_hash, '-')))`;

/**
 * The same of the trials. Needs `defineTrials`, and the row hashes of the present registrations to be kept, whose value hash
 * is `registrations`; throws where others are. Leaves the temporary table `trials_hashed`.
 */
export async function hashTrialsAgain(db: Connection, dir: string, registrations: string): Promise<TableValues> {
  if ((await keptOf(db, 'registrations'))?.valueHash !== registrations)
    throw new Error('the kept row hashes are not those of the registrations that the trials are made from');
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
  await db.run(
    `CREATE OR REPLACE TEMP TABLE trials_hashed AS
     FROM trials_stated WHERE row_hash IS NOT NULL
     UNION ALL
     SELECT canonical_id, state, ${rowHash(hashedColumns('trials'))}
     FROM ${parquetSource(dir, 'trials')}
     JOIN (SELECT canonical_id, state FROM trials_stated WHERE row_hash IS NULL) USING (canonical_id)`,
  );
  return hashInOrder(db, 'trials', 'SELECT * FROM trials_hashed');
}

/** SQL of the row hashes of the last publish by the state of their rows; none where this code would make others. */
async function knownHashes(db: Connection, table: StatedTable): Promise<string> {
  return `SELECT state, row_hash FROM ${table}_hashes WHERE ${(await keptOf(db, table))?.isUsable === true}`;
}

/**
 * Keeps the row hashes for the next publish; needs `<table>_hashed`. Writes the rows of other states only, in one transaction,
 * so that a kill leaves old or new.
 */
export async function keepRowHashes(db: Connection, table: StatedTable, valueHash: string): Promise<void> {
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
       DELETE FROM hashed_tables WHERE table_name = ${name};
       INSERT INTO hashed_tables VALUES (${name}, ${sqlLiteral(await form(db, table))}, ${sqlLiteral(valueHash)});
       COMMIT`,
    );
  } catch (error) {
    await db.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * How many trials differ between two snapshot directories, by row hashes: those of the last publish where they are of the
 * trials with value hash `valueHashA`, and those of `hashTrialsAgain`. Null where they are of other trials.
 */
export async function countKeptChanges(
  db: Database,
  dirs: { dirA: string; dirB: string },
  valueHashA: string,
): Promise<Manifest['changes']> {
  const kept = await keptOf(db, 'trials');
  if (kept === null || !kept.isUsable || kept.valueHash !== valueHashA) return null;
  const hashes = (table: string): string => `(SELECT canonical_id AS k, row_hash FROM ${table})`;
  return countComparedTrials(db, dirs, { a: hashes('trials_hashes'), b: hashes('trials_hashed') });
}

/** More than so many keys are not handed over: with so many changes nothing is taken over from the parent. */
const MOST_KEYS = 100_000;

/**
 * Last column of the key of each row by which the table differs from the parent's, whose value hash is `valueHashA`: of the
 * rows that are on one side only, or not the same. Needs `<table>_hashed`, before the row hashes are kept. Null where the
 * last publish was of other rows, or where there are too many.
 */
export async function differingKeys(db: Connection, table: StatedTable, valueHashA: string): Promise<string[] | null> {
  const kept = await keptOf(db, table);
  if (kept === null || !kept.isUsable || kept.valueHash !== valueHashA) return null;
  const { key } = TABLE_SPECS[table];
  const rows = await db.all(
    `SELECT "${key.at(-1)}" AS "key" FROM ${table}_hashes a FULL JOIN ${table}_hashed b USING (${columnList(key)})
     WHERE a.row_hash IS DISTINCT FROM b.row_hash ORDER BY "key" LIMIT ${MOST_KEYS + 1}`,
  );
  return rows.length > MOST_KEYS ? null : rows.map((row) => String(row.key));
}

/** What the kept row hashes of a table are of, and whether they are what this code would make; null where there are none. */
async function keptOf(db: Connection, table: StatedTable): Promise<{ isUsable: boolean; valueHash: string } | null> {
  const row = await db.one(`SELECT form, value_hash FROM hashed_tables WHERE table_name = ${sqlLiteral(table)}`);
  return row && { isUsable: row.form === (await form(db, table)), valueHash: String(row.value_hash) };
}

/** What a kept row hash depends on beside the row: the library that writes its JSON, the columns, what a state is made of. */
async function form(db: Connection, table: StatedTable): Promise<string> {
  const library = await db.one('SELECT version() AS version');
  const registrations = registrationStateForm();
  if (table === 'registrations') return sha256(`${library?.version} ${registrations}`);
  const columns = columnList(hashedColumns('trials'));
  return sha256(`${library?.version} ${registrations} ${TRIAL_STATE} ${columns} ${await trialsSql()}`);
}
