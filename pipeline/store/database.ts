import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DuckDBAppender, type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

/** A row as DuckDB's JSON reader gives it: BIGINT as string, lists and structs as arrays and objects. */
export type JsonRow = Record<string, unknown>;

export interface DatabaseOptions {
  /** Bytes DuckDB may hold before it spills to disk, e.g. `1500MB`. */
  memoryLimit?: string;
  threads?: number;
}

/**
 * What a connection to DuckDB is asked. Readers of `@duckdb/node-api` give integers as BigInt, number or string by
 * method; this class reads JSON rows only, so BIGINT arrives as a string: cast to DOUBLE or VARCHAR in the query
 * and decode in one place.
 */
export class Connection {
  protected readonly connection: DuckDBConnection;

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  async run(sql: string, parameters?: DuckDBValue[]): Promise<void> {
    await this.connection.run(sql, parameters);
  }

  /** All rows of a query whose result is known to be small. */
  async all(sql: string, parameters?: DuckDBValue[]): Promise<JsonRow[]> {
    const reader = await this.connection.runAndReadAll(sql, parameters);
    return reader.getRowObjectsJson() as JsonRow[];
  }

  /** The first row, or null. */
  async one(sql: string, parameters?: DuckDBValue[]): Promise<JsonRow | null> {
    return (await this.all(sql, parameters))[0] ?? null;
  }

  /** Rows chunk by chunk (2,048 at a time), for results of any size. */
  async *stream(sql: string, parameters?: DuckDBValue[]): AsyncGenerator<JsonRow[]> {
    const result = await this.connection.stream(sql, parameters);
    for await (const rows of result.yieldRowObjectJson()) yield rows as JsonRow[];
  }

  /**
   * Columns chunk by chunk, with no object for a row: a third of the time of `stream`, for results of a row for every
   * record. Only for VARCHAR and BOOLEAN, whose values are those of JSON.
   */
  async *streamColumns(sql: string): AsyncGenerator<(string | boolean | null)[][]> {
    const result = await this.connection.stream(sql);
    for await (const chunk of result) yield chunk.getColumns() as (string | boolean | null)[][];
  }

  async appender(table: string): Promise<DuckDBAppender> {
    return this.connection.createAppender(table);
  }
}

/** The pipeline's only door to DuckDB: a database with its main connection. */
export class Database extends Connection implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  #inTransaction = false;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    super(connection);
    this.#instance = instance;
  }

  /** Opens or creates the file; `:memory:` for none. Nothing but the built-in extensions is ever loaded. */
  static async open(path: string, options: DatabaseOptions = {}): Promise<Database> {
    if (path !== ':memory:') await mkdir(dirname(path), { recursive: true });
    const instance = await DuckDBInstance.create(path, {
      memory_limit: options.memoryLimit ?? '1500MB',
      threads: String(options.threads ?? 2),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      preserve_insertion_order: 'false',
      ...(path === ':memory:' ? {} : { temp_directory: `${path}.tmp` }),
    });
    return new Database(instance, await instance.connect());
  }

  /** Runs `work` between BEGIN and COMMIT; any failure rolls back. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inTransaction) throw new Error('a transaction is already open on this connection');
    this.#inTransaction = true;
    await this.connection.run('BEGIN TRANSACTION');
    try {
      const result = await work();
      await this.connection.run('COMMIT');
      return result;
    } catch (error) {
      await this.connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /**
   * Another connection to the same file, with temporary tables and transactions of its own, for work that goes on beside
   * this one's. Close it before this one.
   */
  async secondConnection(): Promise<SecondConnection> {
    return new SecondConnection(await this.#instance.connect());
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.#instance.closeSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** A connection beside the main one; see `Database.secondConnection`. */
export class SecondConnection extends Connection {
  close(): void {
    this.connection.closeSync();
  }
}

/** Path of the working database of a data directory. */
export function workingDatabasePath(dataDir: string): string {
  return join(dataDir, 'work', 'pipeline.duckdb');
}

/** The working database with its tables in place. */
export async function openWorkingDatabase(dataDir: string, options: DatabaseOptions = {}): Promise<Database> {
  const database = await Database.open(workingDatabasePath(dataDir), options);
  await database.run(await readFile(new URL('schema.sql', import.meta.url), 'utf8'));
  return database;
}
