import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { EventKind } from '../../contract/ids.ts';
import { TOKEN_BYTES } from '../../server-kit/hashing.ts';
import { Arrivals } from '../arrivals.ts';
import type { BoardEffects } from '../effects.ts';
import { type Connection, connect, disconnect, isBusy, openWriter, WRITER } from './connection.ts';
import { indexNewTexts } from './dialect.ts';
import { chained, GENESIS_HASH, type NewEvent, storedEvent } from './event-chain.ts';
import { insertEvent, newestEvent } from './event-store.ts';
import { toMicros } from './instants.ts';
import { insertOutbox } from './outbox-store.ts';
import { runText } from './prepared.ts';
import type { BoardTables, EventRow } from './tables.ts';

/** Another process may hold the file for as long as this; then the write is answered as a 503 with a retry hint. */
const LOCK_TRIES = 10;
const LOCK_PAUSE_MS = 25;
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

/** How far the feed has come: the newest event, and the latest time that was taken for anything. */
interface Position {
  eventTs: number;
  hash: string;
  lastTime: number;
}

/** What one write of a group came to; told to its caller only once the group is on the disk. */
interface Outcome {
  settle: () => void;
  announced: { ts: number; kind: EventKind }[];
}

/** One write, atomic: rows, events, outbox and idempotency stand or fall together. */
export interface BoardTransaction {
  db: Kysely<BoardTables>;
  /** The clock's present in microseconds; for leases and ages. */
  now: number;
  /** Takes the next time of the feed, larger than every one before it even when the clock stands still or jumps back. */
  nextTime(): number;
  /** Appends an event at a time from `nextTime`, chained by hash to the one before it, and its outbox row. */
  appendEvent(ts: number, event: NewEvent): Promise<EventRow>;
  /** `<prefix>_` and 18 letters, sorting by time. */
  newId(prefix: string, ts: number): string;
  /** 32 random bytes, base64url. */
  newToken(): string;
}

/**
 * The board's file. One connection for writes, which run one after the other, several to a commit; two for reads.
 * WAL with synchronous=FULL: a write that was answered is on the disk. A second process may write to the same file:
 * each group begins with the newest event that is in the file.
 */
export class Board implements AsyncDisposable {
  /** For reads only; its connection is opened read-only. */
  readonly read: Kysely<BoardTables>;
  /** The same for single statements of prepared.ts: they see what is committed and wait for no transaction of `read`. */
  readonly feed: Kysely<BoardTables>;
  /** `event` is emitted after the commit of each event, with its time and kind. */
  readonly committed = new EventEmitter<{ event: [number, EventKind] }>();
  /** Readers that wait for the next event. */
  readonly arrivals = new Arrivals();
  readonly effects: BoardEffects;
  readonly #path: string;
  readonly #reader: Connection;
  readonly #feedReader: Connection;
  #writer: Connection;
  /** Latest time taken by a stored write, so that no time is given twice while the clock stands still. */
  #lastTime = 0;
  #closed = false;
  #waiting: WaitingWrite[] = [];
  #draining: Promise<void> | null = null;

  private constructor(
    path: string,
    reader: Connection,
    feedReader: Connection,
    writer: Connection,
    effects: BoardEffects,
  ) {
    this.#path = path;
    this.#reader = reader;
    this.read = reader.db;
    this.#feedReader = feedReader;
    this.feed = feedReader.db;
    this.#writer = writer;
    this.effects = effects;
    this.committed.setMaxListeners(0);
  }

  /** Opens or creates the file. Throws BoardFileFault for one that is damaged, locked, read-only or of a newer program. */
  static async open(path: string, effects: BoardEffects): Promise<Board> {
    mkdirSync(dirname(path), { recursive: true });
    const writer = await openWriter(path);
    return new Board(
      path,
      connect(path, { readonly: true, atOnce: false }),
      connect(path, { readonly: true, atOnce: true }),
      writer,
      effects,
    );
  }

