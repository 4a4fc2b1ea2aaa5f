import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Connection } from '../../store/database.ts';
import type { PartColumns } from './part-cursor.ts';

/** Trials whose parts are sorted at a time. */
const BUCKET_ROWS = 20_000;

/** Rows that a thread gathers over all buckets before it hands them to the files. */
const FLUSH_ROWS = 2048;
/** Text that the file of a bucket gathers before it is written. */
const GATHERED = '4MB';
/** Rows whose texts are taken out of DuckDB at once. */
const ROWS_AT_ONCE = 128;

/**
 * The columns of a query in the order of its column "row" and then of `order`, chunk by chunk, without those of `order`. For texts
 * of every registration: DuckDB's sort runs out of memory with them, although it may spill. So the parts are first
 * written to a file for each range of rows, and then sorted range by range; memory does not grow with the number of
 * trials. `folder` is created and must not exist.
 */
export async function* streamSortedParts(
  connection: Connection,
  sql: string,
  folder: string,
  order: readonly string[] = ['registry'],
): AsyncGenerator<PartColumns> {
  await mkdir(folder);
  await connection.run(`SET partitioned_write_flush_threshold = ${FLUSH_ROWS}`);
  await connection.run(
    `COPY (SELECT *, "row" // ${BUCKET_ROWS} AS bucket FROM (${sql})) TO ${sqlLiteral(folder)}
       (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE_BYTES '${GATHERED}', PARTITION_BY (bucket))`,
  );
  for (const bucket of await bucketsOf(folder)) {
    const files = sqlLiteral(join(bucket, '*.parquet'));
    yield* connection.streamColumns(
      `SELECT * EXCLUDE (${order.join(', ')}) FROM read_parquet(${files}, hive_partitioning = false)
       ORDER BY ${['"row"', ...order].join(', ')}`,
      ROWS_AT_ONCE,
    );
    await rm(bucket, { recursive: true });
  }
}

/** Folders of the buckets in ascending order; DuckDB names them `bucket=<number>`. */
async function bucketsOf(folder: string): Promise<string[]> {
  const numberOf = (name: string): number => Number(name.slice(name.indexOf('=') + 1));
  const names = await readdir(folder);
  return names.sort((a, b) => numberOf(a) - numberOf(b)).map((name) => join(folder, name));
}
