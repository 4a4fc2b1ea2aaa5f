import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import { getUsage } from '../../contract/operations/service/usage.ts';
import { limiterOver, openRateLimiter, rateHeaders } from '../../server-kit/limits/limits.ts';
import { MemoryCounter } from '../../server-kit/limits/memory-counter.ts';
import { type Answer, openGateway, type TestGateway } from '../support/gateway.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');

/** Milliseconds of the monotonic clock. */
let elapsed = 0;
const openLimiter = () => openRateLimiter('memory', undefined, () => elapsed);

/** Lets time pass on both clocks, to so many milliseconds after the start. */
function passTo(milliseconds: number): void {
  elapsed = milliseconds;
  vi.setSystemTime(START + milliseconds);
}

beforeEach(() => {
  elapsed = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a bucket', () => {
  it.each([[60_000.4], [59_999.9], [75_000], [176_458_000]])(
    'never says that %d ms of a window of 60 s are left',
    async (msBeforeNext) => {
      const counter = { penalty: async () => ({ consumedPoints: 1, msBeforeNext }), get: async () => null };
      await using limiter = limiterOver(counter, async () => {});
      expect(await limiter.charge('read', '192.0.2.1')).toMatchObject({ resetSeconds: 60 });
    },
  );

  it('is lowered by a key with a rate of its own, never raised', async () => {
    await using limiter = await openLimiter();
    expect(await limiter.charge('read-keyed', 'a', 120)).toMatchObject({ limit: 120, remaining: 119 });
    expect(await limiter.charge('read-keyed', 'b', 5000)).toMatchObject({ limit: 1000, remaining: 999 });
  });

  it('is not touched by looking', async () => {
    await using limiter = await openLimiter();
    const fresh = { limit: 15, remaining: 15, resetSeconds: 0, refused: false };
    expect(await limiter.look('claim-write', 'a')).toMatchObject(fresh);
    await limiter.charge('claim-write', 'a');
    for (let time = 0; time < 3; time += 1) expect((await limiter.look('claim-write', 'a')).remaining).toBe(14);
    passTo(60_000);
    expect(await limiter.look('claim-write', 'a')).toMatchObject(fresh);
  });

  it('never lets more than its limit through in one window, however callers and times interleave', async () => {
    const step = fc.record({ caller: fc.constantFrom('a', 'b'), wait: fc.integer({ min: 0, max: 9_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        await using limiter = await openLimiter();
        let now = 0;
        const windows = new Map<string, { until: number; used: number }>();
        for (const { caller, wait } of steps) {
          now += wait;
          passTo(now);
          const known = windows.get(caller);
          const window = known && known.until > now ? known : { until: now + 60_000, used: 0 };
          window.used += 1;
          windows.set(caller, window);
          const allowance = await limiter.charge('beta-cell-run', caller);
          expect(allowance.refused).toBe(window.used > 6);
          expect(allowance.remaining).toBe(Math.max(0, 6 - window.used));
          expect(allowance.resetSeconds).toBe(Math.ceil((window.until - now) / 1000));
        }
      }),
      { seed: 3, numRuns: 60 },
    );
  });
});

describe('a clock that is set', () => {
  it('forward and back changes no window', async () => {
    await using limiter = await openLimiter();
    const charge = () => limiter.charge('finding-write', '192.0.2.1');
    await charge();
    for (const hours of [49, 0, -49]) {
      vi.setSystemTime(START + hours * 3_600_000);
      elapsed += 10_000;
      expect((await charge()).resetSeconds).toBe(60 - elapsed / 1000);
    }
    elapsed = 60_000;
    expect(await charge()).toMatchObject({ remaining: 11, resetSeconds: 60 });
  });
});

describe('counts in memory', () => {
  it('are bounded: what is over goes first, then the window that began first', async () => {
    const counter = new MemoryCounter(60, () => elapsed, 3);
    for (const key of ['a', 'b', 'c']) await counter.penalty(key);
    await counter.penalty('d');
    expect([counter.size, await counter.get('a')]).toEqual([3, null]);
    expect(await counter.get('b')).toMatchObject({ consumedPoints: 1 });
    elapsed = 60_000;
    await counter.penalty('e');
    expect(counter.size).toBe(1);
  });
});

describe('the headers of an allowance', () => {
  it('are the three of the interface and the two of the newer draft', () => {
    const allowance = { limit: 120, remaining: 119, resetSeconds: 42, scope: 'address', refused: false } as const;
    expect(rateHeaders({ bucket: 'read', ...allowance })).toEqual({
      'ratelimit-limit': '120',
      'ratelimit-remaining': '119',
      'ratelimit-reset': '42',
      'ratelimit-policy': '"read";q=120;w=60',
      ratelimit: '"read";r=119;t=42',
    });
  });
});

describe('a store other than memory', () => {
  it.each([
    ['redis://cache.example:6379', 'ioredis', 'redis://'],
    ['postgres://user:secret@db.example/limits', 'pg', 'postgres://'],
  ])(
    '%s without its driver stops the start, says what to install and repeats no password',
    async (store, name, scheme) => {
      const absent = () => Promise.reject(new Error('Cannot find package'));
      await expect(openRateLimiter(store, absent)).rejects.toThrow(
        `RATE_STORE is a ${scheme} address, but the package ${name} is not installed: run \`npm install ${name}\`, or set RATE_STORE=memory`,
      );
    },
  );
});

describe('the public origin', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await openGateway(undefined, () => new Date(), {
      limiter: await openLimiter(),
      trustedProxies: 1,
    });
  });
  afterEach(() => gateway[Symbol.asyncDispose]());

  const from = (address: string, path = '/api/v1/errors', init: RequestInit = {}): Promise<Answer> =>
    gateway.get(path, { ...init, headers: { ...init.headers, 'x-forwarded-for': address } });

  it('gives an address 120 reads a minute, then 429 with the seconds until the window rolls over, and costs nothing else', async () => {
    for (let count = 0; count < 120; count += 1) expect((await from('192.0.2.1')).status).toBe(200);
    passTo(17_400);
    const refused = await from('192.0.2.1', '/api/v1/trials/search?q=%00');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.error).toMatchObject({
      retryable: true,
      retryAfterSeconds: 43,
      hint: `${ERRORS.RATE_LIMITED.hint} More: /docs/errors/RATE_LIMITED`,
    });
    expect(refused.headers.get('retry-after')).toBe('43');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    passTo(17_400 + 43_000);
    expect((await from('192.0.2.1')).status).toBe(200);
  });

  it('counts each address for itself, and an IPv6 customer by /64', async () => {
    const left = async (address: string) => (await from(address)).headers.get('ratelimit-remaining');
    expect(await left('192.0.2.1')).toBe('119');
    expect(await left('192.0.2.2')).toBe('119');
    expect(await left('2001:db8::1')).toBe('119');
    expect(await left('2001:db8::ffff')).toBe('118');
    expect(await left('2001:db8:0:1::1')).toBe('119');
    expect(await left('::ffff:192.0.2.2')).toBe('118');
  });

  it('says how much is left on every answer: 200, 304, 400, 404, 405 and an address that cannot be read', async () => {
    const first = await from('192.0.2.9');
    const held = { headers: { 'if-none-match': first.headers.get('etag')! } };
    const answers = [
      first,
      await from('192.0.2.9', '/api/v1/errors', held),
      await from('192.0.2.9', '/api/v1/errors?code=%00'),
      await from('192.0.2.9', '/nowhere'),
      await from('192.0.2.9', '/api/v1/errors', { method: 'DELETE' }),
      await from('192.0.2.9', '/api/v1/trials/%ff/related'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 404, 405, 400]);
    const left = answers.map(({ headers }) => headers.get('ratelimit-remaining'));
    expect(left.join(' ')).toBe('119 118 117 116 115 114');
    expect(answers.every(({ headers }) => headers.get('ratelimit-limit') === '120')).toBe(true);
  });

  it('charges no probe and no preflight', async () => {
    for (let count = 0; count < 130; count += 1) expect((await from('192.0.2.1', '/healthz')).status).toBe(200);
    expect((await from('192.0.2.1', '/api/v1/errors', { method: 'OPTIONS' })).status).toBe(204);
    expect((await from('192.0.2.1')).headers.get('ratelimit-remaining')).toBe('119');
  });

  it('counts writes in buckets of their own, so that reads go on, and refuses with WRITE_RATE_LIMITED', async () => {
    const write = () => from('192.0.2.1', '/api/v1/keys', { method: 'POST', body: '{}' });
    for (let count = 0; count < 15; count += 1) expect((await write()).body.error.code).toBe('KEY_CREATE_FAILED');
    const refused = await write();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'WRITE_RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await from('192.0.2.1')).headers.get('ratelimit-remaining')).toBe('119');
  });

  it('reads as anonymous with a key that it cannot verify, and says so', async () => {
    const headers = { 'x-api-key': `tbk_${'B'.repeat(43)}` };
    const { status, headers: answered } = await from('192.0.2.1', '/api/v1/errors', { headers });
    expect(status).toBe(200);
    expect(answered.get('ratelimit-limit')).toBe('120');
    expect(answered.get('x-api-key-status')).toBe('unverified; served under the anonymous limits');
  });

  it('tells a caller how it stands in each bucket, and counts its requests of the day', async () => {
    await from('192.0.2.1');
    await from('192.0.2.1', '/api/v1/keys', { method: 'POST', body: '{}' });
    passTo(10_000);
    const { data } = (await from('192.0.2.1', '/api/v1/usage')).body;
    expect(() => getUsage.output.parse(data)).not.toThrow();
    expect(data).toMatchObject({ countedBy: 'address', keyId: null, enforced: true, windowSeconds: 60 });
    const bucket = (id: string) => data.buckets.find((one: { id: string }) => one.id === id);
    expect(bucket('read')).toMatchObject({ limit: 120, remaining: 118, resetSeconds: 50, countedBy: 'address' });
    expect(bucket('coordination-write')).toMatchObject({ limit: 15, remaining: 14, resetSeconds: 50 });
    expect(bucket('read-keyed')).toBeUndefined();
    expect(data.requestsToday).toEqual({
      count: 3,
      day: '2026-11-21',
      countedSince: '2026-11-21T12:00:00.000Z',
      heldIn: 'memory of this gateway',
    });
    vi.setSystemTime(Date.parse('2026-11-22T00:00:01.000Z'));
    const tomorrow = (await from('192.0.2.1', '/api/v1/usage')).body.data.requestsToday;
    expect(tomorrow).toMatchObject({ count: 1, day: '2026-11-22', countedSince: '2026-11-22T00:00:00.000Z' });
  });
});

describe('a gateway with limits off', () => {
  it('has no limit headers and says that nothing is enforced', async () => {
    await using gateway = await openGateway();
    const { headers, body } = await gateway.get('/api/v1/usage');
    expect(headers.get('ratelimit-limit')).toBeNull();
    expect(body.data.enforced).toBe(false);
  });
});
