import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import PQueue from 'p-queue';

/**
 * A connection whose statements run one after the other. Without this queue, a statement waits for a busy connection on
 * one of the four threads of Node's pool; while four wait, no file is read and no answer is compressed.
 */
export class Turns implements AsyncDisposable {
  readonly #connection: DuckDBConnection;
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Runs the work after all work that was asked for before. */
  take<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#queue.add(() => work(this.#connection));
  }

  /** Closes the connection after all work that was asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.onIdle();
    this.#connection.closeSync();
  }
}

interface OpenedDatabase {
  instance: DuckDBInstance;
  turns: Turns;
}

/**
 * A database in memory, for reads of a snapshot's tables. It is opened, and DuckDB loaded, by the first work, so that neither a
 * search nor the start waits for it; after an opening that failed, by the next.
 */
export class LazyDatabase implements AsyncDisposable {
  readonly #memoryLimit: string;
  #opened: Promise<OpenedDatabase> | null = null;

  constructor(memoryLimit: string) {
    this.#memoryLimit = memoryLimit;
  }

  /** Runs the work after all work that was asked for before. */
  async take<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    this.#opened ??= openDatabase(this.#memoryLimit).catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return (await this.#opened).turns.take(work);
  }

  /** Closes the database after all work that was asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    await opened?.turns[Symbol.asyncDispose]();
    opened?.instance.closeSync();
  }
}

async function openDatabase(memoryLimit: string): Promise<OpenedDatabase> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  // The footers of the tables have a thousand entries, which every statement would read again.
  await connection.run('SET parquet_metadata_cache = true');
  return { instance, turns: new Turns(connection) };
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
