import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRateLimiter, type RateLimiter } from '../../server-kit/limits.ts';
import { NO_POSTGRES, openDatabase, PostgresServer } from '../support/postgres.ts';
import { NO_REDIS, openRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** RATE_STORE on real servers: what several gateways count together, and what follows when the store is away. */

for (const [store, reason] of Object.entries({ Redis: NO_REDIS, PostgreSQL: NO_POSTGRES })) {
  if (reason !== null) process.stderr.write(`Rates on a real ${store} are not tested: ${reason}\n`);
}

interface Store extends AsyncDisposable {
  url: string;
}

/** Charges one address through several gateways at once; the remainders of what they grant, from the most. */
async function granted(gateways: readonly RateLimiter[], each: number, address: string): Promise<number[]> {
  const charges = gateways.flatMap((gateway) => Array.from({ length: each }, () => gateway.charge('read', address)));
  const allowances = await Promise.all(charges);
  return allowances.flatMap(({ refused, remaining }) => (refused ? [] : [remaining])).sort((a, b) => b - a);
}

const WHOLE_BUCKET = Array.from({ length: 120 }, (_, place) => 119 - place);

async function openGateways(store: Store, count: number) {
  const stack = new AsyncDisposableStack();
  const gateways = await Promise.all(Array.from({ length: count }, () => openRateLimiter(store.url)));
  for (const gateway of gateways) stack.use(gateway);
  return { gateways, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe.each([
  ['Redis', NO_REDIS, openRedis],
  ['PostgreSQL', NO_POSTGRES, () => openDatabase()],
] as const)('rates in %s', (_name, reason, open) => {
  let store: Store;
  beforeAll(async () => {
    if (reason === null) store = await open();
  });
  afterAll(async () => {
    if (reason === null) await store[Symbol.asyncDispose]();
  });

  it.skipIf(reason !== null)('three gateways that begin at once grant one address exactly its bucket', async () => {
    await using opened = await openGateways(store, 3);
    expect(await granted(opened.gateways, 60, '192.0.2.1')).toEqual(WHOLE_BUCKET);
    const [first, second] = opened.gateways as [RateLimiter, RateLimiter];
    expect(await second.look('read', '192.0.2.1')).toMatchObject({ remaining: 0, limit: 120 });
    expect(await first.look('read', '192.0.2.2')).toMatchObject({ remaining: 120, resetSeconds: 0 });
    await first.charge('read-address', '192.0.2.1', undefined, 7);
    expect(await second.look('read-address', '192.0.2.1')).toMatchObject({ remaining: 1993 });
  });

  it('that cannot be reached at the start is a fault that names the setting', async () => {
    const [scheme] = _name === 'Redis' ? ['redis'] : ['postgres'];
    await expect(openRateLimiter(`${scheme}://127.0.0.1:9`)).rejects.toThrow(
      `RATE_STORE: the ${_name} server does not answer`,
    );
  });
});

describe('rates in a store that goes away', () => {
  it.skipIf(NO_REDIS !== null)(
    'Redis, killed: each gateway counts by itself, and both together after its return',
    async () => {
      await using store = await openRedis();
      await using opened = await openGateways(store, 2);
      const { gateways } = opened;
      expect(await granted(gateways, 5, 'a')).toHaveLength(10);
      await store.kill();
      for (const gateway of gateways) expect(await granted([gateway], 130, 'a')).toEqual(WHOLE_BUCKET);
      await store.restart();
      const [first, second] = gateways as [RateLimiter, RateLimiter];
      await until(async () => {
        await first.charge('claim-write', 'b');
        return (await second.look('claim-write', 'b')).remaining < 15;
      });
      expect(await granted(gateways, 90, 'c')).toEqual(WHOLE_BUCKET);
    },
  );

  it.skipIf(NO_REDIS !== null)(
    'Redis, hung: one wait of a second, then requests are counted here at once',
    async () => {
      await using store = await openRedis();
      await using opened = await openGateways(store, 1);
      store.freeze();
      expect(await granted(opened.gateways, 130, 'a')).toEqual(WHOLE_BUCKET);
      store.thaw();
    },
  );

  it.skipIf(NO_POSTGRES !== null)(
    'PostgreSQL, killed: each gateway counts by itself, and both together after its return',
    async () => {
      await using server = await PostgresServer.create();
      await using opened = await openGateways({ url: server.url(), [Symbol.asyncDispose]: async () => {} }, 2);
      const { gateways } = opened;
      expect(await granted(gateways, 5, 'a')).toHaveLength(10);
      await server.kill();
      for (const gateway of gateways) expect(await granted([gateway], 130, 'a')).toEqual(WHOLE_BUCKET);
      await server.start();
      const [first, second] = gateways as [RateLimiter, RateLimiter];
      await until(async () => {
        await first.charge('claim-write', 'b');
        return (await second.look('claim-write', 'b')).remaining < 15;
      });
      expect(await granted(gateways, 90, 'c')).toEqual(WHOLE_BUCKET);
    },
  );
});
