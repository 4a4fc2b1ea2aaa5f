import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import PQueue from 'p-queue';

/**
 * A connection whose work takes turns here. A statement that finds its connection busy waits for it on one of the four
 * threads of Node's pool, and while four wait no file is read and no answer of any request is compressed.
 */
export class Turns implements AsyncDisposable {
  readonly #connection: DuckDBConnection;
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** What the work gives, begun when all that was asked for before is done. */
  take<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#queue.add(() => work(this.#connection));
  }

  /** Closes the connection after what was asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.onIdle();
    this.#connection.closeSync();
  }
}

/** Rows of one statement, as DuckDB writes values in JSON. */
export async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[],
): Promise<Record<string, unknown>[]> {
  const reader = await connection.runAndReadAll(sql, values);
  return reader.getRowObjectsJson();
}
