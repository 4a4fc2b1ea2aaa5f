import { readFile } from 'node:fs/promises';
import type { SnapshotTable } from '../../../snapshot/format/versions/manifest.ts';
import { parquetSource } from '../../../snapshot/sql/tables.ts';
import type { Database } from '../../store/database.ts';

/** Makes views of the snapshot's Parquet tables, and the tables of rows and members; returns how many trials there are. */
export async function openTrialTables(database: Database, snapshotDir: string): Promise<number> {
  const tables = ['trials', 'registrations', 'identifiers', 'links', 'relations', 'publications'] as const;
  await viewTables(database, snapshotDir, tables);
  await database.run(await readFile(new URL('trial-rows.sql', import.meta.url), 'utf8'));
  const counted = await database.one('SELECT CAST(count(*) AS DOUBLE) AS trials FROM trial_rows');
  return Number(counted?.trials);
}

/** Makes views of Parquet tables of the snapshot. */
export async function viewTables(
  database: Database,
  snapshotDir: string,
  tables: readonly SnapshotTable[],
): Promise<void> {
  for (const table of tables) await database.run(`CREATE VIEW ${table} AS FROM ${parquetSource(snapshotDir, table)}`);
}
