import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DuckDBValue } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { RegistryId } from '../../contract/ids.ts';
import type { DiffKind } from '../../contract/schemas/trials/snapshot-diff.ts';
import { compareSnapshots, type DiffTotals, diffLists } from '../../snapshot/sql/compare.ts';
import type { SqlConnection } from '../../snapshot/sql/connection.ts';
import { rowsOf, Turns } from './turns.ts';

/** Most pairs whose lists are kept; the least recently used are dropped. A day's change takes some megabytes. */
const KEPT_PAIRS = 6;
/** Most comparisons that wait or run. */
const UNFINISHED_PAIRS = 5;
/** How long a request waits. Two full snapshots a day apart take less; for very different ones the caller asks again. */
const WAIT_MS = 5000;
/** A failed comparison is not tried again for this long. */
const FAILED_MS = 60_000;

/** A comparison and its lists may hold so much in memory; the rest goes to disk, and no more of it than this. */
const MEMORY_LIMIT = '512MB';
const SPILL_LIMIT = '8GB';

/** Filters the entries of one list. */
export interface EntryFilter {
  kind: DiffKind;
  /** A column that differs. */
  field?: string | undefined;
  /** Entries about a registration of this registry, on either side. */
  registry?: RegistryId | undefined;
  /** Part of an id, in any case. */
  q?: string | undefined;
}

export interface EntryPage {
  /** Exact number of entries in the whole filtered list. */
  total: number;
  /** JSON of each entry, ordered by its key. */
  entries: string[];
  /** The columns that differ in the list before a filter by column, the most frequent first, with their entries. */
  fields: { field: string; entries: number }[];
}

/** Result of a request for a pair of snapshots. */
export type Compared =
  | { state: 'compared'; totals: DiffTotals; page: EntryPage }
  /** It is running or waiting; a later request finds it done. */
  | { state: 'unfinished' }
  | { state: 'failed'; retryAfterSeconds: number }
  | { state: 'too many' };

/** A version whose tables are compared. */
export interface ComparedVersion {
  dir: string;
  version: string;
}

interface Lists extends AsyncDisposable {
  totals: DiffTotals;
  page(filter: EntryFilter, range: { offset: number; limit: number }): Promise<EntryPage>;
}

type Compare = (from: ComparedVersion, to: ComparedVersion, signal: AbortSignal) => Promise<Lists>;

export interface ComparisonsOptions {
  log: Logger;
  waitMs?: number;
  failedMs?: number;
  keptPairs?: number;
  compare?: Compare;
}

/**
 * Compares snapshots on threads of the database, so that other requests are not delayed: one pair at a time, each pair
 * once for all callers. A comparison continues after its callers stopped waiting, so that a later request finds it done.
 */
export class Comparisons implements AsyncDisposable {
  readonly #options: Required<ComparisonsOptions>;
  /** The lists of each pair; null after a failure. */
  readonly #pairs: LRUCache<string, Promise<Lists | null>>;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #ending = new AbortController();

  constructor(options: ComparisonsOptions) {
    const defaults = { waitMs: WAIT_MS, failedMs: FAILED_MS, keptPairs: KEPT_PAIRS, compare: compareLists };
    this.#options = { ...defaults, ...options };
    this.#pairs = new LRUCache({
      max: this.#options.keptPairs,
      ttlResolution: 0,
      noDisposeOnSet: true,
      dispose: (done) => void done.then((lists) => lists?.[Symbol.asyncDispose]()),
    });
  }

  /** Totals of a pair, and a page of one list. */
  async read(
    from: ComparedVersion,
    to: ComparedVersion,
    filter: EntryFilter,
    range: { offset: number; limit: number },
  ): Promise<Compared> {
    const key = `${from.dir} ${to.dir}`;
    const done = this.#pairs.get(key) ?? this.#started(key, from, to);
    if (done === null) return { state: 'too many' };
    const { waitMs, failedMs } = this.#options;
    const late = new AbortController();
    const waited = setTimeout(waitMs, undefined, { signal: late.signal }).catch(() => undefined);
    const lists = await Promise.race([done, waited]);
    late.abort();
    if (lists === undefined) return { state: 'unfinished' };
    if (lists === null) return { state: 'failed', retryAfterSeconds: Math.ceil(failedMs / 1000) };
    return { state: 'compared', totals: lists.totals, page: await lists.page(filter, range) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#queue.onIdle();
    for (const done of this.#pairs.values()) await (await done)?.[Symbol.asyncDispose]();
  }

  /** Null if too many are unfinished. */
  #started(key: string, from: ComparedVersion, to: ComparedVersion): Promise<Lists | null> | null {
    const { signal } = this.#ending;
    if (signal.aborted || this.#queue.size + this.#queue.pending >= UNFINISHED_PAIRS) return null;
    const { compare, log, failedMs } = this.#options;
    const done = this.#queue.add(() =>
      compare(from, to, signal).catch((err: unknown) => {
        const versions = { from: from.version, to: to.version };
        if (!signal.aborted) log.error({ ...versions, err }, 'two snapshots could not be compared');
        if (failedMs === 0) this.#pairs.delete(key);
        else this.#pairs.set(key, done, { ttl: failedMs });
        return null;
      }),
    );
    this.#pairs.set(key, done);
    return done;
  }
}

