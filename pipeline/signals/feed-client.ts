import type { Effects } from '../effects.ts';
import { type RequestOptions, type WebAnswer, WebClient, WebFault } from '../raw/http-client.ts';
import { FeedFault, type Fetched, type FetchFeed, type Validators } from './feeds.ts';

const FEED_DEFAULTS = {
  timeoutMs: 60_000,
  attempts: 3,
  /** Feeds have 0.1 to 1 MB. */
  maxBodyBytes: 10_000_000,
  /** Feeds of different publishers, so that a few dead ones do not delay the rest. */
  concurrency: 4,
  maxRedirects: 5,
  maxRetryAfterS: 120,
  follows: (location: URL | null): boolean => /^https?:$/.test(location?.protocol ?? ''),
};
const ACCEPT = 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';

/** A client for feeds, with conditional requests. */
export function feedClient(options: RequestOptions, effects: Effects): FetchFeed {
  const client = new WebClient({ ...FEED_DEFAULTS, ...options }, effects);
  return async ({ address }, known) => {
    const headers = {
      accept: ACCEPT,
      ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
      ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
    };
    try {
      return await client.get(address, headers, (answer) => fetchedOf(answer, known));
    } catch (error) {
      if (!(error instanceof WebFault)) throw error;
      throw new FeedFault(error.code as FeedFault['code'], error.message, { cause: error });
    }
  };
}

function fetchedOf({ status, headers, body, address }: WebAnswer, known: Validators): Fetched {
  if (status === 304 && (known.etag !== null || known.lastModified !== null)) return { state: 'unchanged' };
  // A 304 that answers an unconditional request.
  if (status === 304) throw new FeedFault('refused', 'HTTP 304');
  const text = (name: string): string | null => {
    const value = headers[name];
    // A longer header is no sensible validator.
    return typeof value === 'string' && value.length <= 1000 ? value : null;
  };
  const [contentType, etag, lastModified] = [text('content-type'), text('etag'), text('last-modified')];
  return { state: 'received', body, contentType, address, etag, lastModified };
}
