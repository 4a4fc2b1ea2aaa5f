import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DescribedTable, SNAPSHOT_TABLE_DESCRIPTIONS } from '../../../contract/fields/snapshot-tables.ts';
import { type Manifest, SNAPSHOT_TABLES } from '../../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import { columnComment, schemaDocument } from '../../../snapshot/sql/row-schema.ts';
import type { Effects } from '../../effects.ts';
import { withSpace } from '../../space.ts';
import { withScratchDatabase } from '../../store/scratch-database.ts';
import { type FileSum, settleFile } from '../durable.ts';

export const SCHEMA_FILE = 'schema.json';
export const DATABASE_FILE = 'snapshot.duckdb';

/** The tables of a snapshot as a manifest states them; one that a version does not have is left out. */
type DescribedSnapshot = Pick<Manifest, 'tables' | 'storedChanges' | 'superseded'>;

/** The tables with their files, in the order of the descriptions. */
function filesByTable({ tables, storedChanges, superseded }: DescribedSnapshot): Map<DescribedTable, FileSum[]> {
  const held = { ...tables, changes: storedChanges, superseded };
  const names: DescribedTable[] = [...SNAPSHOT_TABLES, 'changes', 'superseded'];
  return new Map(names.flatMap((name) => (held[name] ? [[name, held[name].files]] : [])));
}

/** Writes the files that describe the tables in `dir` to other tools, makes them durable and sums them. */
export async function writeDescriptions(
  dir: string,
  snapshot: DescribedSnapshot,
  effects: Effects,
): Promise<FileSum[]> {
  const contents: Record<string, string | Buffer> = {
    [SCHEMA_FILE]: `${JSON.stringify(schemaDocument([...filesByTable(snapshot).keys()]), null, 2)}\n`,
    [DATABASE_FILE]: await snapshotDatabase(dir, snapshot),
  };
  const sums: FileSum[] = [];
  for (const [name, content] of Object.entries(contents)) {
    await writeFile(join(dir, name), content);
    sums.push(await settleFile(dir, name, effects));
  }
  return sums;
}

/** The variable that names the folder of the files where DuckDB does not run in it. */
const FOLDER = 'snapshot';
const CURRENT = 'One row per payload of a record in registrations, exactly as received.';
const SUPERSEDED =
  'Payloads in the same files that no record in registrations names: superseded, and no part of the snapshot.';
/** Every DuckDB from 1.2 on reads it. */
const STORAGE_VERSION = 'v1.2.0';

/**
 * A DuckDB database of views over the Parquet files in `dir`, with a comment on each view and column and no rows. DuckDB
 * reads a relative path from its working directory, so the views put the variable `snapshot` before each, where it is set.
 * It is made beside the snapshot, since a fault of the disk under an open database is fatal to DuckDB and names no cause.
 */
async function snapshotDatabase(dir: string, snapshot: DescribedSnapshot): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-views-'));
  try {
    const path = join(folder, 'views.duckdb');
    await writeViews(path, dir, snapshot);
    return await readFile(path);
  } catch (error) {
    throw await withSpace(error, [tmpdir()]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeViews(path: string, dir: string, snapshot: DescribedSnapshot): Promise<void> {
  await withScratchDatabase(async (db) => {
    await db.run(`SET VARIABLE ${FOLDER} = ${sqlLiteral(dir)};
      ATTACH ${sqlLiteral(path)} AS described (STORAGE_VERSION ${sqlLiteral(STORAGE_VERSION)})`);
    // One transaction, because each is written to the disk on its own.
    await db.run('BEGIN');
    const filesOf = new Map([...filesByTable(snapshot)].map(([table, files]) => [table, fromFiles(files)]));
    for (const [table, from] of filesOf) if (table !== 'raw') await addView(db, table, from, textOf(table));
    const payloads = placed(filesOf.get('raw')!);
    // A view cannot name another one: the database has any name where it is attached.
    const superseded = `(SELECT file, place FROM ${filesOf.get('superseded')}) USING (file, place)`;
    await addView(db, 'raw', `${payloads} ANTI JOIN ${superseded}`, CURRENT);
    await addView(db, 'raw_superseded', `${payloads} SEMI JOIN ${superseded}`, SUPERSEDED);
    await db.run('COMMIT; DETACH described');
  });
}

type Runner = { run(sql: string): Promise<unknown> };

async function addView(db: Runner, view: string, from: string, comment: string): Promise<void> {
  const table = (view === 'raw_superseded' ? 'raw' : view) as DescribedTable;
  const comments = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns.map(
    (column) => `COMMENT ON COLUMN described.${view}."${column.name}" IS ${sqlLiteral(columnComment(column))}`,
  );
  await db.run(`CREATE VIEW described.${view} AS SELECT ${view.startsWith('raw') ? '* EXCLUDE (file, place)' : '*'} FROM ${from};
    COMMENT ON VIEW described.${view} IS ${sqlLiteral(comment)}; ${comments.join('; ')}`);
}

/** The payloads of the files with their places. */
function placed(from: string): string {
  const withNames = from.replace(/\)$/, ', filename = true, file_row_number = true)');
  return `(SELECT * EXCLUDE (filename, file_row_number), 'raw/' || parse_filename(filename) AS file, file_row_number AS place FROM ${withNames})`;
}

function fromFiles(files: readonly FileSum[]): string {
  const paths = files.map(({ path }) => `coalesce(getvariable('${FOLDER}') || '/', '') || ${sqlLiteral(path)}`);
  return `read_parquet([${paths.join(', ')}])`;
}

function textOf(table: DescribedTable): string {
  const { row, meaning } = SNAPSHOT_TABLE_DESCRIPTIONS[table];
  return `One row per ${row}: ${meaning}.`;
}
