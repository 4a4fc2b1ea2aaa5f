import type { Logger } from 'pino';
import type { DiffTotals, SnapshotSide } from '../snapshot/sql/compare.ts';
import type { ComparisonStore, EntryFilter, EntryPage } from './store/comparison-store.ts';

/** Most pairs whose lists are kept; the least recently used are dropped. A day's change takes some megabytes. */
const KEPT_PAIRS = 6;
/** Most comparisons that wait for the running one. */
const WAITING_PAIRS = 4;
/** How long a request waits. Two full snapshots a day apart take less; for very different ones the caller asks again. */
const WAIT_MS = 5000;
/** A failed comparison is not tried again for this long. */
const FAILED_MS = 60_000;

/** Result of a request for a pair of snapshots. */
export type Compared =
  | { state: 'compared'; totals: DiffTotals; page: EntryPage }
  /** It is running or waiting; a later request finds it done. */
  | { state: 'unfinished' }
  | { state: 'failed'; retryAfterSeconds: number }
  | { state: 'too many' };

interface Pair {
  number: number;
  done: Promise<Outcome>;
  outcome: Outcome | null;
  /** Requests that read its lists now. */
  readers: number;
}

type Outcome = { totals: DiffTotals } | { failedAt: number };

export interface ComparisonsOptions {
  log: Logger;
  waitMs?: number;
  failedMs?: number;
  keptPairs?: number;
  openStore?: () => Promise<ComparisonStore>;
}

/**
 * Compares snapshots on threads of the database, so that other requests are not delayed: one pair at a time, each pair
 * once for all callers. A comparison continues after its callers stopped waiting, so that a later request finds it done.
 */
export class Comparisons implements AsyncDisposable {
  readonly #options: Required<ComparisonsOptions>;
  /** Least recently used first. */
  readonly #pairs = new Map<string, Pair>();
  #store: Promise<ComparisonStore> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #numbers = 0;
  #closed = false;

  constructor(options: ComparisonsOptions) {
    const defaults = { waitMs: WAIT_MS, failedMs: FAILED_MS, keptPairs: KEPT_PAIRS, openStore: openComparisonStore };
    this.#options = { ...defaults, ...options };
  }

  /** Totals of a pair, and a page of one list. */
  async read(
    from: SnapshotSide,
    to: SnapshotSide,
    filter: EntryFilter,
    range: { offset: number; limit: number },
  ): Promise<Compared> {
    const pair = this.#pairOf(from, to);
    if (pair === null) return { state: 'too many' };
    pair.readers += 1;
    try {
      const outcome = pair.outcome ?? (await within(pair.done, this.#options.waitMs));
      if (outcome === null) return { state: 'unfinished' };
      if ('failedAt' in outcome) {
        return { state: 'failed', retryAfterSeconds: Math.ceil(this.#options.failedMs / 1000) };
      }
      const store = await this.#opened();
      return { state: 'compared', totals: outcome.totals, page: await store.page(pair.number, filter, range) };
    } finally {
      pair.readers -= 1;
      this.#forget();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const store = await this.#store?.catch(() => null);
    store?.interrupt();
    await this.#last;
    await store?.[Symbol.asyncDispose]();
  }

  /** The pair, started if it is new; null if too many wait. */
  #pairOf(from: SnapshotSide, to: SnapshotSide): Pair | null {
    const key = `${from.dir} ${to.dir}`;
    const known = this.#pairs.get(key);
    if (known !== undefined && !this.#isToBeTriedAgain(known)) {
      this.#pairs.delete(key);
      this.#pairs.set(key, known);
      return known;
    }
    if (this.#closed || [...this.#pairs.values()].filter(({ outcome }) => outcome === null).length > WAITING_PAIRS) {
      return null;
    }
    this.#pairs.delete(key);
    const number = this.#numbers;
    this.#numbers += 1;
    const pair: Pair = { number, done: this.#compared(number, from, to), outcome: null, readers: 0 };
    void pair.done.then((outcome) => {
      pair.outcome = outcome;
      this.#forget();
    });
    this.#pairs.set(key, pair);
    return pair;
  }

  #isToBeTriedAgain({ outcome }: Pair): boolean {
    return outcome !== null && 'failedAt' in outcome && performance.now() - outcome.failedAt >= this.#options.failedMs;
  }

  /** Runs after the earlier comparisons; never rejects. */
  #compared(number: number, from: SnapshotSide, to: SnapshotSide): Promise<Outcome> {
    const outcome = this.#last.then(async (): Promise<Outcome> => {
      const versions = { from: from.manifest.version, to: to.manifest.version };
      try {
        if (this.#closed) throw new Error('the server closes');
        const store = await this.#opened();
        return { totals: await store.compare(number, from, to) };
      } catch (error) {
        if (!this.#closed) this.#options.log.error({ ...versions, err: error }, 'two snapshots could not be compared');
        return { failedAt: performance.now() };
      }
    });
    this.#last = outcome;
    return outcome;
  }

  #opened(): Promise<ComparisonStore> {
    this.#store ??= this.#options.openStore().catch((error: unknown) => {
      this.#store = null;
      throw error;
    });
    return this.#store;
  }

  /** Drops the least recently used pairs, except those being compared or read. */
  #forget(): void {
    for (const [key, pair] of this.#pairs) {
      if (this.#pairs.size <= this.#options.keptPairs) return;
      if (pair.outcome === null || pair.readers > 0) continue;
      this.#pairs.delete(key);
      if ('failedAt' in pair.outcome) continue;
      this.#opened()
        .then((store) => store.drop(pair.number))
        .catch((err: unknown) => this.#options.log.error({ err }, 'a comparison could not be dropped'));
    }
  }
}

/** Value of a promise that never rejects, or null after this time. */
async function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Loaded for the first comparison, so that a start does not wait for the database. */
async function openComparisonStore(): Promise<ComparisonStore> {
  const { ComparisonStore } = await import('./store/comparison-store.ts');
  return ComparisonStore.open();
}
