import got, { RequestError, TimeoutError } from 'got';
import PQueue from 'p-queue';
import type { Effects } from '../effects.ts';
import { RETRIED_STATUS, retryAfterMs, userAgent, wait, waitAfter } from '../raw/http-client.ts';
import { FeedFault } from './feed-fault.ts';
import type { FeedSource } from './feeds.ts';
import type { Fetched, FetchFeed, Validators } from './fetched.ts';

export interface FeedClientOptions {
  /** Requests a second over all feeds; default 1. */
  rate?: number;
  /** E-mail address for the user agent, so that publishers can reach the operator. */
  contact?: string;
  /** Waits for so many milliseconds; tests pass a function that returns at once. */
  delay?: (milliseconds: number) => Promise<void>;
  /** Milliseconds for one whole answer, default 60,000; a third of it without a byte ends the answer too. */
  timeoutMs?: number;
  /** Attempts for one feed, including the first; default 3. */
  attempts?: number;
  /** Most bytes of a decoded answer; default 10 MB. Feeds have 0.1 to 1 MB. */
  maxBodyBytes?: number;
}

const MAX_BODY_BYTES = 10_000_000;
const MAX_REDIRECTS = 5;
/** Seconds. If a publisher asks for a longer pause, the feed waits for the next run. */
const MAX_RETRY_AFTER_S = 120;
/** Feeds fetched at the same time, from different publishers, so that a few dead ones do not delay the rest. */
const CONCURRENCY = 4;

interface Failure {
  fault: FeedFault;
  /** Whether another attempt can help. */
  again: boolean;
  waitMs: number | null;
}

/** A polite client for feeds: conditional requests, a limited rate, few attempts and a limit of bytes. */
export function feedClient(options: FeedClientOptions, effects: Effects): FetchFeed {
  const { rate = 1, attempts = 3, delay = wait } = options;
  const queue = new PQueue({ concurrency: CONCURRENCY, interval: Math.ceil(1000 / rate), intervalCap: 1 });
  return async (feed, known) => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await queue.add(() => tryOnce(feed, known, options, effects));
      if (!('fault' in outcome)) return outcome;
      if (!outcome.again || attempt === attempts) throw outcome.fault;
      await delay(outcome.waitMs ?? waitAfter(attempt));
    }
  };
}

async function tryOnce(
  feed: FeedSource,
  known: Validators,
  options: FeedClientOptions,
  effects: Effects,
): Promise<Fetched | Failure> {
  try {
    const answer = await request(feed.address, known, options);
    return judge(answer, known, effects.now());
  } catch (error) {
    if (error instanceof FeedFault) return { fault: error, again: false, waitMs: null };
    if (!(error instanceof RequestError)) throw error;
    const loops = error.code === 'ERR_TOO_MANY_REDIRECTS';
    const message = loops
      ? `it redirects more than ${MAX_REDIRECTS} times`
      : `no whole answer (${error.code}: ${error.message.slice(0, 200)})`;
    const fault = new FeedFault(loops ? 'redirect' : 'unreachable', message, { cause: error });
    // A feed that is too slow for the whole time limit would be so again.
    return { fault, again: !loops && !(error instanceof TimeoutError), waitMs: null };
  }
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  address: string;
  redirects: number;
}

async function request(address: string, known: Validators, options: FeedClientOptions): Promise<Answer> {
  const { contact, timeoutMs = 60_000, maxBodyBytes = MAX_BODY_BYTES } = options;
  const stream = got.stream(address, {
    headers: {
      'user-agent': userAgent(contact),
      accept: 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
      ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
      ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
    },
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: true,
    timeout: { request: timeoutMs, socket: Math.ceil(timeoutMs / 3), connect: Math.min(15_000, timeoutMs) },
    followRedirect: (response) => isWeb(response.headers.location, response.url),
    maxRedirects: MAX_REDIRECTS,
  });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Counted after decompression, so that a small file that decompresses to a huge one is refused too.
    if (size > maxBodyBytes) {
      stream.destroy();
      throw new FeedFault('too-large', `it is larger than ${maxBodyBytes} bytes`);
    }
    parts.push(chunk);
  }
  const response = stream.response!;
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(parts),
    address: response.url,
    redirects: response.redirectUrls.length,
  };
}

function isWeb(location: string | undefined, base: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(location ?? '', base)?.protocol ?? '');
}

function judge(answer: Answer, known: Validators, now: Date): Fetched | Failure {
  const { status, headers, body, address, redirects } = answer;
  if (status === 304 && (known.etag !== null || known.lastModified !== null)) return { state: 'unchanged' };
  if (status === 200) {
    const [contentType, etag, lastModified] = ['content-type', 'etag', 'last-modified'].map((name) =>
      textHeader(headers[name]),
    ) as [string | null, string | null, string | null];
    return { state: 'received', body, contentType, address, redirects, etag, lastModified };
  }
  if (status >= 300 && status < 400 && status !== 304) {
    const message = `HTTP ${status} leads to ${String(headers.location).slice(0, 200)}, which is no web address`;
    return { fault: new FeedFault('redirect', message), again: false, waitMs: null };
  }
  const waitMs = retryAfterMs(headers['retry-after'], now);
  const asked = waitMs === null ? '' : `, asks to wait ${Math.ceil(waitMs / 1000)} s`;
  return {
    fault: new FeedFault('refused', `HTTP ${status}${asked}`),
    // A 304 reaches this line only as the answer to an unconditional request.
    again: RETRIED_STATUS.has(status) && (waitMs ?? 0) <= MAX_RETRY_AFTER_S * 1000,
    waitMs,
  };
}

function textHeader(value: string | string[] | undefined): string | null {
  // A longer header is no sensible validator.
  return typeof value === 'string' && value.length <= 1000 ? value : null;
}
