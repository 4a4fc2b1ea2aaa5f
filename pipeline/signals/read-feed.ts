import { createHash } from 'node:crypto';
import { DATE_BASES } from '../../contract/vocabularies.ts';
import { canonicalUrl } from './canonical-url.ts';
import { decodeText } from './charset.ts';
import { feedDate } from './feed-dates.ts';
import { FeedFault, type FeedFaultCode } from './feed-fault.ts';
import { jsonItems } from './json-feed.ts';
import { cutText, plainText } from './plain-text.ts';
import type { RawItem } from './raw-item.ts';
import { xmlItems } from './xml-feed.ts';

/** Raise this when equal bytes are read differently: all feeds are then fetched again. */
export const READER_VERSION = 1;

const TITLE_CHARACTERS_MAX = 300;
const SUMMARY_CHARACTERS_MAX = 400;
const MS_PER_DAY = 86_400_000;

export type DateBasis = (typeof DATE_BASES)[number];

export interface FeedItem {
  /** 16 hex digits of the SHA-256 of the canonical address, else of the feed and its own identifier. */
  id: string;
  /** Null for an item with an identifier but no valid link. */
  url: string | null;
  domain: string | null;
  title: string;
  summary: string | null;
  /** ISO 8601, UTC; null if the feed gives no date, an invalid one, or one more than a day in the future. */
  publishedAt: string | null;
  dateBasis: DateBasis;
}

export interface FeedReading {
  /** Distinct items, each with the best of its dates. */
  items: FeedItem[];
  /** Items without link and identifier, or without title and text. */
  refused: number;
  /** Items whose date is missing or invalid. */
  undated: number;
  /** Items dated more than a day in the future. */
  future: number;
  /** Repeated items in the feed. */
  repeated: number;
  /** Characters with a broken encoding. */
  replaced: number;
}

export type FeedResult =
  | { state: 'read'; reading: FeedReading }
  | { state: 'failed'; code: FeedFaultCode; message: string };

export interface FeedSourceBytes {
  feed: string;
  body: Buffer;
  contentType: string | null;
  /** Address of the feed, against which relative links are resolved. */
  address: string;
  /** The present; dates more than a day later are not believed. */
  today: Date;
}

/** Reads the bytes of a feed. Never throws for any bytes. */
export function readFeed(source: FeedSourceBytes): FeedResult {
  try {
    const { text, replaced } = decodeText(source.body, source.contentType);
    return { state: 'read', reading: { ...itemsOf(rawItems(text, source.address), source), replaced } };
  } catch (error) {
    if (!(error instanceof FeedFault)) throw error;
    return { state: 'failed', code: error.code, message: error.message };
  }
}

function rawItems(text: string, address: string): RawItem[] {
  const first = /[^\s\ufeff]/.exec(text)?.[0];
  if (first === undefined) throw new FeedFault('not-a-feed', 'it is empty');
  return first === '{' || first === '[' ? jsonItems(text.trim(), address) : xmlItems(text, address);
}

function itemsOf(raws: readonly RawItem[], source: FeedSourceBytes): Omit<FeedReading, 'replaced'> {
  const items = new Map<string, FeedItem>();
  const counts = { refused: 0, undated: 0, future: 0, repeated: 0 };
  for (const raw of raws) {
    const read = itemOf(raw, source);
    if (read === null) {
      counts.refused += 1;
      continue;
    }
    const { dateState, ...item } = read;
    const { publishedAt, dateBasis } = item;
    const known = items.get(item.id);
    if (known !== undefined) {
      counts.repeated += 1;
      if (dateRank(item) < dateRank(known)) items.set(item.id, { ...known, publishedAt, dateBasis });
      continue;
    }
    if (dateState === 'none') counts.undated += 1;
    if (dateState === 'future') counts.future += 1;
    items.set(item.id, item);
  }
  return { items: [...items.values()], ...counts };
}

interface DatedItem extends FeedItem {
  dateState: 'stated' | 'none' | 'future';
}

function itemOf(raw: RawItem, { feed, today }: FeedSourceBytes): DatedItem | null {
  const link = canonicalUrl(raw.link, raw.base);
  const guid = raw.guid.trim();
  const summary = plainText(raw.summary);
  const title = plainText(raw.title) || summary;
  if ((link === null && guid === '') || title === '') return null;
  return {
    id: createHash('sha256')
      .update(link === null ? `${feed}\n${guid}` : link.key)
      .digest('hex')
      .slice(0, 16),
    url: link?.url ?? null,
    domain: link?.domain ?? null,
    title: cutText(title, TITLE_CHARACTERS_MAX),
    summary: summary === '' ? null : cutText(summary, SUMMARY_CHARACTERS_MAX),
    ...statedDate(raw, today),
  };
}

function statedDate(raw: RawItem, today: Date): Pick<DatedItem, 'publishedAt' | 'dateBasis' | 'dateState'> {
  const limit = today.getTime() + MS_PER_DAY;
  const none = { publishedAt: null, dateBasis: 'first_seen' } as const;
  const published = feedDate(raw.published);
  const updated = feedDate(raw.updated);
  const stated = published ?? updated;
  if (stated === null) return { ...none, dateState: 'none' };
  if (stated.getTime() > limit) return { ...none, dateState: 'future' };
  const dateBasis = published === null ? 'updated' : 'published';
  return { publishedAt: stated.toISOString(), dateBasis, dateState: 'stated' };
}

/** Sort key of a date, better ones first: published, updated, none; then the earlier. */
export function dateRank({ publishedAt, dateBasis }: Pick<FeedItem, 'publishedAt' | 'dateBasis'>): string {
  return `${DATE_BASES.indexOf(dateBasis)}${publishedAt ?? ''}`;
}
