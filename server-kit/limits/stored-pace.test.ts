import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NO_POSTGRES, openDatabase } from '../../test/support/runner/postgres.ts';
import { NO_REDIS, openRedis } from '../../test/support/runner/redis.ts';
import { openCountStore } from './count-store.ts';
import type { Count } from './memory-counter.ts';
import { storedPace } from './stored-pace.ts';

for (const [store, reason] of Object.entries({ Redis: NO_REDIS, PostgreSQL: NO_POSTGRES })) {
  if (reason !== null) process.stderr.write(`A pace on a real ${store} is not tested: ${reason}\n`);
}

const { signal } = new AbortController();

/** A store that answers so and so. */
function telling(...counts: [consumedPoints: number, msBeforeNext: number][]) {
  const asked: string[] = [];
  const penalty = async (key: string): Promise<Count> => {
    asked.push(key);
    const [consumedPoints, msBeforeNext] = counts.shift()!;
    return { consumedPoints, msBeforeNext };
  };
  return { asked, store: { away: null as string | null, counter: () => ({ penalty, get: async () => null }) } };
}

describe('a pace', () => {
  it('has the requests of a second follow in equal steps from its first', async () => {
    const { asked, store } = telling([1, 1000], [2, 1000], [2, 400], [4, 750]);
    const pace = storedPace(store, 'index');
    expect([await pace('pubmed', 4, signal), await pace('pubmed', 4, signal)]).toEqual([0, 250]);
    expect([await pace('pubmed', 4, signal), await pace('europepmc', 4, signal)]).toEqual([0, 500]);
    expect(asked).toEqual(['index pubmed', 'index pubmed', 'index pubmed', 'index europepmc']);
  });

  it('takes a place in the next second where this one has none, unless nobody waits any more', async () => {
    const { asked, store } = telling([3, 1], [2, 1000], [3, 900_000]);
    const pace = storedPace(store, 'board');
    expect(await pace('pubmed', 2, signal)).toBe(500);
    expect(asked).toEqual(['board pubmed', 'board pubmed']);
    const gone = new AbortController();
    const asking = pace('pubmed', 2, gone.signal);
    gone.abort();
    await expect(asking).rejects.toThrow('aborted');
  });

  it('is one request in two seconds for each process while the store is away', async () => {
    const { store } = telling(...Array.from({ length: 4 }, (): [number, number] => [1, 1000]));
    let now = 0;
    const pace = storedPace(store, 'index', () => now);
    store.away = 'it hangs';
    expect([await pace('pubmed', 3, signal), await pace('pubmed', 3, signal)]).toEqual([0, 2000]);
    expect(await pace('europepmc', 3, signal)).toBe(0);
    now = 3000;
    expect(await pace('pubmed', 3, signal)).toBe(1000);
  });
});

describe.each([
  ['Redis', NO_REDIS, openRedis],
  ['PostgreSQL', NO_POSTGRES, () => openDatabase()],
] as const)('a pace in %s', (_name, reason, open) => {
  it.skipIf(reason !== null)('is one for several gateways', async () => {
    await using store = await open();
    await using stack = new AsyncDisposableStack();
    const gateways: ReturnType<typeof storedPace>[] = [];
    for (let number = 0; number < 2; number += 1) {
      gateways.push(storedPace(stack.use(await openCountStore(store.url)), 'index'));
    }
    const begun = performance.now();
    const ask = async (pace: ReturnType<typeof storedPace>) => pause(await pace('pubmed', 4, signal));
    await Promise.all(gateways.flatMap((pace) => Array.from({ length: 5 }, () => ask(pace))));
    // The tenth begins nine steps of 250 ms after the first; five at each gateway alone would take four.
    expect(performance.now() - begun).toBeGreaterThan(2_150);
  });
});
