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
 * One connection to the server, on which one statement runs after the other. Statements are sent without waiting for the
 * answers before them (pg's `pipeline`), so that a write costs as many ways to the server and back as it has look-ups
 * that need the one before.
 */
export class ClientSession implements Session {
  readonly dialect = 'postgres';
  readonly db: Kysely<BoardTables>;
  readonly source: object;
  bytesWritten = 0;
  /** Called with every error of a statement. */
  onFailure: (error: unknown) => void = () => undefined;
  readonly #client: pg.Client | pg.PoolClient;
  readonly #names: StatementNames;
  readonly #answerMs: number | null;
  #isLost = false;
  #hasTransaction = false;
  /** Why the server runs nothing more in the transaction that is open. */
  #abortedBy: unknown = null;

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
    const { rows, fields, command, rowCount } = (await this.#answer({ text, values, name: this.#names.of(text) }))[0]!;
    if (fields.length === 0 && /^(?:INSERT|UPDATE|DELETE)$/.test(command)) this.bytesWritten += bytesOf(values);
    return { rows, changes: rowCount ?? 0 };
  }

  /** What it fails with is thrown by the next statement that is waited for, since the transaction is then aborted. */
  sendLater(text: string, parameters: readonly unknown[] = []): void {
    const values = parameters.map(storable);
    this.bytesWritten += bytesOf(values);
    this.#answer({ text, values, name: this.#names.of(text) }).catch(() => undefined);
  }

  /** Sends statements without values in one message, which the server runs one after the other until one fails. */
  async script(text: string): Promise<pg.QueryResult[]> {
    // The statement after it may fail, and leaves the transaction open.
    if (text.startsWith('BEGIN')) this.#hasTransaction = true;
    const results = await this.#answer({ text });
    if (/^(?:COMMIT|ROLLBACK)$/.test(results.at(-1)?.command ?? '')) this.#hasTransaction = false;
    return results;
  }

  /** Ends the connection at once, whatever runs on it. The server is told nothing: no commit is cancelled. */
  drop(): void {
    this.#isLost = true;
    this.#client.connection.stream.destroy();
  }

  /** Takes leave of the server, unless the connection has ended. For a connection that no pool owns. */
  async end(): Promise<void> {
    if (!this.#isLost) await (this.#client as pg.Client).end().catch(() => undefined);
  }

  /** Results of a statement, or of each statement of a script. Drops the connection where no answer comes in time. */
  async #answer(query: pg.QueryConfig): Promise<pg.QueryResult[]> {
    let isLate = false;
    const drop = (): void => {
      isLate = true;
      this.drop();
    };
    // A network that swallows everything closes no connection.
    const timer = this.#answerMs === null ? undefined : setTimeout(drop, this.#answerMs);
    try {
      const results: pg.QueryResult | pg.QueryResult[] = await this.#client.query(query);
      return Array.isArray(results) ? results : [results];
    } catch (error) {
      throw this.#causeOf(error, isLate);
    } finally {
      clearTimeout(timer);
    }
  }

  /** After a statement that failed, the server says nothing of the reason until the transaction is ended. */
  #causeOf(error: unknown, isLate: boolean): unknown {
    this.onFailure(error);
    if (endsConnection(error)) {
      this.#isLost = true;
      return isLate ? new NoAnswer(this.#answerMs!) : new ConnectionLost(error);
    }
    if (AFTER_ABORTION.has(sqlState(error)) && this.#abortedBy !== null) return this.#abortedBy;
    this.#abortedBy = error;
    return error;
  }
}

/** What statements fail with behind one that failed: the transaction is aborted, or the statement was never prepared. */
const AFTER_ABORTION = new Set(['25P02', '26000']);

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
