import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotTable } from '../../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import { parquetSource } from '../../../snapshot/sql/tables.ts';
import type { Connection } from '../../store/database.ts';

/** Makes views of Parquet tables of the snapshot. */
export async function viewTables(
  connection: Connection,
  snapshotDir: string,
  tables: readonly SnapshotTable[],
): Promise<void> {
  for (const table of tables) await connection.run(`CREATE VIEW ${table} AS FROM ${parquetSource(snapshotDir, table)}`);
}

/** Makes views of the snapshot's Parquet tables, and the tables of rows and members; returns how many trials there are. */
export async function openTrialTables(connection: Connection, snapshotDir: string): Promise<number> {
  const tables = ['trials', 'registrations', 'identifiers', 'links', 'relations', 'publications'] as const;
  await viewTables(connection, snapshotDir, tables);
  await connection.run(await queryText('image-tables.sql'));
  const counted = await connection.one('SELECT CAST(count(*) AS DOUBLE) AS trials FROM trial_rows');
  return Number(counted?.trials);
}

/** The text of a query in this folder, with `given` for each {name} in it. */
export async function queryText(file: string, given: Readonly<Record<string, string | number>> = {}): Promise<string> {
  let sql = await readFile(new URL(file, import.meta.url), 'utf8');
  for (const [name, text] of Object.entries(given)) sql = sql.replaceAll(`{${name}}`, () => String(text));
  return sql;
}

/** Trials whose parts are sorted at a time. */
const BUCKET_ROWS = 20_000;
/** Rows that a thread gathers over all buckets before it hands them to the files. */
const FLUSH_ROWS = 2048;
/** Text that the file of a bucket gathers before it is written. */
const GATHERED = '4MB';
/** Rows whose texts are taken out of DuckDB at once. */
const ROWS_AT_ONCE = 128;

/** What a query gives for a row: each part with the columns of the query after "row". */
export interface RowParts {
  row: number;
  parts: unknown[][];
}

/**
 * The parts of a query, whose first column is "row", in the order of the rows and then of the columns `order`. DuckDB's sort runs out of
 * memory with the texts of every registration, although it may spill. So the parts are first written to a file for each range of rows,
 * and then sorted range by range; memory does not grow with the number of trials. `folder` is created and must not exist.
 */
export async function* streamByRow(
  connection: Connection,
  sql: string,
  folder: string,
  order: readonly string[],
): AsyncGenerator<RowParts> {
  await mkdir(folder);
  await connection.run(`SET partitioned_write_flush_threshold = ${FLUSH_ROWS}`);
  await connection.run(
    `COPY (SELECT *, "row" // ${BUCKET_ROWS} AS bucket FROM (${sql})) TO ${sqlLiteral(folder)}
       (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE_BYTES '${GATHERED}', PARTITION_BY (bucket))`,
  );
  // DuckDB names the folders `bucket=<number>`.
  const numberOf = (name: string): number => Number(name.slice(name.indexOf('=') + 1));
  const buckets = (await readdir(folder)).sort((a, b) => numberOf(a) - numberOf(b));
  for (const bucket of buckets) {
    let open: RowParts = { row: -1, parts: [] };
    const chunks = connection.streamColumns(
      `FROM read_parquet(${sqlLiteral(join(folder, bucket, '*.parquet'))}, hive_partitioning = false)
       ORDER BY ${['row', ...order].map((column) => `"${column}"`).join(', ')}`,
      ROWS_AT_ONCE,
    );
    for await (const [rows, ...columns] of chunks) {
      for (const [place, row] of (rows as unknown as number[]).entries()) {
        if (open.row !== row) {
          if (open.parts.length > 0) yield open;
          open = { row, parts: [] };
        }
        open.parts.push(columns.map((column) => column[place]));
      }
    }
    if (open.parts.length > 0) yield open;
    await rm(join(folder, bucket), { recursive: true });
  }
}
