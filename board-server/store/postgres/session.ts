import { Kysely } from 'kysely';
import pg from 'pg';
import { SessionDialect } from '../dialect.ts';
import { bytesOf, type Sent, type Session } from '../session.ts';
import type { BoardTables } from '../tables.ts';
import { POSTGRES_TEXT } from '../text.ts';

/** The board has far fewer distinct statements; lists with many combinations of filters make most of them. */
const STATEMENTS_MAX = 500;

const OID = { bigint: 20, numeric: 1700, text: 25 } as const;

/** Integers are below 2^53, and sums of them are numeric. Texts come back as they were given. */
export const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === OID.bigint || oid === OID.numeric) return Number;
    if (oid === OID.text) return (stored: string) => POSTGRES_TEXT.given(stored);
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/**
 * Names of prepared statements, equal on all connections. After a migration a statement kept by the server may answer
 * with other columns than it did, which the server refuses: new names have all of them prepared anew.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #generation = 0;

  /** Undefined for a statement that is not kept, since there are too many. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= STATEMENTS_MAX) return known;
    const name = `board_${this.#generation}_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  renew(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}

/** One connection to the server, on which one statement runs after the other. */
export class ClientSession implements Session {
  readonly dialect = 'postgres';
  readonly db: Kysely<BoardTables>;
  readonly source: object;
  bytesWritten = 0;
  /** Told of every statement that fails. */
  onFailure: (error: unknown) => void = () => undefined;
  readonly #client: pg.ClientBase;
  readonly #names: StatementNames;
  #isLost = false;
  #hasTransaction = false;
  #last: Promise<unknown> = Promise.resolve();
  #running = 0;

  constructor(client: pg.ClientBase, names: StatementNames, source: object) {
    this.#client = client;
    this.#names = names;
    this.source = source;
    client.on('error', () => (this.#isLost = true));
    client.on('end', () => (this.#isLost = true));
    const dialect = new SessionDialect('postgres', (text, values) => this.send(text, values), { queues: false });
    this.db = new Kysely<BoardTables>({ dialect });
  }

  /** Whether the connection has ended; it never comes back. */
  get isLost(): boolean {
    return this.#isLost;
  }

  get inTransaction(): boolean {
    return this.#hasTransaction && !this.#isLost;
  }

  async send(text: string, parameters: readonly unknown[] = []): Promise<Sent> {
    const values = parameters.map((value) => (typeof value === 'string' ? POSTGRES_TEXT.storable(value) : value));
    const name = this.#names.of(text);
    const { rows, command, rowCount, fields } = await this.#alone(() =>
      this.#client.query({ text, values, ...(name === undefined ? {} : { name }) }),
    );
    if (fields.length === 0 && /^(?:INSERT|UPDATE|DELETE)$/.test(command)) this.bytesWritten += bytesOf(values);
    return { rows, changes: rowCount ?? 0 };
  }

  /** Sends statements without values in one message, which the server runs one after the other until one fails. */
  async script(text: string): Promise<pg.QueryResult[]> {
    const results = await this.#alone(() => this.#client.query(text));
    const all = Array.isArray(results) ? (results as pg.QueryResult[]) : [results];
    for (const { command } of all) {
      if (command === 'BEGIN') this.#hasTransaction = true;
      if (command === 'COMMIT' || command === 'ROLLBACK') this.#hasTransaction = false;
    }
    return all;
  }

  /** Ends the connection at once, whatever runs on it. The server is told nothing: no commit is cancelled. */
  drop(): void {
    this.#isLost = true;
    (this.#client as pg.ClientBase & { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  /** A client runs one query at a time; those that come meanwhile wait here. */
  async #alone<T>(run: () => Promise<T>): Promise<T> {
    const before = this.#running === 0 ? null : this.#last;
    this.#running += 1;
    const running = (async () => {
      if (before !== null) await before.catch(() => undefined);
      return await run();
    })();
    this.#last = running;
    try {
      return await running;
    } catch (error) {
      this.onFailure(error);
      if (!endsConnection(error)) throw error;
      this.#isLost = true;
      throw new ConnectionLost(error);
    } finally {
      this.#running -= 1;
    }
  }
}

/** Five characters that say what the server refused; empty for any other error. */
export function sqlState(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

/** The connection ended while a statement ran: whether the server has carried it out is not known. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(`the connection to the database was lost: ${(cause as Error).message}`, { cause });
    this.name = 'ConnectionLost';
  }
}

/** Whatever is not the server's plain refusal of a statement. */
function endsConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return /^(?:FATAL|PANIC)$/.test(error.severity ?? '') || /^(?:57P0[1-5]|08...|25P03)$/.test(error.code ?? '');
}

/** Whether the server keeps a statement whose columns a migration has changed since. */
export function isOutdatedPlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.includes('cached plan');
}
