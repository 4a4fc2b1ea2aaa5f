import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { EventKind } from '../../contract/ids.ts';
import type { BoardEffects } from '../effects.ts';
import { canonicalJson, sha256, TOKEN_BYTES } from '../hashing.ts';
import { toMicros } from './instants.ts';
import { migrate } from './migrate.ts';
import type { BoardTables, EventRow } from './tables.ts';
import { givenTexts } from './text.ts';

/** `prev_hash` of the very first event. */
export const GENESIS_HASH = '0'.repeat(64);
/** Waiting for a lock blocks the process, so it is short: a locked file is answered as a 503 with a retry hint. */
const BUSY_TIMEOUT_MS = 250;
/** 11 letters hold 55 bits, the time of creation; 7 more keep ids of two boards apart. */
const ID_TIME_LETTERS = 11;
const ID_RANDOM_BYTES = 4;
const ID_RANDOM_LETTERS = 7;
/** Bounds how long the first of a group waits for the last. */
const GROUP_MAX_WRITES = 64;

interface WaitingWrite {
  work: (tx: BoardTransaction) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface NewEvent {
  kind: EventKind;
  /** `created` or what happened to the object. */
  action: string;
  objectId: string;
  agentName: string;
  /** What the feed shows beside these: small, public, JSON. */
  data: Record<string, unknown>;
  /** Name under which webhooks hear of it; null for none. */
  webhookEvent: string | null;
}

/** One write, atomic: rows, events, outbox and idempotency stand or fall together. */
export interface BoardTransaction {
  db: Kysely<BoardTables>;
  /** The clock's present in microseconds; for leases and ages. */
  now: number;
  /** Takes the next time of the feed, larger than every one before it even when the clock stands still or jumps back. */
  nextTime(): number;
  /** Appends an event at a time from `nextTime`, chained by hash to the one before it, and its outbox rows. */
  appendEvent(ts: number, event: NewEvent): Promise<EventRow>;
  /** `<prefix>_` and 18 letters, sorting by time. */
  newId(prefix: string, ts: number): string;
  /** 32 random bytes, base64url. */
  newToken(): string;
}

/**
 * The board's file. One writer connection, one reader connection; better-sqlite3 is synchronous, so a write never
 * yields to another in its middle. WAL with synchronous=FULL: a write that was answered is on the disk.
 */
export class Board implements AsyncDisposable {
  /** For reads only; its connection is opened read-only. */
  readonly read: Kysely<BoardTables>;
  /** `event` is emitted after the commit of each event, with its time. */
  readonly committed = new EventEmitter<{ event: [number] }>();
  readonly effects: BoardEffects;
  readonly #write: Kysely<BoardTables>;
  /** Time and hash of the newest event; moved on by writes, set back when they fail. */
  #head: { ts: number; hash: string };
  #waiting: WaitingWrite[] = [];
  #draining: Promise<void> | null = null;

  private constructor(
    read: Kysely<BoardTables>,
    write: Kysely<BoardTables>,
    effects: BoardEffects,
    head: Pick<EventRow, 'ts' | 'hash'>,
  ) {
    this.read = read;
    this.#write = write;
    this.effects = effects;
    this.#head = { ts: head.ts, hash: head.hash };
    this.committed.setMaxListeners(0);
  }

  /** Opens or creates the file. Throws BoardFileFault for one that is corrupt, read-only or of a newer program. */
  static async open(path: string, effects: BoardEffects): Promise<Board> {
    mkdirSync(dirname(path), { recursive: true });
    const write = connect(path, false);
    await migrate(write, path);
    const read = connect(path, true);
    const head = await write.selectFrom('events').select(['ts', 'hash']).orderBy('ts', 'desc').limit(1).executeTakeFirst();
    return new Board(read, write, effects, head ?? { ts: 0, hash: GENESIS_HASH });
  }

  /**
   * Runs one write; any exception rolls all of it back and rejects. Writes that wait together are committed together:
   * each in a savepoint of its own, answered only after the one commit that put them all on the disk.
   */
  write<T>(work: (tx: BoardTransaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain().finally(() => {
        this.#draining = null;
      });
    });
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets requests that arrived together queue up together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#commitGroup(this.#waiting.splice(0, GROUP_MAX_WRITES));
  }

