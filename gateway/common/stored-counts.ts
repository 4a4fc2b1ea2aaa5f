import { RATE_WINDOW_SECONDS } from '../../contract/limits/limits.ts';
import type { Counter, CountStore } from '../../server-kit/limits/count-store.ts';
import type { Count } from '../../server-kit/limits/memory-counter.ts';
import { dayOf } from '../admission/daily-counts.ts';
import type { CallerCounts, RequestsToday } from './common.ts';

/** Longer than a day: a count of yesterday, under its own key, ends by itself. */
const DAY_KEPT_SECONDS = 2 * 86_400;

/** What is counted of callers in the store that RATE_STORE names, by all gateways of the installation together. */
export class StoredCounts implements CallerCounts {
  readonly #store: CountStore;
  readonly #wrongKeys: Counter;
  readonly #daily: Counter;
  readonly #now: () => Date;
  /** The last count of each caller that is on its way. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(store: CountStore, now: () => Date) {
    this.#store = store;
    this.#wrongKeys = store.counter('trial-board-wrong-keys', RATE_WINDOW_SECONDS);
    this.#daily = store.counter('trial-board-day', DAY_KEPT_SECONDS);
    this.#now = now;
  }

  get heldIn(): CallerCounts['heldIn'] {
    return this.#store.away === null ? 'the store of all gateways' : 'memory of this gateway';
  }

  noteWrongKey(address: string): Promise<Count> {
    return this.#wrongKeys.penalty(address);
  }

  wrongKeysOf(address: string): Promise<Count | null> {
    return this.#wrongKeys.get(address);
  }

  /** The request does not wait for the store. */
  noteRequest(caller: string): void {
    const counting = this.#daily.penalty(this.#keyOf(caller)).finally(() => {
      if (this.#underWay.get(caller) === counting) this.#underWay.delete(caller);
    });
    this.#underWay.set(caller, counting);
  }

  async requestsOf(caller: string): Promise<RequestsToday> {
    // The request that asks is in the count.
    await this.#underWay.get(caller);
    const counted = await this.#daily.get(this.#keyOf(caller));
    const day = dayOf(this.#now());
    return { count: counted?.consumedPoints ?? 0, day, countedSince: `${day}T00:00:00.000Z` };
  }

  #keyOf(caller: string): string {
    return `${dayOf(this.#now())} ${caller}`;
  }
}
