import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type CountStore, openCountStore } from './count-store.ts';

/** Milliseconds until a request to a source may begin; rejects when `signal` aborts. */
type StoredPace = (source: string, perSecond: number, signal: AbortSignal) => Promise<number>;

/** Which servers share a rate: a source counts the address of both, so each kind keeps to its part. */
type AskedBy = 'index' | 'board';

const WINDOW_MS = 1_000;
/** Between two requests of one process while the store is away. Rather too slow than faster than a source allows. */
const ALONE_MS = 2_000;

/**
 * The pace of all servers of a kind that count in one store. A second begins with its first request; the others of the
 * second follow in equal steps, so that no stretch of a second has more than its requests, whoever sends them.
 */
export function storedPace(
  store: Pick<CountStore, 'away' | 'counter'>,
  askedBy: AskedBy,
  clock: () => number = () => performance.now(),
): StoredPace {
  const counter = store.counter('trial-board-pace', WINDOW_MS / 1000);
  const lastAlone = new Map<string, number>();
  const alone = (source: string): number => {
    const now = clock();
    const at = Math.max(now, (lastAlone.get(source) ?? Number.NEGATIVE_INFINITY) + ALONE_MS);
    lastAlone.set(source, at);
    return at - now;
  };
  return async (source, perSecond, signal) => {
    for (;;) {
      const { consumedPoints, msBeforeNext } = await counter.penalty(`${askedBy} ${source}`);
      // It then was counted in the memory of this process.
      if (store.away !== null) return alone(source);
      const step = ((consumedPoints - 1) * WINDOW_MS) / perSecond;
      if (consumedPoints <= perSecond) return Math.max(0, step - (WINDOW_MS - msBeforeNext));
      await pause(msBeforeNext, undefined, { signal });
    }
  };
}

/** The pace of a server that counts nothing else in the store. */
export async function openPace(
  url: string,
  askedBy: AskedBy,
  log: Logger,
): Promise<{ pace: StoredPace } & AsyncDisposable> {
  const store = await openCountStore(url, {
    onChange: (away) => {
      const event = 'rate-store';
      if (away === null) log.info({ event }, 'RATE_STORE: the store answers; requests to literature are paced there');
      else log.warn({ event, reason: away }, 'RATE_STORE: the store does not answer; literature is asked more slowly');
    },
  });
  return {
    pace: storedPace(store, askedBy),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
