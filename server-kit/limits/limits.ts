import {
  RATE_BUCKETS,
  RATE_WINDOW_SECONDS,
  type RateBucket,
  type RateBucketId,
  type RateScope,
} from '../../contract/limits/limits.ts';
import { type Counter, type CountStore, openCountStore } from './count-store.ts';
import { type Count, MemoryCounter } from './memory-counter.ts';

/** A caller's remaining requests in one bucket. */
export interface Allowance {
  bucket: RateBucketId;
  scope: RateScope;
  /** Requests in one window. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends, rounded up; 0 if none has begun. */
  resetSeconds: number;
  /** Whether this request exceeds the limit. */
  refused: boolean;
}

/** What is there at once where it is counted in this process. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Goes on with a value, without a promise where it is there. */
export function goOn<Value, Result>(
  value: Awaitable<Value>,
  go: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(go) : go(value);
}

/** Counts requests in fixed windows of RATE_WINDOW_SECONDS, each beginning with a caller's first request. */
export interface RateLimiter extends AsyncDisposable {
  /**
   * Counts a request of `subject` (an address or a key's id) and returns the allowance; `limit` lowers the bucket's,
   * `points` is how many requests it counts as.
   */
  charge(bucket: RateBucketId, subject: string, limit?: number, points?: number): Awaitable<Allowance>;
  /** Returns the allowance without counting a request. */
  look(bucket: RateBucketId, subject: string, limit?: number): Awaitable<Allowance>;
}

const BY_ID = new Map<RateBucketId, RateBucket>(RATE_BUCKETS.map((bucket) => [bucket.id, bucket]));

/** The name of the counts of requests. */
const RATES = 'trial-board';

/**
 * Opens the limiter that RATE_STORE names: `memory`, or a redis:// or postgres:// address, as `openCountStore` does.
 * `clock` is the monotonic clock of counts in memory.
 */
export async function openRateLimiter(
  store: string,
  importDriver?: (name: string) => Promise<unknown>,
  clock?: () => number,
): Promise<RateLimiter> {
  if (store === 'memory') return limiterOver(new MemoryCounter(RATE_WINDOW_SECONDS, clock), async () => {});
  const counts = await openCountStore(store, { ...(importDriver && { importDriver }), ...(clock && { clock }) });
  return limiterIn(counts, async () => counts[Symbol.asyncDispose]());
}

/** The limiter of requests in a store. */
export function limiterIn(counts: CountStore, close: () => Promise<void> = async () => {}): RateLimiter {
  return limiterOver(counts.counter(RATES, RATE_WINDOW_SECONDS), close);
}

/** A limiter over counts in this process or elsewhere. */
export function limiterOver(counter: Counter | MemoryCounter, close: () => Promise<void>): RateLimiter {
  const stand = (
    id: RateBucketId,
    subject: string,
    own: number | undefined,
    count: (key: string) => Awaitable<Count | null>,
  ): Awaitable<Allowance> => {
    return goOn(count(`${id}:${subject}`), (counted) => standing(id, own, counted));
  };
  return {
    charge: (id, subject, limit, points = 1) => stand(id, subject, limit, (key) => counter.penalty(key, points)),
    look: (id, subject, limit) => stand(id, subject, limit, (key) => counter.get(key)),
    [Symbol.asyncDispose]: close,
  };
}

function standing(id: RateBucketId, own: number | undefined, counted: Count | null): Allowance {
  const bucket = BY_ID.get(id)!;
  const limit = Math.min(bucket.perMinute, own ?? bucket.perMinute);
  const running = counted !== null && counted.msBeforeNext > 0;
  const consumed = running ? counted.consumedPoints : 0;
  return {
    bucket: id,
    scope: bucket.scope,
    limit,
    remaining: Math.max(0, limit - consumed),
    // A store elsewhere may tell a longer time than the window has, and a clock with fractions rounds up beyond it.
    resetSeconds: running ? Math.min(RATE_WINDOW_SECONDS, Math.ceil(counted.msBeforeNext / 1000)) : 0,
    refused: consumed > limit,
  };
}

/** The three fields that the interface names, and the two of the newer draft. */
export function rateHeaders({ bucket, limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
    'ratelimit-policy': `"${bucket}";q=${limit};w=${RATE_WINDOW_SECONDS}`,
    ratelimit: `"${bucket}";r=${remaining};t=${resetSeconds}`,
  };
}
