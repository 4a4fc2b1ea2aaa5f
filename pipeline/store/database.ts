import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  BLOB,
  blobValue,
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTableFunction,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import { type DescribedColumn, SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { parquetType, REGISTRATION_COLUMNS, registrationDefinitions } from '../../snapshot/sql/fields.ts';

/** A row as DuckDB's JSON reader gives it: BIGINT as string, lists and structs as arrays and objects. */
export type JsonRow = Record<string, unknown>;

/** Rows for a statement to read, column by column, at most 2,048 in a chunk. A column holds only texts or only bytes. */
export interface ChunkSource {
  columns: Readonly<Record<string, 'text' | 'bytes'>>;
  /** The next chunk: each column's values in the order of `columns`; null after the last chunk. */
  next(): (string | Uint8Array)[][] | null;
}

type Columns = (string | boolean | null)[][];

/** Rows of a chunk of DuckDB. */
const VECTOR_ROWS = 2048;

export interface DatabaseOptions {
  /** Bytes DuckDB may hold before it spills to disk, e.g. `1500MB`. */
  memoryLimit?: string;
  threads?: number;
  /** Folder that a database in memory spills to; one in a file spills beside it. */
  spillTo?: string;
  /**
   * Rows in a row group of tables that are written; a multiple of 2,048, by default DuckDB's own 122,880. Groups that a
   * file has already stay as large as they are.
   */
  rowGroupRows?: number;
}

/**
 * A connection to DuckDB. The readers of `@duckdb/node-api` give integers as BigInt, number or string, depending on the
 * method. This class reads JSON rows only, so BIGINT arrives as a string: cast to DOUBLE or VARCHAR in the query and
 * decode in one place.
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
   * Columns chunk by chunk, without an object for each row: a third of the time of `stream`, for results with a row for
   * every record. Only for VARCHAR, BOOLEAN and INTEGER, whose values are the same in JSON. Long texts are better taken few rows at a
   * time (`most`): they outlive the engine's collections of young objects otherwise, and pile up.
   */
  async *streamColumns(sql: string, most = VECTOR_ROWS): AsyncGenerator<Columns> {
    const result = await this.connection.stream(sql);
    for await (const chunk of result) {
      if (chunk.rowCount <= most) yield chunk.getColumns() as Columns;
      else yield* piecesOf(chunk, most);
    }
  }

  async appender(table: string): Promise<DuckDBAppender> {
    return this.connection.createAppender(table);
  }

  close(): void {
    this.connection.closeSync();
  }
}

/** The columns of a chunk, `most` rows at a time. */
function* piecesOf(chunk: DuckDBDataChunk, most: number): Generator<Columns> {
  const vectors = Array.from({ length: chunk.columnCount }, (_, column) => chunk.getColumnVector(column));
  for (let first = 0; first < chunk.rowCount; first += most) {
    const rows = Array.from({ length: Math.min(most, chunk.rowCount - first) }, (_, place) => first + place);
    yield vectors.map((vector) => rows.map((row) => vector.getItem(row))) as Columns;
  }
}

