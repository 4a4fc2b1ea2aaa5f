import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import {
  RATE_BUCKETS,
  RATE_WINDOW_SECONDS,
  type RateBucket,
  type RateBucketId,
  type RateScope,
} from '../contract/limits.ts';
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

/** The store that RATE_STORE names cannot be used; the message tells the operator what to do. */
class RateStoreFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RateStoreFault';
  }
}

/**
 * The part of the library's limiters that is used. `penalty` counts and never rejects, so that one place decides on
 * refusals.
 */
export interface Counter {
  penalty(key: string, points?: number): Awaitable<Count>;
  get(key: string): Awaitable<Count | null>;
}

/** Where several gateways count together; each name has windows of its own. */
export interface CountStore extends AsyncDisposable {
  /** Counts in windows of so many seconds. While the store does not answer, it counts in memory. */
  counter(name: string, seconds: number): Counter;
}

const BY_ID = new Map<RateBucketId, RateBucket>(RATE_BUCKETS.map((bucket) => [bucket.id, bucket]));

/** The name of the counts of requests. */
const RATES = 'trial-board';
/** The library asks for a limit; whoever counts decides on refusals. */
const POINTS = Math.max(...RATE_BUCKETS.map(({ perMinute }) => perMinute));

/** A store that does not answer a question for this long is away. */
const STORE_WAIT_MS = 1_000;
/** A store that was away is asked again after this long; until then no request waits for it. */
const STORE_PAUSE_MS = 1_000;

/**
 * Opens the limiter that RATE_STORE names: `memory`, or a redis:// or postgres:// address. While that store does not
 * answer, requests are counted in memory. `clock` is the monotonic clock of counts in memory. Throws RateStoreFault if
 * its driver is not installed or it cannot be reached at the start.
 */
export async function openRateLimiter(
  store: string,
  importDriver: (name: string) => Promise<unknown> = (name) => import(name),
  clock?: () => number,
): Promise<RateLimiter> {
  if (store === 'memory') return limiterOver(new MemoryCounter(RATE_WINDOW_SECONDS, clock), async () => {});
  const counts = await openCountStore(store, importDriver, clock);
  return limiterIn(counts, async () => counts[Symbol.asyncDispose]());
}

/** Opens the store at a redis:// or postgres:// address, as `openRateLimiter` does. */
export function openCountStore(
  store: string,
  importDriver: (name: string) => Promise<unknown> = (name) => import(name),
  clock?: () => number,
): Promise<CountStore> {
  const opened = /^rediss?:/.test(store) ? redisStore(store, importDriver) : postgresStore(store, importDriver);
  return opened.then(({ counter, close }) => ({
    counter: (name, seconds) =>
      insured(counter({ keyPrefix: name, points: POINTS, duration: seconds }), new MemoryCounter(seconds, clock)),
    [Symbol.asyncDispose]: close,
  }));
}

/** The limiter of requests in a store. */
export function limiterIn(counts: CountStore, close: () => Promise<void> = async () => {}): RateLimiter {
  return limiterOver(counts.counter(RATES, RATE_WINDOW_SECONDS), close);
}

/** Counts in memory while the store fails or does not answer in time. */
function insured(store: Counter, memory: MemoryCounter): Counter {
  let askAgainAt = 0;
  const asked = async <Result>(ask: () => Awaitable<Result>, alone: () => Result): Promise<Result> => {
    if (performance.now() < askAgainAt) return alone();
    try {
      return await ask();
    } catch {
      askAgainAt = performance.now() + STORE_PAUSE_MS;
      return alone();
    }
  };
  return {
    penalty: (key, points) =>
      asked<Count>(
        () => store.penalty(key, points),
        () => memory.penalty(key, points),
      ),
    get: (key) =>
      asked<Count | null>(
        () => store.get(key),
        () => memory.get(key),
      ),
  };
}

/** A limiter over counts that are kept elsewhere. */
export function limiterOver(counter: Counter, close: () => Promise<void>): RateLimiter {
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
    resetSeconds: running ? Math.ceil(counted.msBeforeNext / 1000) : 0,
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

interface RedisModule {
  Redis: new (
    url: string,
    options: object,
  ) => { connect(): Promise<void>; disconnect(): void; on(event: string, listener: () => void): void };
}

interface PostgresModule {
  default: { Pool: new (options: object) => { end(): Promise<void>; on(event: string, listener: () => void): void } };
}

async function driver<Module>(
  name: string,
  scheme: string,
  importDriver: (name: string) => Promise<unknown>,
): Promise<Module> {
  try {
    return (await importDriver(name)) as Module;
  } catch (cause) {
    const message = `RATE_STORE is a ${scheme} address, but the package ${name} is not installed: run \`npm install ${name}\`, or set RATE_STORE=memory`;
    throw new RateStoreFault(message, { cause });
  }
}

interface OpenStore {
  counter(options: { keyPrefix: string; points: number; duration: number }): Counter;
  close(): Promise<void>;
}

async function redisStore(url: string, importDriver: (name: string) => Promise<unknown>): Promise<OpenStore> {
  const { Redis } = await driver<RedisModule>('ioredis', 'redis://', importDriver);
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: STORE_WAIT_MS,
  });
  // The client reconnects by itself; until then, requests are counted in memory.
  client.on('error', () => {});
  await client.connect().catch((cause: unknown) => {
    throw new RateStoreFault('RATE_STORE: the Redis server does not answer', { cause });
  });
  return {
    counter: (options) => new RateLimiterRedis({ ...options, storeClient: client }),
    close: async () => client.disconnect(),
  };
}

async function postgresStore(url: string, importDriver: (name: string) => Promise<unknown>): Promise<OpenStore> {
  const postgres = await driver<PostgresModule>('pg', 'postgres://', importDriver);
  const pool = new postgres.default.Pool({
    connectionString: url,
    connectionTimeoutMillis: STORE_WAIT_MS,
    query_timeout: STORE_WAIT_MS,
  });
  pool.on('error', () => {});
  const table = { storeClient: pool, tableName: 'rate_limits' };
  // The first of them makes the table.
  await new Promise<void>((resolve, reject) => {
    new RateLimiterPostgres({ ...table, points: POINTS, duration: RATE_WINDOW_SECONDS }, (cause) =>
      cause
        ? reject(new RateStoreFault('RATE_STORE: the PostgreSQL server does not answer', { cause }))
        : setImmediate(resolve),
    );
  });
  return {
    counter: (options) =>
      new RateLimiterPostgres({ ...table, ...options, tableCreated: true, clearExpiredByTimeout: false }),
    close: () => pool.end(),
  };
}