  async #commitGroup(group: WaitingWrite[]): Promise<void> {
    const before = { ...this.#head };
    const settled: { write: WaitingWrite; value: unknown }[] = [];
    const announced: number[] = [];
    try {
      await this.#write.connection().execute(async (db) => {
        await sql`BEGIN IMMEDIATE`.execute(db);
        try {
          for (const write of group) await this.#runInSavepoint(db, write, settled, announced);
          await sql`COMMIT`.execute(db);
        } catch (error) {
          await sql`ROLLBACK`.execute(db).catch(() => undefined);
          throw error;
        }
      });
    } catch (error) {
      this.#head = before;
      for (const write of group) write.reject(error);
      return;
    }
    for (const { write, value } of settled) write.resolve(value);
    for (const ts of announced) this.committed.emit('event', ts);
  }

  async #runInSavepoint(
    db: Kysely<BoardTables>,
    write: WaitingWrite,
    settled: { write: WaitingWrite; value: unknown }[],
    announced: number[],
  ): Promise<void> {
    const before = { ...this.#head };
    const mine: number[] = [];
    await sql`SAVEPOINT one_write`.execute(db);
    try {
      const value = await write.work(this.#transaction(db, mine));
      await sql`RELEASE one_write`.execute(db);
      settled.push({ write, value });
      announced.push(...mine);
    } catch (error) {
      this.#head = before;
      // A full disk may have rolled the whole transaction back already; then this fails and ends the group.
      await sql`ROLLBACK TO one_write`.execute(db);
      await sql`RELEASE one_write`.execute(db);
      write.reject(error);
    }
  }

  #transaction(db: Kysely<BoardTables>, announced: number[]): BoardTransaction {
    const now = toMicros(this.effects.now());
    const head = this.#head;
    return {
      db,
      now,
      nextTime: () => {
        head.ts = Math.max(now, head.ts + 1);
        return head.ts;
      },
      appendEvent: async (ts, event) => {
        const row = chained(ts, event, head.hash);
        await db.insertInto('events').values(row).execute();
        if (event.webhookEvent !== null) await queueDeliveries(db, row.ts, event.webhookEvent, now);
        head.hash = row.hash;
        announced.push(ts);
        return row;
      },
      newId: (prefix, ts) =>
        `${prefix}_${letters(ts, ID_TIME_LETTERS)}${letters(this.effects.random(ID_RANDOM_BYTES).readUInt32BE(), ID_RANDOM_LETTERS)}`,
      newToken: () => this.effects.random(TOKEN_BYTES).toString('base64url'),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.read.destroy();
    await this.#write.destroy();
  }
}

function connect(path: string, readonly: boolean): Kysely<BoardTables> {
  const database = new SQLite(path, { readonly, timeout: BUSY_TIMEOUT_MS });
  if (!readonly) {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
  }
  database.pragma('foreign_keys = ON');
  return new Kysely<BoardTables>({ dialect: new SqliteDialect({ database }), plugins: [givenTexts] });
}

/** Hash over everything that the feed shows of an event, and the hash before it. */
export function chained(ts: number, event: NewEvent, prevHash: string): EventRow {
  const { kind, action, objectId, agentName } = event;
  const data = canonicalJson(event.data);
  const hash = sha256(canonicalJson({ ts, kind, action, objectId, agentName, data, prevHash }));
  return { ts, kind, action, object_id: objectId, agent_name: agentName, data, prev_hash: prevHash, hash };
}

async function queueDeliveries(db: Kysely<BoardTables>, ts: number, name: string, now: number): Promise<void> {
  const webhooks = await db.selectFrom('webhooks').select(['id', 'events']).where('state', '=', 'active').execute();
  const listening = webhooks.filter(({ events }) => (JSON.parse(events) as string[]).includes(name));
  if (listening.length === 0) return;
  await db
    .insertInto('outbox')
    .values(listening.map(({ id }) => ({ webhook_id: id, event_ts: ts, event_name: name, next_attempt_at: now }) as never))
    .execute();
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A number as lower-case Crockford base 32 of a fixed width. */
function letters(value: number, width: number): string {
  let rest = BigInt(value);
  let text = '';
  for (let place = 0; place < width; place += 1) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}
