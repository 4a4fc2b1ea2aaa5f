import { RequestError, TimeoutError } from 'got';
import type { Effects } from '../effects.ts';
import {
  PacedRequests,
  PassingFault,
  RETRIED_STATUS,
  type RequestOptions,
  retryAfterMs,
  sendRequest,
  userAgent,
  type WebAnswer,
} from '../raw/http-client.ts';
import { FeedFault, type Fetched, type FetchFeed, type Validators } from './feeds.ts';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 3;
/** Feeds have 0.1 to 1 MB. */
const MAX_BODY_BYTES = 10_000_000;
const MAX_REDIRECTS = 5;
/** Seconds. If a publisher asks for a longer pause, the feed waits for the next run. */
const MAX_RETRY_AFTER_S = 120;
/** Feeds fetched at the same time, from different publishers, so that a few dead ones do not delay the rest. */
const CONCURRENCY = 4;

/** A polite client for feeds: conditional requests, a limited rate, few attempts and a limit of bytes. */
export function feedClient(options: RequestOptions, effects: Effects): FetchFeed {
  const { contact, attempts = ATTEMPTS, timeoutMs = TIMEOUT_MS, maxBodyBytes = MAX_BODY_BYTES } = options;
  const requests = new PacedRequests(options, CONCURRENCY, attempts);
  const request = (address: string, known: Validators): Promise<WebAnswer> =>
    sendRequest(address, {
      headers: {
        'user-agent': userAgent(contact),
        accept: 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
        ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
        ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
      },
      timeoutMs,
      silenceMs: timeoutMs / 3,
      maxBodyBytes,
      maxRedirects: MAX_REDIRECTS,
      follows: (location) => ['http:', 'https:'].includes(location?.protocol ?? ''),
      tooLarge: () => new FeedFault('too-large', `it is larger than ${maxBodyBytes} bytes`),
    });
  return (feed, known) =>
    requests.run(async () => {
      try {
        return fetchedOf(await request(feed.address, known), known, effects.now());
      } catch (error) {
        throw error instanceof RequestError ? unanswered(error) : error;
      }
    });
}

function unanswered(error: RequestError): Error {
  if (error.code === 'ERR_TOO_MANY_REDIRECTS')
    return new FeedFault('redirect', `it redirects more than ${MAX_REDIRECTS} times`, { cause: error });
  const message = `no whole answer (${error.code}: ${error.message.slice(0, 200)})`;
  const fault = new FeedFault('unreachable', message, { cause: error });
  // A feed that is too slow for the whole time limit would be so again.
  return error instanceof TimeoutError ? fault : new PassingFault(null, () => fault);
}

function fetchedOf({ status, headers, body, address }: WebAnswer, known: Validators, now: Date): Fetched {
  if (status === 304 && (known.etag !== null || known.lastModified !== null)) return { state: 'unchanged' };
  if (status === 200) {
    const text = (name: string): string | null => {
      const value = headers[name];
      // A longer header is no sensible validator.
      return typeof value === 'string' && value.length <= 1000 ? value : null;
    };
    const [contentType, etag, lastModified] = [text('content-type'), text('etag'), text('last-modified')];
    return { state: 'received', body, contentType, address, etag, lastModified };
  }
  if (status >= 300 && status < 400 && status !== 304) {
    const target = String(headers.location).slice(0, 200);
    throw new FeedFault('redirect', `HTTP ${status} leads to ${target}, which is no web address`);
  }
  const waitMs = retryAfterMs(headers['retry-after'], now);
  const wish = waitMs === null ? '' : `, asks to wait ${Math.ceil(waitMs / 1000)} s`;
  const fault = new FeedFault('refused', `HTTP ${status}${wish}`);
  // A 304 reaches this line only as the answer to an unconditional request.
  const mayPass = RETRIED_STATUS.has(status) && (waitMs ?? 0) <= MAX_RETRY_AFTER_S * 1000;
  throw mayPass ? new PassingFault(waitMs, () => fault) : fault;
}
