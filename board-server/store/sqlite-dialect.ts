import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** What one statement did: its rows, or how many rows it changed. */
export interface Sent {
  rows: unknown[];
  changes: number;
}

/** Runs one statement and answers before it returns, as SQLite does. */
export type Send = (text: string, parameters: readonly unknown[]) => Sent;

/**
 * Kysely over one connection that keeps its prepared statements. Kysely's own SQLite dialect prepares every query anew,
 * which took a sixth of the time of a write.
 */
export class ConnectionDialect implements Dialect {
  readonly #send: Send;
  readonly #queues: boolean;

  /** `queues`: a transaction makes the other queries wait. Leave it out where nothing else runs beside one. */
  constructor(send: Send, options: { queues: boolean }) {
    this.#send = send;
    this.#queues = options.queues;
  }

  createDriver(): Driver {
    return new ConnectionDriver(this.#send);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return this.#queues ? new SqliteAdapter() : new UnqueuedAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Kysely puts a queue before a connection whose adapter does not allow several. */
class UnqueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, changes } = send(sql, parameters);
        return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
      },
      streamQuery() {
        throw new TypeError('rows are read a page at a time, never streamed');
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    this.#send('BEGIN', []);
  }

  async commitTransaction(): Promise<void> {
    this.#send('COMMIT', []);
  }

  async rollbackTransaction(): Promise<void> {
    this.#send('ROLLBACK', []);
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
