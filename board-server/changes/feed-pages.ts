import { LRUCache } from 'lru-cache';
import type { EventKind } from '../../contract/ids.ts';
import { publicEventJson } from '../store/event-chain.ts';
import { eventsBetween, newestEvent } from '../store/event-store.ts';
import type { Reader } from '../store/reader.ts';
import type { EventRow } from '../store/tables.ts';

/** Characters of finished pages that are kept, those asked for last. */
const KEPT_MAX_CHARACTERS = 16 * 2 ** 20;
/** What an entry holds beside its JSON, about. */
const ENTRY_CHARACTERS = 500;
/** Pages that were asked for once. Begun anew when full. */
const ASKED_MAX_ITEMS = 5_000;

export interface FeedRange {
  /** Microseconds; events later than this. */
  after: number;
  kind: EventKind | null;
  limit: number;
}

/** One page of the feed, its events as finished JSON. */
export interface FeedPage {
  /** The events, oldest first, with commas between; empty without one. */
  json: string;
  counts: Record<EventKind, number>;
  first: Pick<EventRow, 'hash'> | undefined;
  last: Pick<EventRow, 'ts' | 'hash'> | undefined;
  /** Whether more events follow. */
  truncated: boolean;
}

/** The newest event of the board, of whatever kind. */
export type FeedHead = Pick<EventRow, 'ts' | 'hash'> | undefined;

/**
 * Pages of the feed. Events never change and none comes before another that is there, so a page that is full stays as it
 * is, and any other until the next event: a page that is asked for again is kept, and given for one look at the newest
 * event. One that is asked for once is not: most readers pass over the feed once, and keeping is not for nothing.
 */
export class FeedPages {
  readonly #kept: LRUCache<string, { page: FeedPage; head: number }>;
  readonly #asked = new Set<string>();

  constructor(maxCharacters = KEPT_MAX_CHARACTERS) {
    this.#kept = new LRUCache({ maxSize: maxCharacters, sizeCalculation: ({ page }) => sizeOf(page) });
  }

  /** Pages that are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * One page and the newest event at one moment: the head is read first and bounds the page, so that a reader of one
   * kind who goes on from it misses nothing. Rejects as the store does.
   */
  async read(db: Reader, range: FeedRange): Promise<{ page: FeedPage; head: FeedHead }> {
    const { after, kind, limit } = range;
    const head = await newestEvent(db);
    if (!head || head.ts <= after) return { page: pageOf([], limit), head };
    const key = `${after} ${limit} ${kind ?? ''}`;
    const known = this.#kept.get(key);
    if (known && (known.page.truncated || known.head === head.ts)) return { page: known.page, head };
    const page = pageOf(await eventsBetween(db, { after, until: head.ts, kind, limit: limit + 1 }), limit);
    this.#kept.delete(key);
    if (this.#asked.has(key)) this.#kept.set(key, { page, head: head.ts });
    else this.#noteAsked(key);
    return { page, head };
  }

  #noteAsked(key: string): void {
    if (this.#asked.size >= ASKED_MAX_ITEMS) this.#asked.clear();
    this.#asked.add(key);
  }
}

function sizeOf({ json }: FeedPage): number {
  return json.length + ENTRY_CHARACTERS;
}

/** Of `limit` events and, where more follow, the next. */
function pageOf(read: readonly EventRow[], limit: number): FeedPage {
  const rows = read.slice(0, limit);
  const counts = { finding: 0, claim: 0, message: 0, link: 0 };
  for (const { kind } of rows) counts[kind] += 1;
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    json: rows.map(publicEventJson).join(','),
    counts,
    first: first && { hash: first.hash },
    last: last && { ts: last.ts, hash: last.hash },
    truncated: read.length > limit,
  };
}