/** The pipeline's only way to DuckDB: a database with its main connection. */
export class Database extends Connection implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  /** SQL that makes a new connection work in an attached file; null when there is none. */
  readonly #enter: string | null;
  readonly #sources = new Map<string, ChunkSource>();

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, enter: string | null) {
    super(connection);
    this.#instance = instance;
    this.#enter = enter;
    connection.registerTableFunction(chunkReader(this.#sources));
  }

  /**
   * While `work` runs, `SELECT * FROM given_chunks('<name>')` on any connection reads `source` once, in order, in its
   * own chunks. DuckDB has no other way for a caller to choose the chunks.
   */
  async givingChunks<T>(name: string, source: ChunkSource, work: () => Promise<T>): Promise<T> {
    if (this.#sources.has(name)) throw new Error(`given_chunks('${name}') is in use already`);
    this.#sources.set(name, source);
    try {
      return await work();
    } finally {
      this.#sources.delete(name);
    }
  }

  /** Opens or creates the file; `:memory:` for none. Nothing but the built-in extensions is ever loaded. */
  static async open(path: string, options: DatabaseOptions = {}): Promise<Database> {
    if (path !== ':memory:') await mkdir(dirname(path), { recursive: true });
    const spill = path === ':memory:' ? options.spillTo : `${path}.tmp`;
    const { rowGroupRows } = options;
    // Only an attached database takes a size of row groups.
    const instance = await DuckDBInstance.create(rowGroupRows === undefined ? path : ':memory:', {
      memory_limit: options.memoryLimit ?? '1500MB',
      threads: String(options.threads ?? 2),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      preserve_insertion_order: 'false',
      ...(spill === undefined ? {} : { temp_directory: spill }),
    });
    const connection = await instance.connect();
    if (rowGroupRows === undefined) return new Database(instance, connection, null);
    const enter = 'USE file';
    try {
      await connection.run(`ATTACH ${sqlLiteral(path)} AS file (ROW_GROUP_SIZE ${rowGroupRows}); ${enter}`);
    } catch (error) {
      connection.closeSync();
      instance.closeSync();
      throw error;
    }
    return new Database(instance, connection, enter);
  }

  /** Runs `work` between BEGIN and COMMIT; any failure rolls back. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.connection.run('BEGIN TRANSACTION');
    try {
      const result = await work();
      await this.connection.run('COMMIT');
      return result;
    } catch (error) {
      await this.connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /**
   * Another connection to the same file, with its own temporary tables and transactions, for work at the same time.
   * Close it before this one.
   */
  async secondConnection(): Promise<Connection> {
    const connection = await this.#instance.connect();
    if (this.#enter !== null) await connection.run(this.#enter);
    return new Connection(connection);
  }

  override close(): void {
    super.close();
    this.#instance.closeSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

/** The table function `given_chunks(name)`; DuckDB calls it on the JavaScript thread, between other work. */
function chunkReader(sources: ReadonlyMap<string, ChunkSource>): DuckDBTableFunction {
  return DuckDBTableFunction.create({
    name: 'given_chunks',
    parameterTypes: [VARCHAR],
    bindFunction: (bind) => {
      const source = sources.get(String(bind.getParameter(0)));
      if (source === undefined) throw new Error(`given_chunks('${bind.getParameter(0)}') has no source`);
      for (const [name, kind] of Object.entries(source.columns))
        bind.addResultColumn(name, kind === 'text' ? VARCHAR : BLOB);
      bind.setBindData(source);
    },
    initFunction: (init) => init.setMaxThreads(1),
    mainFunction: (call, chunk) => {
      const columns = (call.bindData as ChunkSource).next();
      chunk.rowCount = columns?.[0]?.length ?? 0;
      if (columns === null || chunk.rowCount === 0) return;
      chunk.setColumns(
        columns.map((values) => values.map((value) => (typeof value === 'string' ? value : blobValue(value)))),
      );
    },
  });
}

/**
 * When DuckDB closes a file, it rewrites up to four neighbouring row groups of a table if their rows fit in one group
 * fewer. A day's change leaves a small group after full ones that lost some rows. With DuckDB's own group size that
 * would rewrite most of the registrations every night.
 */
const WORKING_ROW_GROUP_ROWS = 20_480;

/** Path of the working database of a data directory. */
export function workingDatabasePath(dataDir: string): string {
  return join(dataDir, 'work', 'pipeline.duckdb');
}

/** The working database with its tables in place. */
export async function openWorkingDatabase(dataDir: string, options: DatabaseOptions = {}): Promise<Database> {
  const database = await Database.open(workingDatabasePath(dataDir), {
    ...options,
    rowGroupRows: WORKING_ROW_GROUP_ROWS,
  });
  await createTables(database);
  // For fields that were added since the file was made. DuckDB cannot add a NOT NULL column; a new field comes with a new
  // NORMALISER_VERSION, so that every row is written again with its value.
  const columns = REGISTRATION_COLUMNS.map(({ column, sqlType }) => `"${column}" ${sqlType}`);
  await database.run(columns.map((one) => `ALTER TABLE registrations ADD COLUMN IF NOT EXISTS ${one};`).join('\n'));
  return database;
}

/** Tables that the stages fill as snapshots publish them; only instants are text here. */
const PUBLISHED = [
  'publications',
  'quarantine',
  'identifiers',
  'links',
  'relations',
  'canonical_ids',
  'signals',
] as const;

/** Creates the tables that the database lacks. */
export async function createTables(database: Database): Promise<void> {
  for (const table of PUBLISHED) {
    const columns: readonly DescribedColumn[] = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns;
    const definitions = columns.map(({ name, type, null: meaning }) => {
      const sqlType = type === 'instant' ? 'VARCHAR' : parquetType(type);
      return `"${name}" ${sqlType}${meaning === undefined ? ' NOT NULL' : ''}`;
    });
    await database.run(`CREATE TABLE IF NOT EXISTS ${table} (${definitions.join(', ')})`);
  }
  const schema = await readFile(new URL('schema.sql', import.meta.url), 'utf8');
  await database.run(schema.replace('{registration_columns}', registrationDefinitions()));
}
