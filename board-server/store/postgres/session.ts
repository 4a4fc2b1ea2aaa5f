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

/**
 * One connection to the server, on which one statement runs after the other. They are sent without waiting for the answer
 * to the one before (`pipeline`), so that a write costs as many ways to the server and back as it has look-ups.
 */
export class ClientSession implements Session {
  readonly dialect = 'postgres';
  readonly db: Kysely<BoardTables>;
  readonly source: object;
  bytesWritten = 0;
  /** Told of every statement that fails. */
  onFailure: (error: unknown) => void = () => undefined;
  readonly #client: pg.Client | pg.PoolClient;
  readonly #names: StatementNames;
  readonly #answerMs: number | null;
  #isLost = false;
  #hasTransaction = false;
  /** What a statement failed with that nobody waited for. */
  #unreported: unknown = null;

  /** `answerMs`: how long each statement is waited for, after which the connection is dropped; null: for ever. */
  constructor(
    client: pg.Client | pg.PoolClient,
    names: StatementNames,
    source: object,
    answerMs: number | null = null,
  ) {
    this.#client = client;
    this.#names = names;
    this.#answerMs = answerMs;
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
    const values = parameters.map(storable);
    const { rows, command, rowCount, fields } = await this.#reported(this.#query(text, values), text);
    if (fields.length === 0 && /^(?:INSERT|UPDATE|DELETE)$/.test(command)) this.bytesWritten += bytesOf(values);
    return { rows, changes: rowCount ?? 0 };
  }

  sendLater(text: string, parameters: readonly unknown[] = []): void {
    const values = parameters.map(storable);
    this.bytesWritten += bytesOf(values);
    this.#query(text, values).catch((error: unknown) => {
      this.#unreported ??= error;
    });
  }

  /** Sends statements without values in one message, which the server runs one after the other until one fails. */
  async script(text: string): Promise<pg.QueryResult[]> {
    // The statement after it may fail, and leaves the transaction open.
    if (text.startsWith('BEGIN')) this.#hasTransaction = true;
    const results = await this.#reported(this.#noted(this.#client.query(text)), text);
    const all = Array.isArray(results) ? (results as pg.QueryResult[]) : [results];
    if (/^(?:COMMIT|ROLLBACK)$/.test(all.at(-1)?.command ?? '')) this.#hasTransaction = false;
    return all;
  }

  /** Ends the connection at once, whatever runs on it. The server is told nothing: no commit is cancelled. */
  drop(): void {
    this.#isLost = true;
    (this.#client as pg.Client & { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  /** Takes leave of the server, unless the connection has ended. For a connection that no pool owns. */
  async end(): Promise<void> {
    if (!this.#isLost) await (this.#client as pg.Client).end().catch(() => undefined);
  }

  #query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const name = this.#names.of(text);
    return this.#noted(this.#client.query({ text, values, ...(name === undefined ? {} : { name }) }));
  }

  async #noted<T>(sent: Promise<T>): Promise<T> {
    const { timer, isLate } = this.#limit();
    try {
      return await sent;
    } catch (error) {
      this.onFailure(error);
      if (!endsConnection(error)) throw error;
      this.#isLost = true;
      throw isLate() ? new NoAnswer(this.#answerMs!) : new ConnectionLost(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Drops the connection where the answer does not come: a network that swallows everything closes none. */
  #limit(): { timer: NodeJS.Timeout | undefined; isLate: () => boolean } {
    let late = false;
    if (this.#answerMs === null) return { timer: undefined, isLate: () => late };
    const timer = setTimeout(() => {
      late = true;
      this.drop();
    }, this.#answerMs);
    return { timer, isLate: () => late };
  }

  /** A statement after one that failed fails as well, and says nothing of the reason; a rollback ends the matter. */
  async #reported<T>(sent: Promise<T>, text: string): Promise<T> {
    const [outcome] = await Promise.allSettled([sent]);
    const first = text.startsWith('ROLLBACK') ? null : this.#unreported;
    this.#unreported = null;
    if (first !== null) throw first;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }
}

function storable(value: unknown): unknown {
  return typeof value === 'string' ? POSTGRES_TEXT.storable(value) : value;
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

/** A statement was not answered in time, so that its connection was dropped; asking another would take as long again. */
export class NoAnswer extends Error {
  constructor(waitedMs: number) {
    super(`the database did not answer within ${waitedMs} ms`);
    this.name = 'NoAnswer';
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
