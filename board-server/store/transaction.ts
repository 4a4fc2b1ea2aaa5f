import type { Insertable, Kysely } from 'kysely';
import { BASE_32 } from '../../contract/base-32.ts';
import { TOKEN_BYTES } from '../../server-kit/hashing.ts';
import type { BoardEffects } from './effects.ts';
import { chained, type NewEvent } from './event-chain.ts';
import { insertEvent } from './event-store.ts';
import { toIso, toMicros } from './instants.ts';
import { insertOutbox } from './outbox-store.ts';
import { type PreparedWrite, type PreparedWriter, preparedInsert } from './prepared.ts';
import { Reader } from './reader.ts';
import type { Session } from './session.ts';
import type { BoardTables, EventRow } from './tables.ts';

/** 11 letters hold 55 bits, the time of creation; 7 more keep ids of two boards apart. */
const ID_TIME_LETTERS = 11;
const ID_RANDOM_BYTES = 4;
const ID_RANDOM_LETTERS = 7;

/** Many events at once take a microsecond each; further ahead of its clock an event is dated by the one before it. */
const AHEAD_MAX_MICROS = 1_000_000;

/** Head of the feed: the newest event, and the latest time taken by any write. */
export interface Position {
  eventTs: number;
  hash: string;
  lastTime: number;
}

/** One atomic write: rows, events, outbox and idempotency are stored together or not at all. */
export class Transaction extends Reader implements PreparedWriter {
  readonly insertInto: Kysely<BoardTables>['insertInto'];
  readonly updateTable: Kysely<BoardTables>['updateTable'];
  readonly deleteFrom: Kysely<BoardTables>['deleteFrom'];
  /** The clock's time in microseconds; for leases and ages. */
  readonly now: number;
  /** Head of the feed after this write. */
  readonly position: Position;
  /** Events of this write, to be announced once it is on the disk. */
  readonly announced: Pick<EventRow, 'ts' | 'kind' | 'about'>[] = [];
  readonly #session: Session;
  readonly #random: BoardEffects['random'];
  readonly #bytesBefore: number;

  constructor(session: Session, reached: Position, effects: BoardEffects) {
    super(session);
    const { db } = session;
    this.insertInto = db.insertInto.bind(db);
    this.updateTable = db.updateTable.bind(db);
    this.deleteFrom = db.deleteFrom.bind(db);
    this.now = toMicros(effects.now());
    this.position = { ...reached };
    this.#session = session;
    this.#random = effects.random;
    this.#bytesBefore = session.bytesWritten;
  }

  /** Bytes of the values that this write has stored so far. */
  get bytesStored(): number {
    return this.#session.bytesWritten - this.#bytesBefore;
  }

  /** Inserts one row. Unique indexes refuse a row that is there already. */
  async insert<Table extends keyof BoardTables>(table: Table, row: Insertable<BoardTables[Table]>): Promise<void> {
    await this.run(insertOf(table, row), row);
  }

  /** Runs a prepared write. */
  async run<Values extends object>(write: PreparedWrite<Values>, values: Values): Promise<void> {
    const { text, parameters } = write.bound(values, this.#session.dialect);
    this.#session.sendLater(text, parameters);
  }

  /** Takes the next time of the feed, larger than every one before it even when the clock stands still or jumps back. */
  nextTime(): number {
    this.position.lastTime = Math.max(this.now, this.position.lastTime + 1, this.position.eventTs + 1);
    return this.position.lastTime;
  }

  /** Appends an event at a time from `nextTime`, chained by hash to the one before it, and its outbox row. */
  async appendEvent(ts: number, event: NewEvent): Promise<EventRow> {
    if (ts <= this.position.eventTs) throw new RangeError('an event must be later than the one before it');
    const row = chained(ts, this.#dated(ts, event), this.position.hash);
    await insertEvent(this, row);
    if (event.webhookEvent !== null) await insertOutbox(this, row.ts, event.webhookEvent);
    this.position.eventTs = ts;
    this.position.hash = row.hash;
    this.announced.push(row);
    return row;
  }

  /** Times never go back; an event later than its clock therefore says what its clock showed. */
  #dated(ts: number, event: NewEvent): NewEvent {
    if (ts - this.now <= AHEAD_MAX_MICROS) return event;
    return { ...event, data: { ...event.data, clock: toIso(this.now) } };
  }

  /** `<prefix>_` and 18 letters, sorting by time. */
  newId(prefix: string, ts: number): string {
    const random = this.#random(ID_RANDOM_BYTES).readUInt32BE();
    return `${prefix}_${letters(ts, ID_TIME_LETTERS)}${letters(random, ID_RANDOM_LETTERS)}`;
  }

  /** The fields that nearly every new row begins with: its id, its time in the feed, and the hash of its address. */
  newRow(prefix: string, ts: number, address: string) {
    return { id: this.newId(prefix, ts), seq: ts, address_hash: address, created_at: ts };
  }

  /** 32 random bytes, base64url. */
  newToken(): string {
    return this.#random(TOKEN_BYTES).toString('base64url');
  }
}

/** Inserts by table and the names of the columns that they give. */
const INSERTS = new Map<string, PreparedWrite<object>>();

function insertOf(table: keyof BoardTables, row: object): PreparedWrite<object> {
  const name = `${table} ${Object.keys(row)}`;
  let insert = INSERTS.get(name);
  if (insert === undefined) {
    insert = preparedInsert(table) as unknown as PreparedWrite<object>;
    INSERTS.set(name, insert);
  }
  return insert;
}

/** A number as lower-case Crockford base 32 of a fixed width. */
function letters(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < width; place += 1) {
    // Times have more than 32 bits, which is all that bit operators take.
    text = BASE_32[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
