import pg from 'pg';
import { NotStored, OutcomeUnknown } from '../engine.ts';
import { newestSchema } from '../migrations.ts';
import type { Session } from '../session.ts';
import type { Position } from '../transaction.ts';
import { ClocksApart, SchemaTooNew, ServerAway } from './faults.ts';
import { ClientSession, ConnectionLost, type StatementNames } from './session.ts';

/** How long a writer waits, in milliseconds. */
export interface Waits {
  /** For a connection. */
  connect: number;
  /** For another writer to end its group, also one that hangs: its statements and its commit are waited for as long. */
  head: number;
  /** For all statements of a group, once it has its turn. */
  group: number;
  /** For the commit, which may wait for a standby. */
  commit: number;
  /** For the answer to a statement outside of groups; longer than the server lets one run. */
  answer: number;
  /** At start-up, for whoever holds the head: another board that brings a large database to a newer schema takes minutes. */
  start: number;
}

export const WAITS: Waits = {
  connect: 5_000,
  head: 15_000,
  group: 15_000,
  commit: 15_000,
  answer: 20_000,
  start: 600_000,
};

/**
 * A write takes the later of its own clock and the newest time of the feed. One board whose clock is a year ahead would
 * date everything by a year from then on, for all boards and for ever.
 */
const CLOCKS_APART_MAX_MS = 60_000;

/** The channel on which every group is announced. */
export const CHANNEL = 'board';

interface HeadRow {
  ts: number;
  hash: string;
  last_time: number;
  schema: number;
  needs: number;
  /** The time of the server, in milliseconds. */
  clock: number;
}

interface LaneOptions {
  waits: Waits;
  /** Told of what says something of the store. */
  onFailure: (error: unknown) => void;
  /** The clock of this process, which must agree with that of the server; null: it is not asked. */
  clock: (() => Date) | null;
}

/**
 * One connection for writes. A group of them is one transaction that begins by locking the head of the feed: the groups
 * of all boards run one after the other, so that times grow in the order of the commits and what a write has looked up
 * stays true until it is stored.
 */
export class WriteLane {
  readonly #config: pg.ClientConfig;
  readonly #names: StatementNames;
  readonly #waits: Waits;
  readonly #onFailure: (error: unknown) => void;
  readonly #clock: (() => Date) | null;
  #session: ClientSession | null = null;
  /** Told by the server during a commit that it did not wait for its standby. */
  #unreplicated = false;
  #schema = 0;

  constructor(config: pg.ClientConfig, names: StatementNames, { waits, onFailure, clock }: LaneOptions) {
    this.#config = config;
    this.#names = names;
    this.#waits = waits;
    this.#onFailure = onFailure;
    this.#clock = clock;
  }

  async group(work: (session: Session, head: Position) => Promise<void>): Promise<void> {
    const session = await this.#connected();
    const ending = await this.#carriedOut(session, work).catch((error: unknown) => this.#fail(session, error));
    await this.#commit(session, ending);
  }

