import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeFeedServer, type FeedAnswer, startFakeFeedServer } from '../../test/fakes/feed-server.ts';
import { feedOf } from '../../test/support/signal-feeds.ts';
import { feedClient } from './feed-client.ts';
import { FeedFault, type Fetched, NO_VALIDATORS } from './feeds.ts';

const BODY = '<rss version="2.0"><channel/></rss>';

let server: FakeFeedServer;
let waits: number[];
beforeEach(async () => {
  server = await startFakeFeedServer({});
  waits = [];
});
afterEach(() => server[Symbol.asyncDispose]());

function fetchFeed(answer: FeedAnswer, known = NO_VALIDATORS, timeoutMs = 900_000): Promise<Fetched | null> {
  server.answers['/feed'] = answer;
  const effects = { now: () => new Date('2026-11-20T12:00:00Z'), progress: () => {}, checkpoint: () => {} };
  const delay = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  const client = feedClient({ rate: 1000, delay, timeoutMs }, effects);
  return client(feedOf('test', { address: `${server.url}/feed` }), known);
}
async function faultOf(answer: FeedAnswer, known = NO_VALIDATORS, timeoutMs?: number): Promise<string> {
  const error = await fetchFeed(answer, known, timeoutMs).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FeedFault);
  return (error as FeedFault).code;
}
const tries = () => server.requests.length;

describe('a feed on the web', () => {
  test('is received with what the next request can be conditional on', async () => {
    expect(await fetchFeed({ kind: 'feed', body: BODY })).toEqual({
      state: 'received',
      body: Buffer.from(BODY),
      contentType: 'application/xml',
      address: `${server.url}/feed`,
      etag: '"35-1"',
      lastModified: 'Fri, 20 Nov 2026 08:00:00 GMT',
    });
  });

  test('is asked for only if it changed', async () => {
    const known = { etag: '"35-1"', lastModified: 'Fri, 20 Nov 2026 08:00:00 GMT', sha256: null };
    expect(await fetchFeed({ kind: 'feed', body: BODY }, known)).toEqual({ state: 'unchanged' });
    expect(server.requests).toEqual([{ path: '/feed', etag: '"35-1"', since: 'Fri, 20 Nov 2026 08:00:00 GMT' }]);
  });

  test('is tried again after the time that the publisher asks for', async () => {
    const flaky: FeedAnswer = { kind: 'flaky', status: 429, times: 1, headers: { 'retry-after': '7' }, body: BODY };
    expect(await fetchFeed(flaky)).toMatchObject({ state: 'received' });
    expect(waits).toEqual([7000]);
  });

  test('is left alone where the publisher asks for a long pause, has no such page, or says "unchanged" unasked', async () => {
    expect(await faultOf({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } })).toBe('refused');
    expect(await faultOf({ kind: 'status', status: 404 })).toBe('refused');
    // Nothing was known to be unchanged.
    expect(await faultOf({ kind: 'status', status: 304 })).toBe('refused');
    expect([tries(), waits]).toEqual([3, []]);
  });

  test('is given up after three tries', async () => {
    expect(await faultOf({ kind: 'status', status: 503 })).toBe('refused');
    expect([tries(), waits]).toEqual([3, [1000, 2000]]);
    expect(await faultOf({ kind: 'down' })).toBe('unreachable');
    expect(await faultOf({ kind: 'cut', body: BODY.repeat(100) })).toBe('unreachable');
    expect(tries()).toBe(9);
  });

  test('of 100 MB is cut early', async () => {
    expect(await faultOf({ kind: 'endless' })).toBe('too-large');
    expect(server.written).toBeLessThan(40_000_000);
    expect(tries()).toBe(1);
  });

  test('that unpacks to 100 MB is cut early', async () => {
    const body = gzipSync(Buffer.alloc(100_000_000, ' '));
    expect(body.length).toBeLessThan(200_000);
    expect(await faultOf({ kind: 'feed', body, headers: { 'content-encoding': 'gzip' } })).toBe('too-large');
  });

  test('that falls silent is given up after three tries', async () => {
    expect(await faultOf({ kind: 'silent' }, NO_VALIDATORS, 300)).toBe('unreachable');
    expect(tries()).toBe(3);
  });

  test('is followed to another address, counted', async () => {
    server.answers['/moved'] = { kind: 'feed', body: BODY };
    expect(await fetchFeed({ kind: 'redirect', location: '/moved' })).toMatchObject({
      address: `${server.url}/moved`,
    });
  });

  test.each(['file:///etc/passwd', 'ftp://a.example/feed', 'javascript:0'])(
    'is not followed to %s',
    async (location) => {
      expect(await faultOf({ kind: 'redirect', location })).toBe('redirect');
    },
  );

  test('that redirects in a circle is given up at once', async () => {
    expect(await faultOf({ kind: 'redirect', location: '/feed' })).toBe('redirect');
    expect(tries()).toBe(6);
  });
});
