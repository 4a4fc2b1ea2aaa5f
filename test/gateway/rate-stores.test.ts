import { describe, expect, it } from 'vitest';
import { StoredCounts } from '../../gateway/common/stored-counts.ts';
import { openCountStore } from '../../server-kit/limits/count-store.ts';
import { limiterIn, openRateLimiter, type RateLimiter } from '../../server-kit/limits/limits.ts';
import { forAll } from '../support/for-all.ts';
import { NO_POSTGRES, openDatabase, PostgresServer } from '../support/runner/postgres.ts';
import { NO_REDIS, openRedis } from '../support/runner/redis.ts';
import { until } from '../support/until.ts';

/** RATE_STORE on real servers: what several gateways count together, and what follows when the store is away. */

for (const [store, reason] of Object.entries({ Redis: NO_REDIS, PostgreSQL: NO_POSTGRES })) {
  if (reason !== null) process.stderr.write(`Rates on a real ${store} are not tested: ${reason}\n`);
}

interface Store extends AsyncDisposable {
  url: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

async function openPostgres(): Promise<Store> {
  const server = await PostgresServer.create();
  return {
    url: server.url(),
    kill: () => server.kill(),
    restart: () => server.start(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Charges one address through several gateways at once; the remainders of what they grant, from the most. */
async function granted(gateways: readonly RateLimiter[], each: number, address: string): Promise<number[]> {
  const charges = gateways.flatMap((gateway) => Array.from({ length: each }, () => gateway.charge('read', address)));
  const allowances = await Promise.all(charges);
  return allowances.flatMap(({ refused, remaining }) => (refused ? [] : [remaining])).sort((a, b) => b - a);
}

/** Waits until the second gateway sees what the first is charged. */
async function untilShared([first, second]: readonly RateLimiter[]): Promise<void> {
  await until(async () => {
    await first!.charge('claim-write', 'b');
    return (await second!.look('claim-write', 'b')).remaining < 15;
  });
}

const WHOLE_BUCKET = Array.from({ length: 120 }, (_, place) => 119 - place);

describe.each([
  ['Redis', NO_REDIS, openRedis],
  ['PostgreSQL', NO_POSTGRES, openPostgres],
] as const)('rates in %s', (name, reason, open) => {
  it('away at the start: counts in memory, says so, and asks again without a request', async () => {
    const address = `${name === 'Redis' ? 'redis' : 'postgres'}://127.0.0.1:9`;
    const told: (string | null)[] = [];
    await using counts = await openCountStore(address, { onChange: (away) => told.push(away) });
    expect(told).toEqual(['connect ECONNREFUSED 127.0.0.1:9']);
    expect(counts).toMatchObject({ kind: name, away: told[0] });
    expect(await granted([limiterIn(counts)], 130, 'a')).toEqual(WHOLE_BUCKET);
    const stored = new StoredCounts(counts, () => new Date());
    expect(stored.heldIn).toBe('memory of this gateway');
    expect(await stored.requestsOf('address 192.0.2.1')).toMatchObject({ count: 0 });
    expect(told).toHaveLength(1);
  });

  describe.skipIf(reason !== null)('on a server', () => {
    const store: Store = forAll<Store>(open);

    async function openStores(count: number, stack: AsyncDisposableStack) {
      const changes: (string | null)[] = [];
      const opened = Array.from({ length: count }, async () =>
        stack.use(await openCountStore(store.url, { onChange: (away) => changes.push(away) })),
      );
      const stores = await Promise.all(opened);
      return { stores, gateways: stores.map((one) => limiterIn(one)), changes };
    }

    it('three gateways that begin at once grant one address exactly its bucket', async () => {
      await using stack = new AsyncDisposableStack();
      const { gateways } = await openStores(3, stack);
      expect(await granted(gateways, 41, '192.0.2.1')).toEqual(WHOLE_BUCKET);
      const [first, second] = gateways as [RateLimiter, RateLimiter];
      expect(await second.look('read', '192.0.2.1')).toMatchObject({ remaining: 0, limit: 120 });
      expect(await first.look('read', '192.0.2.2')).toMatchObject({ remaining: 120, resetSeconds: 0 });
      await first.charge('read-address', '192.0.2.1', undefined, 7);
      expect(await second.look('read-address', '192.0.2.1')).toMatchObject({ remaining: 1993 });
    });

    it('killed: each gateway counts by itself, one that starts then too, and all together after its return', async () => {
      await using stack = new AsyncDisposableStack();
      const before = await openStores(1, stack);
      expect(await granted(before.gateways, 5, 'a')).toHaveLength(5);
      await store.kill();
      const later = await openStores(1, stack);
      const gateways = [...before.gateways, ...later.gateways];
      for (const gateway of gateways) expect(await granted([gateway], 130, 'a')).toEqual(WHOLE_BUCKET);
      await store.restart();
      await untilShared(gateways);
      expect([before.changes.at(-1), later.changes.at(-1)]).toEqual([null, null]);
      expect(await granted(gateways, 90, 'c')).toEqual(WHOLE_BUCKET);
    });
  });
});

it.skipIf(NO_REDIS !== null)('Redis, hung: one wait of a second, then requests are counted here at once', async () => {
  await using store = await openRedis();
  await using gateway = await openRateLimiter(store.url);
  store.freeze();
  expect(await granted([gateway], 130, 'a')).toEqual(WHOLE_BUCKET);
  store.thaw();
});

it.skipIf(NO_POSTGRES !== null)('PostgreSQL: the table is made anew after an older copy was put back', async () => {
  await using server = await PostgresServer.create();
  await using stack = new AsyncDisposableStack();
  const gateways = [stack.use(await openRateLimiter(server.url())), stack.use(await openRateLimiter(server.url()))];
  await server.run(['DROP TABLE rate_limits']);
  expect(await granted(gateways.slice(0, 1), 130, 'c')).toEqual(WHOLE_BUCKET);
  await untilShared(gateways);
  expect(await granted(gateways, 90, 'd')).toEqual(WHOLE_BUCKET);
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
