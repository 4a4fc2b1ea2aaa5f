import { LRUCache } from 'lru-cache';
import type { EventAbout } from '../../contract/event-abouts.ts';
import type { EventKind } from '../../contract/ids.ts';
import { publicEventJson } from '../store/event-chain.ts';
import { type EventFilter, eventsBetween, newestEvent } from '../store/event-store.ts';
import type { Reader } from '../store/reader.ts';
import type { EventRow } from '../store/tables.ts';

/** Characters of finished pages kept in memory; the least recently asked for are dropped first. */
const KEPT_MAX_CHARACTERS = 16 * 2 ** 20;
/** Roughly what an entry holds beside its JSON. */
const ENTRY_CHARACTERS = 500;
/** Number of pages that are remembered as asked for once; when it is reached, all are forgotten. */
const ASKED_MAX_ITEMS = 5_000;

export interface FeedRange {
  /** Microseconds; events later than this. */
  after: number;
  filter: EventFilter;
  limit: number;
}

/** One page of the feed, its events as finished JSON. */
export interface FeedPage {
  /** The events, oldest first, with commas between; empty without one. */
  json: string;
  counts: Record<EventKind, number>;
  aboutCounts: Partial<Record<EventAbout, number>>;
  first: Pick<EventRow, 'hash'> | undefined;
  last: Pick<EventRow, 'ts' | 'hash'> | undefined;
  /** Whether more events follow. */
  truncated: boolean;
}

/** The newest event of the board, of whatever kind. */
export type FeedHead = Pick<EventRow, 'ts' | 'hash'> | undefined;

/**
 * Pages of the feed. Events never change and new ones come last, so a full page stays valid for ever, and any other
 * page until the next event. A page that is asked for a second time is kept, and answered later by one look at the
 * newest event. A page that is asked for once is not kept: most readers pass over the feed once, and keeping a page
 * costs memory.
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
   * One page and the newest event of one moment. The head is read first and bounds the page, so a reader of one kind
   * who continues from the head misses nothing. Rejects as the store does.
   */
  async read(db: Reader, range: FeedRange): Promise<{ page: FeedPage; head: FeedHead }> {
    const { after, filter, limit } = range;
    const head = await newestEvent(db);
    if (!head || head.ts <= after) return { page: pageOf([], limit), head };
    const key = `${after} ${limit} ${filter.about ?? filter.kind ?? ''} ${filter.about ? 'about' : 'kind'}`;
    const known = this.#kept.get(key);
    if (known && (known.page.truncated || known.head === head.ts)) return { page: known.page, head };
    const page = pageOf(await eventsBetween(db, { after, ...filter, until: head.ts, limit: limit + 1 }), limit);
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

/** The page from at most `limit` + 1 events that were read; the last of them only shows that more follow. */
function pageOf(read: readonly EventRow[], limit: number): FeedPage {
  const rows = read.slice(0, limit);
  const counts = { finding: 0, claim: 0, message: 0, link: 0 };
  const aboutCounts: FeedPage['aboutCounts'] = {};
  for (const { kind, about } of rows) {
    counts[kind] += 1;
    aboutCounts[about] = (aboutCounts[about] ?? 0) + 1;
  }
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    json: rows.map(publicEventJson).join(','),
    counts,
    aboutCounts,
    first: first && { hash: first.hash },
    last: last && { ts: last.ts, hash: last.hash },
    truncated: read.length > limit,
  };
}
