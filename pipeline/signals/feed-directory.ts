import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FeedFault } from './feed-fault.ts';
import type { FeedSource } from './feeds.ts';
import type { FetchFeed } from './fetched.ts';

const MAX_FILE_BYTES = 10_000_000;
const FEED_FILE = /^([a-z0-9-]+)\.(?:xml|rss|rdf|atom|json)$/;

export interface FeedDirectory {
  fetchFeed: FetchFeed;
  /** Names of files that belong to no listed feed. */
  leftOut: string[];
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