/** Compares two versions in a database of its own, which then holds the lists alone. Rejects where a file cannot be read or does not add up. */
export async function compareLists(from: ComparedVersion, to: ComparedVersion, signal: AbortSignal): Promise<Lists> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    threads: '2',
    // DuckDB makes this folder at the first spill, and removes it when the database is closed.
    temp_directory: join(tmpdir(), `trial-board-comparison-${randomUUID()}`),
    max_temp_directory_size: SPILL_LIMIT,
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  // Intermediate views and tables belong to this connection and end with it.
  const connection = await instance.connect();
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  // Between two statements there is nothing to interrupt.
  const db: SqlConnection = {
    run: async (sql) => {
      signal.throwIfAborted();
      await connection.run(sql);
    },
    one: async (sql) => {
      signal.throwIfAborted();
      return (await rowsOf(connection, sql, []))[0] ?? null;
    },
  };
  try {
    const totals = await compareSnapshots(db, from.dir, to.dir);
    await db.run(`CREATE TABLE lists AS ${await diffLists()}`);
    const turns = new Turns(await instance.connect());
    return {
      totals,
      page: (filter, range) => pageOf(turns, filter, range),
      [Symbol.asyncDispose]: async () => {
        await turns[Symbol.asyncDispose]();
        instance.closeSync();
      },
    };
  } catch (error) {
    instance.closeSync();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    connection.closeSync();
  }
}

/** A page of a list, from `offset`. Entries are sorted by key; no key occurs twice in a list. */
function pageOf(turns: Turns, filter: EntryFilter, range: { offset: number; limit: number }): Promise<EntryPage> {
  const { condition, values } = conditionOf(filter);
  const all = conditionOf({ ...filter, field: undefined });
  return turns.take(async (connection) => {
    const counted = await rowsOf(connection, `SELECT count(*)::DOUBLE AS total FROM lists WHERE ${condition}`, values);
    const rows = await rowsOf(
      connection,
      `SELECT entry FROM lists WHERE ${condition} ORDER BY k LIMIT ${range.limit} OFFSET ${range.offset}`,
      values,
    );
    const fields = await rowsOf(
      connection,
      `SELECT field, count(*)::DOUBLE AS entries FROM (SELECT unnest(fields) AS field FROM lists WHERE ${all.condition})
       GROUP BY field ORDER BY entries DESC, field`,
      all.values,
    );
    return {
      total: Number(counted[0]?.total),
      entries: rows.map(({ entry }) => String(entry)),
      fields: fields.map(({ field, entries }) => ({ field: String(field), entries: Number(entries) })),
    };
  });
}

function conditionOf({ kind, field, registry, q }: EntryFilter): { condition: string; values: DuckDBValue[] } {
  const given: [string, string | undefined][] = [
    ['list = $', kind],
    ['list_contains(fields, $)', field],
    ['list_contains(registries, $)', registry],
    ['contains(lower(ids), $)', q?.toLowerCase()],
  ];
  const used = given.filter((one): one is [string, string] => one[1] !== undefined);
  return {
    condition: used.map(([test], place) => test.replace('$', () => `$${place + 1}`)).join(' AND '),
    values: used.map(([, value]) => value),
  };
}