  /**
   * Runs one write; any exception rolls all of it back and rejects. Writes that wait together are committed together:
   * each in a savepoint of its own, answered only after the one commit that put them all on the disk.
   */
  write<T>(work: (tx: BoardTransaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    try {
      // One turn of the event loop lets requests that arrived together queue up together.
      await new Promise(setImmediate);
      while (this.#waiting.length > 0) await this.#commitGroup(this.#waiting.splice(0, GROUP_MAX_WRITES));
    } finally {
      // In the same turn as the last look at the queue: a write that comes later starts the next drain.
      this.#draining = null;
    }
  }

  async #commitGroup(group: WaitingWrite[]): Promise<void> {
    const outcomes: Outcome[] = [];
    try {
      const position = await this.#inTransaction(async (db) => {
        const head = await newestEvent(db);
        const reached = { eventTs: head?.ts ?? 0, hash: head?.hash ?? GENESIS_HASH, lastTime: this.#lastTime };
        const before = this.#lastTime;
        for (const write of group) outcomes.push(await this.#runInSavepoint(db, write, reached));
        await indexNewTexts(db, Math.max(before, head?.ts ?? 0), searchedTables(outcomes));
        return reached;
      });
      this.#lastTime = position.lastTime;
    } catch (error) {
      // What waited behind a locked file has waited long enough: it would only queue up.
      const failed = isBusy(error) ? [...group, ...this.#waiting.splice(0)] : group;
      for (const write of failed) write.reject(error);
      return;
    }
    for (const { settle } of outcomes) settle();
    for (const { ts, kind } of outcomes.flatMap(({ announced }) => announced)) {
      this.arrivals.announce(kind);
      this.committed.emit('event', ts, kind);
    }
  }

  /** Runs `work` between BEGIN and COMMIT; whatever fails, the next transaction finds a connection without one. */
  async #inTransaction<T>(work: (db: Kysely<BoardTables>) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the board is closed');
    if (!this.#writer.file.open || this.#writer.file.inTransaction) await this.#reconnect();
    const { db, file } = this.#writer;
    return db.connection().execute(async (connection) => {
      await begin(connection);
      try {
        const value = await work(connection);
        await runText(connection, 'COMMIT');
        return value;
      } catch (error) {
        // SQLite may have rolled back by itself already; should this fail otherwise, the connection is replaced.
        if (file.inTransaction) await runText(connection, 'ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  /** Closing the old connection gives up whatever it still holds. */
  async #reconnect(): Promise<void> {
    await disconnect(this.#writer);
    this.#writer = connect(this.#path, WRITER);
  }

  async #runInSavepoint(db: Kysely<BoardTables>, write: WaitingWrite, reached: Position): Promise<Outcome> {
    const mine = { ...reached };
    const announced: Outcome['announced'] = [];
    await runText(db, 'SAVEPOINT one_write');
    try {
      const value = await write.work(this.#transaction(db, mine, announced));
      await runText(db, 'RELEASE one_write');
      Object.assign(reached, mine);
      return { settle: () => write.resolve(value), announced };
    } catch (error) {
      // After some faults (a full disk) SQLite has rolled back everything, the writes before this one too.
      if (!this.#writer.file.inTransaction) throw error;
      await runText(db, 'ROLLBACK TO one_write');
      await runText(db, 'RELEASE one_write');
      return { settle: () => write.reject(error), announced: [] };
    }
  }

  #transaction(db: Kysely<BoardTables>, position: Position, announced: Outcome['announced']): BoardTransaction {
    const now = toMicros(this.effects.now());
    return {
      db,
      now,
      nextTime: () => {
        position.lastTime = Math.max(now, position.lastTime + 1, position.eventTs + 1);
        return position.lastTime;
      },
      appendEvent: async (ts, event) => {
        if (ts <= position.eventTs) throw new RangeError('an event must be later than the one before it');
        const row = chained(ts, event, position.hash);
        await insertEvent(db, storedEvent(row));
        if (event.webhookEvent !== null) await insertOutbox(db, row.ts, event.webhookEvent);
        position.eventTs = ts;
        position.hash = row.hash;
        announced.push({ ts, kind: event.kind });
        return row;
      },
      newId: (prefix, ts) =>
        `${prefix}_${letters(ts, ID_TIME_LETTERS)}${letters(this.effects.random(ID_RANDOM_BYTES).readUInt32BE(), ID_RANDOM_LETTERS)}`,
      newToken: () => this.effects.random(TOKEN_BYTES).toString('base64url'),
    };
  }

  /** Lets the writes that wait be stored, then closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.arrivals.close();
    while (this.#draining !== null) await this.#draining;
    this.#closed = true;
    await disconnect(this.#reader);
    await disconnect(this.#feedReader);
    await disconnect(this.#writer);
  }
}

const TABLE_OF_KIND: Partial<Record<EventKind, string>> = { claim: 'claims', message: 'messages', finding: 'findings' };

/** Tables that a group's events may have put rows into that are searched by their text. */
function searchedTables(outcomes: readonly Outcome[]): Set<string> {
  const kinds = outcomes.flatMap(({ announced }) => announced.map(({ kind }) => kind));
  return new Set(kinds.flatMap((kind) => TABLE_OF_KIND[kind] ?? []));
}

/** Takes the write lock, waiting for another process without blocking this one. */
async function begin(db: Kysely<BoardTables>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runText(db, 'BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!isBusy(error) || tries === LOCK_TRIES) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A number as lower-case Crockford base 32 of a fixed width. */
function letters(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < width; place += 1) {
    // Times have more bits than the operators on bits take.
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
