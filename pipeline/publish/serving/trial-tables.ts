import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Database } from '../../store/database.ts';

/** Tables that the trials of an image are made from. */
const TRIAL_TABLES = ['trials', 'registrations', 'identifiers', 'links', 'relations', 'publications'] as const;

/**
 * Makes views of the snapshot's Parquet tables, and the tables of rows and members; returns how many trials there are.
 */
export async function openTrialTables(database: Database, snapshotDir: string): Promise<number> {
  await viewTables(database, snapshotDir, TRIAL_TABLES);
  await database.run(await readFile(new URL('trial-rows.sql', import.meta.url), 'utf8'));
  await refuseStrays(database);
  const counted = await database.one('SELECT CAST(count(*) AS DOUBLE) AS trials FROM trial_rows');
  return Number(counted?.trials);
}

/** Makes Parquet tables of the snapshot views of `database`. */
export async function viewTables(database: Database, snapshotDir: string, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const files = (await tableFiles(snapshotDir, table)).map(sqlLiteral).join(', ');
    await database.run(`CREATE VIEW ${table} AS FROM read_parquet([${files}])`);
  }
}

/**
 * Throws unless each registration belongs to one trial, or is superseded by one that does, and each trial has a registration: others would
 * be lost or counted twice.
 */
async function refuseStrays(database: Database): Promise<void> {
  const stray = await database.one(`
    SELECT r.id, CAST(count(m.canonical_id) AS DOUBLE) AS trials
    FROM registrations r LEFT JOIN all_members m ON m.registry = r.registry AND m.registration_id = r.id
    GROUP BY r.registry, r.id HAVING count(m.canonical_id) <> 1 ORDER BY r.id LIMIT 1`);
  if (stray !== null) {
    throw new Error(`registration ${stray.id} belongs to ${stray.trials} trials instead of one; ${AGAIN}`);
  }
  const empty = await database.one(`
    SELECT canonical_id, coalesce(registration_id, 'none') AS named
    FROM trial_rows LEFT JOIN members m USING (canonical_id)
    ANTI JOIN registrations r ON m.registry = r.registry AND m.registration_id = r.id
    ORDER BY canonical_id LIMIT 1`);
  if (empty === null) return;
  throw new Error(
    `trial ${empty.canonical_id} names the registration ${empty.named}, which the registrations table does not hold; ${AGAIN}`,
  );
}

const AGAIN = 'make the tables again from the dedup stage on';

/** The Parquet files of a table, `<table>.parquet` or `<table>-<part>.parquet`, in name order. */
async function tableFiles(snapshotDir: string, table: string): Promise<string[]> {
  const own = new RegExp(`^${table}(-\\w+)?\\.parquet$`);
  const files = (await readdir(snapshotDir)).filter((name) => own.test(name)).sort();
  if (files.length === 0) {
    throw new Error(`${snapshotDir} holds no ${table}.parquet: write the snapshot's tables before its serving image`);
  }
  return files.map((name) => join(snapshotDir, name));
}
