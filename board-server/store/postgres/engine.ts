import { Kysely } from 'kysely';
import pg from 'pg';
import { SessionDialect } from '../dialect.ts';
import type { Engine } from '../engine.ts';
import { NotStored } from '../engine.ts';
import { Reader } from '../reader.ts';
import { type Sealer, sealerOf } from '../sealed.ts';
import type { Sent, Session } from '../session.ts';
import type { BoardTables } from '../tables.ts';
import type { Position } from '../transaction.ts';
import type { FaultKind } from '../write-health.ts';
import { configOf, connect } from './connect.ts';
import { faultOf, LOCK_NOT_AVAILABLE, openingFault, ServerAway } from './faults.ts';
import { WAITS, type Waits, WriteLane } from './lane.ts';
import { migrateDatabase } from './migrate.ts';
import { Notices } from './notices.ts';
import { ClientSession, ConnectionLost, isOutdatedPlan, StatementNames, sqlState } from './session.ts';

/** Reads at the same time; more of them wait for a connection. */
const READ_CONNECTIONS = 8;
/** A read that takes longer is cancelled by the server; nothing a board reads should take a tenth of it. */
const READ_MAX_MS = 15_000;
/**
 * What the connections of the pool write is leases of webhooks alone, which need not last. A lease that a crash of the
 * server takes back loses no delivery: the cursor of a subscription is moved by the write lane, whose commits are on the
 * disk, and by nobody whose lease is not in the row any more, holder and fence number. Were such a commit to wait for a
 * standby that is away, eight leases would hold up every read.
 */
const POOL_SETTINGS = `SET statement_timeout = ${READ_MAX_MS}; SET synchronous_commit = off`;

interface PostgresOptions {
  waits?: Partial<Waits> | undefined;
  listens?: boolean | undefined;
  clock?: (() => Date) | undefined;
}

/**
 * The board in a database of PostgreSQL, which any number of boards share. Writes go through one connection of this
 * process, reads through a pool, all of them to the primary: a read after a write sees it.
 */
export class PostgresEngine implements Engine {
  readonly sealer: Sealer;
  readonly read: Session;
  onFailure: (error: unknown) => void = () => undefined;
  readonly #pool: pg.Pool;
  readonly #names = new StatementNames();
  readonly #sessions = new WeakMap<pg.PoolClient, ClientSession>();
  readonly #source = {};
  readonly #lane: WriteLane;
  readonly #config: pg.ClientConfig;
  readonly #listens: boolean;
  readonly #answerMs: number;
  #notices: Notices | null = null;

  private constructor(url: string, sealer: Sealer, waits: Waits, { listens = true, clock }: PostgresOptions) {
    const config = configOf(url);
    this.#config = config;
    this.#listens = listens;
    this.#answerMs = waits.answer;
    this.sealer = sealer;
    this.#pool = new pg.Pool({ ...config, max: READ_CONNECTIONS, connectionTimeoutMillis: waits.connect });
    // The pool removes a connection that ends while nobody uses it.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => {
      client.query(POOL_SETTINGS).catch(() => undefined);
    });
    this.#lane = new WriteLane(config, this.#names, {
      ...{ waits, clock: clock ?? null },
      onFailure: (error) => this.onFailure(error),
    });
    this.read = this.#pooled();
  }

  /**
   * Connects to a database and brings its schema up to date. Throws DatabaseFault for one that cannot be reached or
   * written to, is of a newer program, or holds something else.
   */
  static async open(url: string, keyFile: string, options: PostgresOptions = {}): Promise<PostgresEngine> {
    const waits = { ...WAITS, ...options.waits };
    const sealer = sealerOf(keyFile);
    const session = await connect(url, waits.connect, `SET lock_timeout = ${waits.start}`);
    try {
      await migrateDatabase(session, url, sealer);
    } catch (error) {
      throw openingFault(url, error);
    } finally {
      await session.end();
    }
    return new PostgresEngine(url, sealer, waits, options);
  }

  /** Each statement is a transaction of its own, and does not wait for the head of the feed. */
  get aside(): Session {
    return this.read;
  }

  watch(onChange: () => void): void {
    this.#notices = new Notices(this.#config, this.#listens, onChange);
  }

  async schema(): Promise<number> {
    const { rows } = await this.read.send('SELECT schema FROM head');
    return (rows as { schema: number }[])[0]!.schema;
  }

  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    return this.#onPool(async (session) => {
      await session.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await work(new Reader(session));
      } finally {
        // Nothing was written, so that either ending would do.
        if (session.inTransaction) await session.script('ROLLBACK');
      }
    });
  }

  async group(_isRetry: boolean, work: (session: Session, head: Position) => Promise<void>): Promise<void> {
    await this.#lane.group(work);
  }

  faultOf(error: unknown): FaultKind | null {
    return faultOf(error);
  }

  /** A lock that is held, or a server that is away, would hold up each group for as long again. */
  isHeldUp(error: unknown): boolean {
    if (!(error instanceof NotStored)) return false;
    return error.cause instanceof ServerAway || sqlState(error.cause) === LOCK_NOT_AVAILABLE;
  }

  #pooled(): Session {
    const send = (text: string, parameters: readonly unknown[] = []): Promise<Sent> =>
      this.#onPool((session) => session.send(text, parameters));
    return {
      dialect: 'postgres',
      db: new Kysely<BoardTables>({ dialect: new SessionDialect('postgres', send, { queues: false }) }),
      source: this.#source,
      bytesWritten: 0,
      inTransaction: false,
      send,
      sendLater: () => {
        throw new TypeError('a reader does not write');
      },
    };
  }

  /**
   * Runs reads on a connection of the pool; once more on another where the connection was lost, or where a migration
   * has changed what a kept statement answers.
   */
  async #onPool<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    try {
      return await this.#once(work);
    } catch (error) {
      if (isOutdatedPlan(error)) this.#names.renew();
      else if (!(error instanceof ConnectionLost)) throw error;
      return await this.#once(work);
    }
  }

  async #once<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let session = this.#sessions.get(client);
    if (session === undefined) {
      session = new ClientSession(client, this.#names, this.#source, this.#answerMs);
      this.#sessions.set(client, session);
    }
    try {
      return await work(session);
    } finally {
      client.release(session.isLost);
    }
  }

  async closeReaders(): Promise<void> {
    await this.#notices?.stop();
    if (!this.#pool.ended) await this.#pool.end();
  }

  async close(): Promise<void> {
    await this.#lane.close();
  }
}
