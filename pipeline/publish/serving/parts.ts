import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Connection } from '../../store/database.ts';

/** Columns of a chunk of rows; the first column is the row of each part's trial. */
export type PartColumns = readonly (readonly unknown[])[];

/**
 * The columns of a query in this folder, chunk by chunk. `given` has the SQL for each {name} in the file. Until the
 * end, the connection can do nothing else.
 */
export async function* streamParts(
  connection: Connection,
  file: string,
  given: Readonly<Record<string, string>> = {},
): AsyncGenerator<PartColumns> {
  const sql = await partsQuery(file, given);
  for await (const columns of connection.streamColumns(sql)) if (columns[0]!.length > 0) yield columns;
}

/** The text of a query in this folder, with `given` for each {name} in it. */
export async function partsQuery(file: string, given: Readonly<Record<string, string>> = {}): Promise<string> {
  let sql = await readFile(new URL(file, import.meta.url), 'utf8');
  for (const [name, text] of Object.entries(given)) sql = sql.replaceAll(`{${name}}`, text);
  return sql;
}

/** Takes parts, which come in the order of their trials' rows, trial by trial. Holds a chunk or two. */
export class PartCursor {
  readonly #chunks: AsyncGenerator<PartColumns>;
  readonly #held: PartColumns[] = [];
  #at = 0;
  #readTo = -1;

  constructor(chunks: AsyncGenerator<PartColumns>) {
    this.#chunks = chunks;
  }

  /** Reads until all parts of the trials up to `row` are held. */
  async readThrough(row: number): Promise<void> {
    while (this.#readTo <= row) {
      const next = await this.#chunks.next();
      if (next.done) this.#readTo = Number.POSITIVE_INFINITY;
      else {
        this.#held.push(next.value);
        this.#readTo = next.value[0]!.at(-1) as number;
      }
    }
  }

  /**
   * Calls `handOver` with the place of each part of the trial in `row`. Call in ascending order, after `readThrough`.
   */
  take(row: number, handOver: (columns: PartColumns, place: number) => void): void {
    for (let columns = this.#held[0]; columns !== undefined; columns = this.#held[0]) {
      const rows = columns[0] as readonly number[];
      for (; this.#at < rows.length; this.#at++) {
        const next = rows[this.#at] as number;
        if (next > row) return;
        if (next < row) throw new Error(`row ${next} has parts but no registration`);
        handOver(columns, this.#at);
      }
      this.#held.shift();
      this.#at = 0;
    }
  }
}

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
