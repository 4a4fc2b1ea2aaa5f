import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  type RawNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DialectName, Sent } from './session.ts';

/** Runs one statement. SQLite answers before it returns, PostgreSQL later. */
export type Send = (text: string, parameters: readonly unknown[]) => Sent | Promise<Sent>;

/**
 * Kysely over a session that keeps its prepared statements. Kysely's own SQLite dialect prepares every query anew, which
 * took a sixth of the time of a write; its PostgreSQL dialect keeps none either.
 */
export class SessionDialect implements Dialect {
  readonly #name: DialectName;
  readonly #send: Send;
  readonly #queues: boolean;

  /** `queues`: a transaction makes the other queries wait. Leave it out where nothing else runs beside one. */
  constructor(name: DialectName, send: Send, options: { queues: boolean }) {
    this.#name = name;
    this.#send = send;
    this.#queues = options.queues;
  }

  createDriver(): Driver {
    return new SessionDriver(this.#send);
  }

  createQueryCompiler(): QueryCompiler {
    return this.#name === 'sqlite' ? new SqliteQueryCompiler() : new PlainPostgresCompiler();
  }

  createAdapter(): DialectAdapter {
    if (this.#name === 'postgres') return new PostgresAdapter();
    return this.#queues ? new SqliteAdapter() : new UnqueuedAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return this.#name === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db);
  }
}

/** Kysely puts a queue before a connection whose adapter does not allow several. */
class UnqueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Leaves out the plus signs of planner.ts: they are hints for SQLite's planner, and PostgreSQL knows no plus before a
 * text.
 */
class PlainPostgresCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    const [before, after, ...more] = node.sqlFragments;
    const [operand] = node.parameters;
    if (before === '+' && after === '' && more.length === 0 && operand) this.visitNode(operand);
    else super.visitRaw(node);
  }
}

class SessionDriver implements Driver {
  readonly #connection: DatabaseConnection;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, changes } = await send(sql, parameters);
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
    await this.#send('BEGIN', []);
  }

  async commitTransaction(): Promise<void> {
    await this.#send('COMMIT', []);
  }

  async rollbackTransaction(): Promise<void> {
    await this.#send('ROLLBACK', []);
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
