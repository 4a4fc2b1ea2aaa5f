import { describe, expect, it } from 'vitest';
import { openCountStore } from '../../server-kit/limits/count-store.ts';
import { NO_POSTGRES, openDatabase } from '../../test/support/runner/postgres.ts';
import { NO_REDIS, openRedis } from '../../test/support/runner/redis.ts';
import { StoredCounts } from './stored-counts.ts';

for (const [store, reason] of Object.entries({ Redis: NO_REDIS, PostgreSQL: NO_POSTGRES })) {
  if (reason !== null) process.stderr.write(`Counts of callers on a real ${store} are not tested: ${reason}\n`);
}

describe.each([
  ['Redis', NO_REDIS, openRedis],
  ['PostgreSQL', NO_POSTGRES, () => openDatabase()],
] as const)('counts of callers in %s', (_name, reason, open) => {
  it.skipIf(reason !== null)('are exact over several gateways, by day and by caller', async () => {
    await using store = await open();
    await using stack = new AsyncDisposableStack();
    let now = new Date('2026-11-26T23:59:00Z');
    const gateway = async () => new StoredCounts(stack.use(await openCountStore(store.url)), () => now);
    const [first, second] = [await gateway(), await gateway()];
    for (let number = 0; number < 20; number += 1) {
      first.noteRequest('address 192.0.2.1');
      second.noteRequest('address 192.0.2.1');
      // A store that is given too much at once on a busy machine counts as away.
      await Promise.all([first, second].map((one) => one.requestsOf('address 192.0.2.1')));
    }
    expect(await second.requestsOf('address 192.0.2.1')).toEqual({
      count: 40,
      day: '2026-11-26',
      countedSince: '2026-11-26T00:00:00.000Z',
    });
    expect((await first.requestsOf('address 192.0.2.2')).count).toBe(0);
    await Promise.all([first, second, first].map((one) => one.noteWrongKey('192.0.2.1')));
    expect((await second.wrongKeysOf('192.0.2.1'))?.consumedPoints).toBe(3);
    now = new Date('2026-11-27T00:00:01Z');
    expect(await first.requestsOf('address 192.0.2.1')).toMatchObject({ count: 0, day: '2026-11-27' });
  });
});
