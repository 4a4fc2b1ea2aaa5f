import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FeedFault } from './feed-fault.ts';
import type { FeedSource } from './feeds.ts';
import type { FetchFeed } from './fetched.ts';
import { type FeedItem, readFeed } from './read-feed.ts';

const MAX_FILE_BYTES = 10_000_000;
const FEED_FILE = /^([a-z0-9-]+)\.(?:xml|rss|rdf|atom|json)$/;

export interface FeedDirectory {
  fetchFeed: FetchFeed;
  /** Names of files that belong to no listed feed. */
  leftOut: string[];
}

/**
 * The newest day (YYYY-MM-DD) that items of the feeds state, none after `now`; null where they state none. It is the files' own day,
 * whenever they are read.
 */
export async function newestDay(feeds: readonly FeedSource[], fetchFeed: FetchFeed, now: Date): Promise<string | null> {
  let newest: string | null = null;
  for (const feed of feeds) {
    for (const { publishedAt } of await itemsOf(feed, fetchFeed, now)) {
      if (publishedAt !== null && publishedAt <= now.toISOString() && (newest === null || publishedAt > newest))
        newest = publishedAt;
    }
  }
  return newest?.slice(0, 10) ?? null;
}

/** Empty for a feed that cannot be read, which the stage reports. */
async function itemsOf(feed: FeedSource, fetchFeed: FetchFeed, today: Date): Promise<FeedItem[]> {
  const answer = await fetchFeed(feed, { etag: null, lastModified: null, sha256: null }).catch((error: unknown) => {
    if (error instanceof FeedFault) return null;
    throw error;
  });
  if (answer?.state !== 'received') return [];
  const { body, contentType, address } = answer;
  const read = readFeed({ feed: feed.id, body, contentType, address, today });
  return read.state === 'read' ? read.reading.items : [];
}

/**
 * Feeds from files: `<feed id>.xml`, `.rss`, `.rdf`, `.atom` or `.json`; the content decides the format. Throws if the
 * directory cannot be read or holds two files of one feed.
 */
export async function openFeedDirectory(path: string, feeds: readonly FeedSource[]): Promise<FeedDirectory> {
  const files = new Map<string, string>();
  const leftOut: string[] = [];
  for (const name of (await readdir(path)).sort()) {
    const id = FEED_FILE.exec(name)?.[1];
    if (id === undefined || !feeds.some((feed) => feed.id === id)) {
      leftOut.push(name);
      continue;
    }
    const other = files.get(id);
    if (other !== undefined) throw new Error(`${path} has ${other} and ${name} for the feed ${id}; keep one`);
    files.set(id, name);
  }
  const fetchFeed: FetchFeed = async (feed) => {
    const name = files.get(feed.id);
    if (name === undefined) return null;
    const file = join(path, name);
    if ((await stat(file)).size > MAX_FILE_BYTES) {
      throw new FeedFault('too-large', `${name} is larger than ${MAX_FILE_BYTES} bytes`);
    }
    const body = await readFile(file);
    const { address } = feed;
    return { state: 'received', body, contentType: null, address, redirects: 0, etag: null, lastModified: null };
  };
  return { fetchFeed, leftOut };
}
