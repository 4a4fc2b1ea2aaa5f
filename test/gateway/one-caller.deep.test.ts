import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LagProbe } from '../../gateway/admission/lag-probe.ts';
import { openRateLimiter, type RateLimiter } from '../../server-kit/limits/limits.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

/** What one caller costs the others, and where it is stopped. */

const ADDRESS = '127.0.0.1';
const PIECE = 65_536;
const MCP = '/api/v1/mcp';
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-03-26' };
const SEARCH = { name: 'search_world_trials', arguments: { q: 'diabetes', pageSize: 100, detail: 'full' } };
const BIG = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: SEARCH };

const leftOf = async (limiter: RateLimiter) => (await limiter.look('read-address', ADDRESS)).remaining;

describe('a caller with several keys', () => {
  let limiter: RateLimiter;
  let origin: TestOrigin;
  beforeAll(async () => {
    limiter = await openRateLimiter('memory');
    origin = await openOrigin({ limiter, trustedProxies: 1 });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  const keyed = async () => (await origin.send('/api/v1/keys', { label: 'one of several' })).body.data.key;

  it('reads no more than its address may, and other addresses go on', async () => {
    const [first, second] = [await keyed(), await keyed()];
    const left = await leftOf(limiter);
    await limiter.charge('read-address', ADDRESS, undefined, left - 3);
    const read = (key: string) => origin.get('/api/v1/errors', { 'x-api-key': key });
    expect((await read(first)).headers.get('ratelimit')).toMatch(/^"read-address";r=2;/);
    expect((await read(second)).status).toBe(200);
    expect((await read(first)).headers.get('ratelimit-remaining')).toBe('0');
    for (const key of [first, second]) {
      const { status, headers, body } = await read(key);
      expect([status, body.error.code, headers.get('ratelimit-limit')]).toEqual([429, 'RATE_LIMITED', '2000']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await limiter.look('read-address', '127.0.0.2')).remaining).toBe(2000);
  });
});

describe('a big answer', () => {
  let limiter: RateLimiter;
  let gateway: TestGateway;
  beforeAll(async () => {
    limiter = await openRateLimiter('memory');
    gateway = await openGateway(undefined, undefined, { limiter, trustedProxies: 1 });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  /** Reads that an answer cost its address, and its bytes. */
  async function costOf(
    path: string,
    init: RequestInit = {},
  ): Promise<{ cost: number; bytes: number; status: number }> {
    const before = await leftOf(limiter);
    const headers = { ...init.headers, 'x-forwarded-for': ADDRESS };
    const response = await gateway.app.fetch(new Request(`http://test.example${path}`, { ...init, headers }));
    const bytes = (await response.arrayBuffer()).byteLength;
    return { cost: before - (await leftOf(limiter)), bytes, status: response.status };
  }

  it('costs its address one read for each piece, and a small one a single read', async () => {
    const page = await costOf('/api/v1/trials/search?q=diabetes&pageSize=100');
    expect(page.bytes).toBeGreaterThan(2 * PIECE);
    expect(page.cost).toBe(Math.ceil(page.bytes / PIECE));
    expect((await costOf('/api/v1/trials/search?q=diabetes&pageSize=1')).cost).toBe(1);
  });

  it('costs a single read as HEAD and where the caller holds it already', async () => {
    const path = '/api/v1/openapi.json';
    const document = await costOf(path);
    expect(document.cost).toBe(Math.ceil(document.bytes / PIECE));
    const { headers } = await gateway.get(path, { headers: { 'x-forwarded-for': ADDRESS } });
    const held = { headers: { 'if-none-match': headers.get('etag')! } };
    expect(await costOf(path, held)).toEqual({ cost: 1, bytes: 0, status: 304 });
    expect(await costOf(path, { method: 'HEAD' })).toEqual({ cost: 1, bytes: 0, status: 200 });
  });
});

describe('what may be read without a key', () => {
  const PAGE = '/api/v1/trials/search?pageSize=100&q=';
  const SMALL = '/api/v1/trials/search?pageSize=1&q=';
  const open = async () => {
    const limiter = await openRateLimiter('memory');
    const gateway = await openGateway(undefined, undefined, { limiter, trustedProxies: 1 });
    const statuses = async (path: string, times: number): Promise<number[]> => {
      const found: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const answer = await gateway.get(path, { headers: { 'x-forwarded-for': ADDRESS } });
        found.push(answer.status);
      }
      return found;
    };
    const leftOfSize = async () => (await limiter.look('read-size', ADDRESS)).remaining;
    return { gateway, limiter, statuses, leftOfSize };
  };

  it('is 120 small answers a minute, as the interface says, and not one more', async () => {
    const { gateway, statuses } = await open();
    expect(await statuses(`${SMALL}diabetes`, 121)).toEqual([...Array.from({ length: 120 }, () => 200), 429]);
    await gateway[Symbol.asyncDispose]();
  });

  it('is fewer big ones, kept or made, each counted by its pieces of 64 kB', async () => {
    const { gateway, statuses, leftOfSize } = await open();
    const bytes = (await gateway.get(`${PAGE}diabetes`, { headers: { 'x-forwarded-for': '192.0.2.1' } })).body;
    const pieces = Math.ceil(Buffer.byteLength(JSON.stringify(bytes)) / PIECE);
    expect(pieces).toBeGreaterThan(2);
    await statuses(`${PAGE}diabetes`, 2);
    expect(await leftOfSize()).toBe(240 - 2 * pieces);
    const all = await statuses(`${PAGE}diabetes`, 98);
    expect(all.filter((status) => status === 200).length + 2).toBe(Math.ceil(240 / pieces));
    expect(all.at(-1)).toBe(429);
    const { headers } = await gateway.get(`${SMALL}x`, { headers: { 'x-forwarded-for': ADDRESS } });
    expect(headers.get('ratelimit-policy')).toBe('"read-size";q=240;w=60');
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await gateway[Symbol.asyncDispose]();
  });
});

describe('a batch of MCP messages', () => {
  let limiter: RateLimiter;
  let origin: TestOrigin;
  beforeAll(async () => {
    limiter = await openRateLimiter('memory');
    origin = await openOrigin({ limiter, trustedProxies: 1 });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  it('that asks for a hundred trials twenty times gets them until the answer is full, and pays for those', async () => {
    const before = await leftOf(limiter);
    const batch = Array.from({ length: 20 }, (_, id) => ({ ...BIG, id }));
    const { status, body } = await origin.send(MCP, batch, MCP_HEADERS);
    expect(status).toBe(200);
    expect(body.map(({ id }: { id: number }) => id)).toEqual(batch.map(({ id }) => id));
    const listed = body.filter(({ result }: { result?: object }) => result !== undefined);
    const bytes = JSON.stringify(listed).length;
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(1_000_000 + bytes / listed.length);
    for (const { error } of body.slice(listed.length)) {
      expect(error.code).toBe(-32_000);
      expect(error.message).toContain('has reached 1000000 bytes, so this message was not carried out');
    }
    expect(before - (await leftOf(limiter))).toBeGreaterThanOrEqual(listed.length + Math.ceil(bytes / PIECE) - 1);
  });

  it('that is full carries out no write, and says nothing to a notification', async () => {
    const claim = { name: 'claim_work', arguments: { agentName: 'never' } };
    const call = { jsonrpc: '2.0', id: 'w', method: 'tools/call', params: claim };
    const searches = Array.from({ length: 18 }, () => BIG);
    const batch = [...searches, call, { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }];
    const { body } = await origin.send(MCP, batch, { ...MCP_HEADERS, 'x-forwarded-for': '192.0.2.77' });
    expect(body).toHaveLength(19);
    expect(body[18]).toMatchObject({ id: 'w', error: { code: -32_000 } });
  });
});

describe('two hundred requests that one address sends at once', () => {
  const ask = async (gateway: TestGateway, address: string, path: string) => {
    const headers = { 'x-forwarded-for': address };
    return gateway.app.fetch(new Request(`http://test.example${path}`, { headers }));
  };

  it('delay the search of another address by a few of them, not by all', async () => {
    await using gateway = await openGateway(undefined, undefined, { trustedProxies: 1 });
    let answered = 0;
    const big = '/api/v1/trials/search?pageSize=100&include=eligibilityText';
    const flood = Array.from({ length: 200 }, async () => {
      await ask(gateway, '192.0.2.1', big);
      answered += 1;
    });
    const search = await ask(gateway, '198.51.100.1', '/api/v1/trials/search?q=diabetes');
    expect(search.status).toBe(200);
    expect(answered).toBeLessThan(10);
    const probe = await ask(gateway, '198.51.100.2', '/healthz');
    expect(probe.status).toBe(200);
    expect(answered).toBeLessThan(20);
    await Promise.all(flood);
  });

  it('are refused at once where still more wait, each as one read', async () => {
    const limiter = await openRateLimiter('memory');
    await using gateway = await openGateway(undefined, undefined, { trustedProxies: 1, limiter });
    const all = await Promise.all(Array.from({ length: 1031 }, () => ask(gateway, ADDRESS, '/api/v1/errors')));
    const refused = all.slice(1026);
    for (const response of refused) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
      expect((await response.json()).error.message).toContain('1024 requests waiting');
    }
    expect(refused).toHaveLength(5);
    expect(all.slice(0, 116).map(({ status }) => status)).toEqual([...Array(115).fill(200), 429]);
  });
});

describe('a service that lags', () => {
  let lagMs = 0;
  const gateway = ofFile(() => openGateway(undefined, undefined, { lagMs: () => lagMs }));

  const statuses = async (paths: string[]) => Promise.all(paths.map(async (path) => (await gateway.get(path)).status));
  const COSTLY = [
    '/api/v1/trials/landscape?q=diabetes',
    '/api/v1/trials/coverage?q=diabetes',
    '/api/v1/trials/search?q=%22type%201%20diabetes%22',
    '/api/v1/snapshots/current/diff/current',
  ];
  const PLAIN = ['/api/v1/trials/search?q=diabetes', '/api/v1/trials/stats'];
  const ALWAYS = ['/healthz', '/readyz', '/api/v1/errors', '/api/v1/openapi.json'];

  it('refuses costly reads first, then all that may fail, and never a probe', async () => {
    lagMs = 149;
    expect(await statuses([...COSTLY, ...PLAIN, ...ALWAYS])).toEqual(Array(10).fill(200));
    lagMs = 150;
    expect(await statuses(COSTLY)).toEqual(Array(4).fill(503));
    expect(await statuses([...PLAIN, ...ALWAYS])).toEqual(Array(6).fill(200));
    lagMs = 1000;
    expect(await statuses([...COSTLY, ...PLAIN])).toEqual(Array(6).fill(503));
    expect(await statuses(ALWAYS)).toEqual(Array(4).fill(200));
    const metrics = await (await gateway.app.fetch(new Request('http://test.example/metrics'))).text();
    expect(metrics).toContain('trial_board_reads_shed_total 10\n');
  });

  it('says that nothing was carried out and when to come back', async () => {
    lagMs = 150;
    const { headers, body } = await gateway.get(COSTLY[0]!);
    expect(headers.get('retry-after')).toBe('2');
    expect(body.error).toMatchObject({ code: 'TRIALS_UNAVAILABLE', retryable: true, retryAfterSeconds: 2 });
    expect(body.error.message).toContain('nothing was carried out');
  });

  it('notices that its event loop was held up, and that it is free again', async () => {
    using probe = new LagProbe();
    const started = performance.now();
    while (performance.now() - started < 400);
    await until(() => probe.lagMs > 40);
    await until(() => probe.lagMs < 20);
  });
});
