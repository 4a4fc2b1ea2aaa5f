import { Kysely } from 'kysely';
import pg from 'pg';
import { SessionDialect } from '../dialect.ts';
import { bytesOf, type Sent, type Session } from '../session.ts';
import type { BoardTables } from '../tables.ts';
import { POSTGRES_TEXT } from '../text.ts';
import { type Answer, Batch, type Kept, type Statement } from './batch.ts';

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

/** What is sent by itself: statements without values, which the server runs one after the other until one fails. */
interface Script {
  script: string;
  resolve(results: pg.QueryResult[]): void;
  reject(error: unknown): void;
}

/**
 * One connection to the server, on which one statement runs after the other. Whatever is asked for without waiting goes
 * as one message (`Batch`), so that a write costs as many ways to the server and back as it has look-ups that need the
 * one before.
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
  readonly #kept: Kept = new Map();
  #waiting: (Statement | Script)[] = [];
  #running: Batch | null = null;
  #isBusy = false;
  #isLost = false;
  #hasTransaction = false;
  /** Why the server runs nothing more in the transaction that is open. */
  #abortedBy: unknown = null;

  /** `answerMs`: how long each message is waited for, after which the connection is dropped; null: for ever. */
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
    client.connection.on('parseComplete', () => this.#running?.handleParseComplete());
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
    const sent = Promise.withResolvers<Answer>();
    this.#enqueue(text, values, sent.resolve, sent.reject);
    this.#sendSoon();
    const { rows, command, count, givesRows } = await sent.promise;
    if (!givesRows && /^(?:INSERT|UPDATE|DELETE)$/.test(command)) this.bytesWritten += bytesOf(values);
    return { rows, changes: count };
  }

  /** It goes with the next statement that is waited for. */
  sendLater(text: string, parameters: readonly unknown[] = []): void {
    const values = parameters.map(storable);
    this.bytesWritten += bytesOf(values);
    this.#enqueue(text, values, ignore, ignore);
  }

  /** Sends statements without values in one message, which the server runs one after the other until one fails. */
  async script(text: string): Promise<pg.QueryResult[]> {
    // The statement after it may fail, and leaves the transaction open.
    if (text.startsWith('BEGIN')) this.#hasTransaction = true;
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult[]>();
    this.#waiting.push({ script: text, resolve, reject });
    this.#sendSoon();
    const results = await promise;
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

  #enqueue(text: string, values: unknown[], resolve: Statement['resolve'], reject: Statement['reject']): void {
    this.#waiting.push({ text, values: values.map(written), name: this.#names.of(text) ?? '', resolve, reject });
  }

  /** Once nothing more is asked for in this turn of the event loop: each await that is no message may lead to more. */
  #sendSoon(): void {
    queueMicrotask(() => process.nextTick(() => this.#sendWaiting()));
  }

  /** One message at a time; what is asked for until its answer comes is the next one. */
  #sendWaiting(): void {
    const first = this.#waiting[0];
    if (this.#isBusy || first === undefined) return;
    this.#isBusy = true;
    const limit = this.#limit();
    const answered = (error: unknown, unanswered: readonly Pick<Statement, 'reject'>[]): void => {
      clearTimeout(limit.timer);
      this.#running = null;
      this.#isBusy = false;
      if (error !== null) {
        const cause = this.#causeOf(error, limit.isLate);
        for (const { reject } of unanswered) reject(cause);
      }
      this.#sendSoon();
    };
    if ('script' in first) {
      this.#waiting.shift();
      if (endsAbortion(first.script)) this.#abortedBy = null;
      this.#client.query(first.script).then(
        (results: pg.QueryResult | pg.QueryResult[]) => {
          answered(null, []);
          first.resolve(Array.isArray(results) ? results : [results]);
        },
        (error: unknown) => answered(error, [first]),
      );
      return;
    }
    const statements = this.#nextStatements();
    if (endsAbortion(first.text)) this.#abortedBy = null;
    this.#running = new Batch(statements, this.#kept, TYPES, answered);
    this.#client.query(this.#running);
  }

  /** Up to a script, or to a rollback: the server would pass over it where a statement before it fails. */
  #nextStatements(): Statement[] {
    const end = this.#waiting.findIndex((one, at) => 'script' in one || (at > 0 && endsAbortion(one.text)));
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end) as Statement[];
  }

  /** What statements are told that failed by this. After one that failed, the server says nothing of the reason. */
  #causeOf(error: unknown, isLate: boolean): unknown {
    this.onFailure(error);
    if (endsConnection(error)) {
      this.#isLost = true;
      return isLate ? new NoAnswer(this.#answerMs!) : new ConnectionLost(error);
    }
    if (sqlState(error) === IN_FAILED_TRANSACTION && this.#abortedBy !== null) return this.#abortedBy;
    this.#abortedBy = error;
    return error;
  }

  /** Drops the connection where the answer does not come: a network that swallows everything closes none. */
  #limit(): { timer: NodeJS.Timeout | undefined; isLate: boolean } {
    const limit: { timer: NodeJS.Timeout | undefined; isLate: boolean } = { timer: undefined, isLate: false };
    if (this.#answerMs === null) return limit;
    limit.timer = setTimeout(() => {
      limit.isLate = true;
      this.drop();
    }, this.#answerMs);
    return limit;
  }
}

function ignore(): void {}

const IN_FAILED_TRANSACTION = '25P02';

function endsAbortion(text: string): boolean {
  return text.startsWith('ROLLBACK') || text.startsWith('BEGIN');
}

/** A value as the server reads it; lists are of texts. */
function written(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
  if (typeof value === 'object')
    throw new TypeError('a statement takes texts, numbers, truth values and lists of texts');
  return String(value);
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
