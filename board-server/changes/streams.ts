import { setTimeout as pause } from 'node:timers/promises';
import type { Listener } from '../store/arrivals.ts';
import type { Board } from '../store/board.ts';
import { publicEventJson } from '../store/event-chain.ts';
import { type EventFilter, eventsBetween } from '../store/event-store.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';

/** Rows read at a time: bounds the memory of a stream and how long one read holds the process. */
const CHUNK_EVENTS = 500;
/** Below the idle timeout of common proxies. */
const HEARTBEAT_MS = 15_000;
/** Milliseconds after which a client whose stream broke comes back. */
const RETRY_MS = 3_000;

/** Events that come close together are sent together, so that a busy board costs each stream few reads. */
const GATHER_MS = 50;

/** Followers that catch up stand at many places; what they read is not kept beyond this. */
const SHARED_READS_MAX = 100;

const encoder = new TextEncoder();

/** Every event after `after` up to `until` as NDJSON, read as fast as it is taken. A failed read breaks the stream. */
export function exportStream(db: Reader, after: number, until: number): ReadableStream<Uint8Array> {
  let place = after;
  return new ReadableStream({
    async pull(controller) {
      const rows = await eventsBetween(db, { after: place, until, limit: CHUNK_EVENTS });
      const last = rows.at(-1);
      if (last) {
        place = last.ts;
        controller.enqueue(encoder.encode(rows.map((row) => `${publicEventJson(row)}\n`).join('')));
      }
      if (rows.length < CHUNK_EVENTS) controller.close();
    },
  });
}

/** Events later than a place as a stream sends them, and the place of the last. */
interface Told {
  bytes: Uint8Array;
  /** Null where there are none. */
  last: number | null;
}

/**
 * What followers read next. Those who stand at the same place with the same filter are told by one read until the next
 * event, so that an event costs a board one read for all of them.
 */
class NextEvents {
  readonly #board: Board;
  readonly #reads = new Map<string, Promise<Told>>();
  #announced = -1;

  constructor(board: Board) {
    this.#board = board;
  }

  after(place: number, filter: EventFilter): Promise<Told> {
    const { announced } = this.#board.arrivals;
    if (announced !== this.#announced) this.#reads.clear();
    this.#announced = announced;
    const key = JSON.stringify([place, filter.kind ?? null, filter.about ?? null]);
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const read = this.#read(place, filter);
    this.#reads.set(key, read);
    // A failed read is tried anew by the next follower.
    read.catch(() => this.#reads.delete(key));
    if (this.#reads.size > SHARED_READS_MAX) this.#reads.clear();
    return read;
  }

  async #read(after: number, filter: EventFilter): Promise<Told> {
    const range = { ...filter, after, until: Number.MAX_SAFE_INTEGER, limit: CHUNK_EVENTS };
    const rows = await eventsBetween(this.#board.read, range);
    const text = rows.map((row) => `id: ${toIso(row.ts)}\ndata: ${publicEventJson(row)}\n\n`).join('');
    return { bytes: encoder.encode(text === '' ? ': nothing new\n\n' : text), last: rows.at(-1)?.ts ?? null };
  }
}

const NEXT_EVENTS = new WeakMap<Board, NextEvents>();

function nextEventsOf(board: Board): NextEvents {
  const known = NEXT_EVENTS.get(board) ?? new NextEvents(board);
  NEXT_EVENTS.set(board, known);
  return known;
}

/**
 * Events as they come, each under its time as id, with a comment now and then so that a quiet stream is not taken for a
 * dead one. A slow client only falls behind: nothing is read before it has taken what was sent. Disposes of the listener.
 */
export function eventStream(
  board: Board,
  options: { after: number; filter: EventFilter; listener: Listener; window: unknown; signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const { filter, listener, signal } = options;
  let place = options.after;
  const cancelled = new AbortController();
  const ended = AbortSignal.any([signal, cancelled.signal]);
  return new ReadableStream({
    start(controller) {
      if (ended.aborted) listener[Symbol.dispose]();
      else ended.addEventListener('abort', () => listener[Symbol.dispose](), { once: true });
      const opening = `retry: ${RETRY_MS}\nevent: window\ndata: ${JSON.stringify(options.window)}\n\n`;
      controller.enqueue(encoder.encode(opening));
    },
    async pull(controller) {
      try {
        const told = await nextTold(board, place, filter, listener, ended);
        place = told?.last ?? place;
        if (told === null || ended.aborted || (board.arrivals.closed && told.last === null)) {
          listener[Symbol.dispose]();
          if (!cancelled.signal.aborted) controller.close();
          return;
        }
        // Each stream gives its bytes away.
        controller.enqueue(told.bytes.slice());
      } catch (error) {
        listener[Symbol.dispose]();
        throw error;
      }
    },
    cancel() {
      cancelled.abort();
    },
  });
}

/** The next events; where there are none yet, waits for at most one heartbeat. Null once it has ended. */
async function nextTold(board: Board, after: number, filter: EventFilter, listener: Listener, ended: AbortSignal) {
  const next = nextEventsOf(board);
  const told = await next.after(after, filter);
  if (told.last !== null || board.arrivals.closed) return told;
  await listener.wait(HEARTBEAT_MS, ended);
  if (!ended.aborted && !board.arrivals.closed) await pause(GATHER_MS);
  return ended.aborted ? null : next.after(after, filter);
}
