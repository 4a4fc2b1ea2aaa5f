import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoredCounts } from '../../gateway/common/stored-counts.ts';
import { openCountStore } from '../../server-kit/limits/count-store.ts';
import { limiterIn, openRateLimiter, type RateLimiter } from '../../server-kit/limits/limits.ts';
import { NO_POSTGRES, openDatabase, PostgresServer } from '../support/runner/postgres.ts';
import { NO_REDIS, openRedis } from '../support/runner/redis.ts';
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

  it.skipIf(reason !== null)('eight gateways that begin at once on a new store all count there', async () => {
    await using fresh = await open();
    await using opened = await openGateways(fresh, 8);
    expect(await granted(opened.gateways, 20, 'a')).toEqual(WHOLE_BUCKET);
  });

  it('away at the start: counts in memory, says so, and asks again without a request', async () => {
    const scheme = _name === 'Redis' ? 'redis' : 'postgres';
    const told: (string | null)[] = [];
    await using counts = await openCountStore(`${scheme}://127.0.0.1:9`, { onChange: (away) => told.push(away) });
    expect(told).toEqual(['connect ECONNREFUSED 127.0.0.1:9']);
    expect(counts).toMatchObject({ kind: _name, away: told[0] });
    expect(await granted([limiterIn(counts)], 130, 'a')).toEqual(WHOLE_BUCKET);
    const stored = new StoredCounts(counts, () => new Date());
    expect(stored.heldIn).toBe('memory of this gateway');
    expect(await stored.requestsOf('address 192.0.2.1')).toMatchObject({ count: 0 });
    expect(told).toHaveLength(1);
  });
});

describe('rates in a store that comes up after its gateways', () => {
  it.skipIf(NO_REDIS !== null)('Redis: each gateway counts by itself first, and both together then', async () => {
    await using store = await openRedis();
    await store.kill();
    const told: (string | null)[] = [];
    await using stack = new AsyncDisposableStack();
    const open = async () => stack.use(await openCountStore(store.url, { onChange: (away) => told.push(away) }));
    const stores = [await open(), await open()];
    for (const one of stores) expect(await granted([limiterIn(one)], 130, 'a')).toEqual(WHOLE_BUCKET);
    await store.restart();
    await until(() => stores.every(({ away }) => away === null));
    expect(told.slice(2)).toEqual([null, null]);
    const together = stores.map((one) => limiterIn(one));
    expect(await granted(together, 90, 'b')).toEqual(WHOLE_BUCKET);
  });

  it.skipIf(NO_POSTGRES !== null)('PostgreSQL: it makes its table when it is there', async () => {
    await using server = await PostgresServer.create();
    await server.kill();
    await using stack = new AsyncDisposableStack();
    const stores = [stack.use(await openCountStore(server.url())), stack.use(await openCountStore(server.url()))];
    for (const one of stores) expect(await granted([limiterIn(one)], 130, 'a')).toEqual(WHOLE_BUCKET);
    await server.start();
    await until(() => stores.every(({ away }) => away === null));
    const together = stores.map((one) => limiterIn(one));
    expect(await granted(together, 90, 'b')).toEqual(WHOLE_BUCKET);
    // An older copy of the database was put back, without the table.
    await server.run(['DROP TABLE rate_limits']);
    expect(await granted(together.slice(0, 1), 130, 'c')).toEqual(WHOLE_BUCKET);
    await until(() => stores.every(({ away }) => away === null));
    expect(await granted(together, 90, 'd')).toEqual(WHOLE_BUCKET);
  });
});

describe('an address that its server refuses', () => {
  const start = async (url: string): Promise<void> => (await openCountStore(url))[Symbol.asyncDispose]();

  it.skipIf(NO_REDIS !== null)('stops the start with the setting and no password: Redis', async () => {
    await using store = await openRedis({ password: 'the-right-one' });
    const { host } = new URL(store.url);
    await start(`redis://:the-right-one@${host}`);
    for (const wrong of ['', ':the-wrong-one@']) {
      const failed = start(`redis://${wrong}${host}`);
      await expect(failed).rejects.toThrow(/^RATE_STORE: the Redis server refuses this address: (?!.*-one)/);
    }
  });

  it.skipIf(NO_POSTGRES !== null)('stops the start with the setting: PostgreSQL', async () => {
    await using database = await openDatabase();
    await expect(start(database.url.replace(/[^/]+$/, 'nowhere'))).rejects.toThrow(
      'RATE_STORE: the PostgreSQL server refuses this address: database "nowhere" does not exist',
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
