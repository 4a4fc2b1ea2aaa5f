import { join } from 'node:path';
import { type DescribedColumn, SNAPSHOT_TABLE_DESCRIPTIONS } from '../../../contract/snapshot-tables.ts';
import type { SnapshotTable } from '../../../snapshot-format/manifest.ts';
import { sqlLiteral } from '../../../snapshot-sql/connection.ts';
import { withScratchDatabase } from '../../store/scratch-database.ts';
import type { FileSum } from '../durable.ts';
import { type DescribedSnapshot, tablesOf } from './facts.ts';

/** The variable that names the folder of the files where DuckDB does not run in it. */
const FOLDER = 'snapshot';
const CURRENT = 'One row per payload of a record in registrations, exactly as received.';
const SUPERSEDED =
  'Payloads in the same files that no record in registrations names: superseded, and no part of the snapshot.';
/** Every DuckDB from 1.2 on reads it. */
const STORAGE_VERSION = 'v1.2.0';

/**
 * Writes a DuckDB database of views over the Parquet files in `dir`, with a comment on each view and column and no rows. DuckDB
 * reads a relative path from its working directory, so the views put the variable `snapshot` before each, where it is set.
 */
export async function writeSnapshotDatabase(dir: string, name: string, snapshot: DescribedSnapshot): Promise<void> {
  await withScratchDatabase(async (db) => {
    await db.run(`SET VARIABLE ${FOLDER} = ${sqlLiteral(dir)};
      ATTACH ${sqlLiteral(join(dir, name))} AS described (STORAGE_VERSION ${sqlLiteral(STORAGE_VERSION)})`);
    const filesOf = new Map(tablesOf(snapshot).map(({ table, files }) => [table, fromFiles(files)]));
    for (const [table, from] of filesOf) if (table !== 'raw') await addView(db, table, from, textOf(table));
    const payloads = filesOf.get('raw');
    // The registrations say which payloads are current. A view cannot name another one: the database has any name where it is attached.
    const current = `(SELECT registry, id, payload_sha256 FROM ${filesOf.get('registrations')}) USING (registry, id, payload_sha256)`;
    await addView(db, 'raw', `${payloads} SEMI JOIN ${current}`, CURRENT);
    await addView(db, 'raw_superseded', `${payloads} ANTI JOIN ${current}`, SUPERSEDED);
    await db.run('DETACH described');
  });
}

type Runner = { run(sql: string): Promise<unknown> };

async function addView(db: Runner, view: string, from: string, comment: string): Promise<void> {
  const table = (view === 'raw_superseded' ? 'raw' : view) as SnapshotTable;
  const comments = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns.map(
    (column) => `COMMENT ON COLUMN described.${view}."${column.name}" IS ${sqlLiteral(commentOf(column))}`,
  );
  await db.run(`CREATE VIEW described.${view} AS SELECT * FROM ${from};
    COMMENT ON VIEW described.${view} IS ${sqlLiteral(comment)}; ${comments.join('; ')}`);
}

function fromFiles(files: readonly FileSum[]): string {
  const paths = files.map(({ path }) => `coalesce(getvariable('${FOLDER}') || '/', '') || ${sqlLiteral(path)}`);
  return `read_parquet([${paths.join(', ')}])`;
}

function textOf(table: SnapshotTable): string {
  const { row, meaning } = SNAPSHOT_TABLE_DESCRIPTIONS[table];
  return `One row per ${row}: ${meaning}.`;
}

function commentOf({ meaning, unit, null: absent, defect }: DescribedColumn): string {
  const parts = [
    meaning,
    ...(unit === undefined ? [] : [`unit: ${unit}`]),
    ...(defect === undefined ? [] : [`known defect: ${defect}`]),
  ];
  return [...parts, absent === undefined ? 'never null' : `null: ${absent}`].join('; ');
}