  /** Takes its turn and runs the statements of a group. Returns those that end it. */
  async #carriedOut(
    session: ClientSession,
    work: (session: Session, head: Position) => Promise<void>,
  ): Promise<string> {
    const { connect, head: turn, group } = this.#waits;
    // The server ends the wait for its turn, if it answers at all.
    const { ts, hash, last_time } = await this.#within(turn + connect, session, () => this.#begin(session));
    return this.#within(group, session, async () => {
      const head = { eventTs: ts, hash, lastTime: last_time };
      await work(session, head);
      return head.lastTime === last_time ? 'COMMIT' : endingOf(head);
    });
  }

  async close(): Promise<void> {
    await this.#session?.end();
    this.#session = null;
  }

  async #connected(): Promise<ClientSession> {
    if (this.#session !== null && !this.#session.isLost) return this.#session;
    const client = new pg.Client({ ...this.#config, connectionTimeoutMillis: this.#waits.connect });
    const session = new ClientSession(client, this.#names, {});
    try {
      await client.connect();
      await this.#within(this.#waits.connect, session, () => session.script(settingsOf(this.#waits)));
    } catch (error) {
      session.drop();
      const away = new ServerAway(error);
      this.#onFailure(away);
      throw new NotStored(away.message, { cause: away });
    }
    client.on('notice', () => (this.#unreplicated = true));
    session.onFailure = this.#onFailure;
    this.#session = session;
    return session;
  }

  async #begin(session: ClientSession): Promise<HeadRow> {
    const askedAt = this.#clock?.().getTime() ?? 0;
    const results = await session.script(
      `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ts, hash, last_time, schema, needs,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock FROM head FOR UPDATE`,
    );
    const head = results.at(-1)!.rows[0] as HeadRow;
    if (head.needs > newestSchema()) this.#refuse(new SchemaTooNew());
    if (this.#clock !== null) {
      // Between the two readings the server may have waited for another writer.
      const apartMs = Math.max(askedAt - head.clock, head.clock - this.#clock().getTime());
      if (apartMs > CLOCKS_APART_MAX_MS) this.#refuse(new ClocksApart(apartMs));
    }
    if (head.schema !== this.#schema) this.#names.renew();
    this.#schema = head.schema;
    return head;
  }

  #refuse(error: Error): never {
    this.#onFailure(error);
    throw error;
  }

  /** Asks for the commit and waits for its answer. Once it is asked for, only the answer says that it failed. */
  async #commit(session: ClientSession, ending: string): Promise<void> {
    this.#unreplicated = false;
    let ended: string | undefined;
    try {
      ended = (await this.#within(this.#waits.commit, session, () => session.script(ending))).at(-1)?.command;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) return await this.#fail(session, error);
      session.drop();
      throw new OutcomeUnknown('the database did not answer the commit', { cause: error });
    }
    if (ended !== 'COMMIT') throw new NotStored('nothing was stored: the database rolled the transaction back');
    if (this.#unreplicated) throw new OutcomeUnknown('the database did not wait for its standby');
  }

  /** Drops the connection where `work` takes longer than allowed; what runs on it then fails. */
  async #within<T>(milliseconds: number, session: ClientSession, work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => session.drop(), milliseconds);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the transaction of a group that failed; the connection goes with it where that fails too. */
  async #fail(session: ClientSession, error: unknown): Promise<never> {
    try {
      if (session.inTransaction) await this.#within(this.#waits.connect, session, () => session.script('ROLLBACK'));
    } catch {
      session.drop();
    }
    throw new NotStored(`nothing was stored (${(error as Error).message})`, { cause: error });
  }
}

/**
 * A limit on statements would also cancel a commit that waits for a standby, which then is visible though it may be
 * lost; so only the wait for the head is limited. A commit that is answered is on the disk, whatever the role's default.
 * What a write looks up lies in an index, in its order. A plan is kept, and one that was made while a table was new and
 * small would read and sort all of it for as long as nothing has counted its rows: 1.6 ms a claim.
 */
function settingsOf({ head, group }: Waits): string {
  return `SET statement_timeout = 0; SET jit = off; SET enable_seqscan = off; SET enable_sort = off; SET lock_timeout = ${whole(head)};
    SET idle_in_transaction_session_timeout = ${whole(group)};
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
}

/** Stores where the feed ends, tells every board, and commits. */
function endingOf({ eventTs, hash, lastTime }: Position): string {
  return `UPDATE head SET ts = ${whole(eventTs)}, hash = '${hex(hash)}', last_time = ${whole(lastTime)};
    NOTIFY ${CHANNEL}, '${whole(lastTime)}'; COMMIT`;
}

function whole(number: number): number {
  if (!Number.isSafeInteger(number)) throw new RangeError(`${number} is no whole number`);
  return number;
}

function hex(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError('the hash of an event is no SHA-256');
  return hash;
}
