import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { RATE_BUCKETS, RATE_WINDOW_SECONDS } from '../../contract/limits/limits.ts';
import { type Count, MemoryCounter } from './memory-counter.ts';

/** RATE_STORE cannot be used as it is set; the message tells the operator what to change. */
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
  penalty(key: string, points?: number): Promise<Count>;
  get(key: string): Promise<Count | null>;
}

/** Where several gateways count together; each name has windows of its own. */
export interface CountStore extends AsyncDisposable {
  /** For people, without a password. */
  readonly kind: 'Redis' | 'PostgreSQL';
  /** Why the store is not used; null while it is. */
  readonly away: string | null;
  /** Counts in windows of so many seconds. While the store is away, it counts in memory. */
  counter(name: string, seconds: number): Counter;
}

export interface CountStoreOptions {
  importDriver?: (name: string) => Promise<unknown>;
  /** Monotonic clock of the counts in memory. */
  clock?: () => number;
  /** Called at each change, first where the store is away at the start: with the reason, or null when it is back. */
  onChange?: (away: string | null) => void;
}

/** The library asks for a limit; whoever counts decides on refusals. */
const POINTS = Math.max(...RATE_BUCKETS.map(({ perMinute }) => perMinute));

/** A store that does not answer a question for this long is away. */
const STORE_WAIT_MS = 1_000;
/** A store that is away is asked again after this long. No request waits for that. */
const STORE_PAUSE_MS = 1_000;

/**
 * Opens the store at a redis:// or postgres:// address. A store that is away counts in memory until it answers, also
 * from the start: after a power cut gateways come up in any order. Throws RateStoreFault where waiting would not help:
 * its driver is not installed, or the server refuses the name, the password or the database.
 */
export async function openCountStore(
  url: string,
  { importDriver = (name) => import(name), clock, onChange = () => {} }: CountStoreOptions = {},
): Promise<CountStore> {
  const store = /^rediss?:/.test(url) ? await redisStore(url, importDriver) : await postgresStore(url, importDriver);
  let away: string | null = null;
  let asking: NodeJS.Timeout | null = null;
  let isClosed = false;
  const leave = (cause: unknown): void => {
    if (away !== null || isClosed) return;
    away = reasonOf(store.origin(cause));
    onChange(away);
    askLater();
  };
  const askLater = (): void => {
    asking = setTimeout(async () => {
      try {
        await store.prepare();
      } catch {
        if (!isClosed) askLater();
        return;
      }
      if (isClosed) return;
      away = null;
      onChange(null);
    }, STORE_PAUSE_MS).unref();
  };
  try {
    await store.prepare();
  } catch (failure) {
    const cause = store.origin(failure);
    if (store.refuses(cause)) {
      await store.close();
      throw new RateStoreFault(`RATE_STORE: the ${store.kind} server refuses this address: ${reasonOf(cause)}`, {
        cause,
      });
    }
    leave(cause);
  }
  return {
    kind: store.kind,
    get away() {
      return away;
    },
    counter: (name, seconds) => {
      const stored = store.counter({ keyPrefix: name, points: POINTS, duration: seconds });
      return insured(stored, new MemoryCounter(seconds, clock), { isAway: () => away !== null, leave });
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      if (asking !== null) clearTimeout(asking);
      await store.close();
    },
  };
}

/** Counts in memory while the store is away; calls `leave` when it is found to be. */
function insured(
  stored: Counter,
  memory: MemoryCounter,
  { isAway, leave }: { isAway: () => boolean; leave: (cause: unknown) => void },
): Counter {
  const asked = async <Result>(ask: () => Promise<Result>, alone: () => Result): Promise<Result> => {
    if (isAway()) return alone();
    try {
      return await ask();
    } catch (cause) {
      leave(cause);
      return alone();
    }
  };
  return {
    penalty: (key, points) =>
      asked<Count>(
        () => stored.penalty(key, points),
        () => memory.penalty(key, points),
      ),
    get: (key) =>
      asked<Count | null>(
        () => stored.get(key),
        () => memory.get(key),
      ),
  };
}

interface OpenStore {
  kind: CountStore['kind'];
  /** Connects and makes what is missing; rejects while the store is away. */
  prepare(): Promise<void>;
  /** Whether the server answers and will not take what the address says. */
  refuses(cause: unknown): boolean;
  /** What a failure came from, where the store knows more than the failure tells. */
  origin(failure: unknown): unknown;
  counter(options: { keyPrefix: string; points: number; duration: number }): Counter;
  close(): Promise<void>;
}

interface RedisModule {
  Redis: new (
    url: string,
    options: object,
  ) => {
    status: string;
    connect(): Promise<void>;
    ping(): Promise<unknown>;
    disconnect(): void;
    on(event: string, listener: (cause: unknown) => void): void;
  };
}

async function redisStore(url: string, importDriver: (name: string) => Promise<unknown>): Promise<OpenStore> {
  const { Redis } = await driver<RedisModule>('ioredis', 'redis://', importDriver);
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: STORE_WAIT_MS,
    commandTimeout: STORE_WAIT_MS,
  });
  // The client connects again by itself. Its promises reject with less than the event tells.
  let lastFault: unknown = null;
  client.on('error', (cause) => {
    lastFault = cause;
  });
  client.on('ready', () => {
    lastFault = null;
  });
  return {
    kind: 'Redis',
    prepare: async () => {
      if (client.status === 'wait') await client.connect();
      await client.ping();
    },
    origin: (failure) => lastFault ?? failure,
    refuses: (cause) => /^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(reasonOf(cause)),
    counter: (options) => new RateLimiterRedis({ ...options, storeClient: client }),
    close: async () => client.disconnect(),
  };
}

interface PostgresModule {
  default: { Pool: new (options: object) => { end(): Promise<void>; on(event: string, listener: () => void): void } };
}

/** Of a password or role, a role that may not connect, a database that is not there, rights that are missing. */
const POSTGRES_REFUSALS: readonly unknown[] = ['28P01', '28000', '3D000', '42501'];
/** `CREATE TABLE IF NOT EXISTS` fails where another gateway makes the same table at that moment. */
const MADE_BY_ANOTHER: readonly unknown[] = ['23505', '42P07', '42710'];

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
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
  let clears = true;
  const makeTable = (): Promise<void> =>
    new Promise((resolve, reject) => {
      // It makes the table where it is not there; the first that succeeds goes on to clear old rows.
      const options = { ...table, points: POINTS, duration: RATE_WINDOW_SECONDS, clearExpiredByTimeout: clears };
      new RateLimiterPostgres(options, (cause) => {
        if (cause) return reject(cause);
        clears = false;
        setImmediate(resolve);
      });
    });
  return {
    kind: 'PostgreSQL',
    prepare: () =>
      makeTable().catch((cause: unknown) => {
        if (MADE_BY_ANOTHER.includes(codeOf(cause))) return makeTable();
        throw cause;
      }),
    origin: (failure) => failure,
    refuses: (cause) => POSTGRES_REFUSALS.includes(codeOf(cause)),
    counter: (options) =>
      new RateLimiterPostgres({ ...table, ...options, tableCreated: true, clearExpiredByTimeout: false }),
    close: () => pool.end(),
  };
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

/** Several addresses of one name fail in one error without a message of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}
