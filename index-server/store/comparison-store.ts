import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import type { RegistryId } from '../../contract/ids.ts';
import type { DiffKind } from '../../contract/schemas/trials/snapshot-diff.ts';
import { compareSnapshots, type DiffTotals, type SnapshotSide } from '../../snapshot/sql/compare.ts';
import type { SqlConnection } from '../../snapshot/sql/connection.ts';
import { LIST_SPECS } from '../../snapshot/sql/lists.ts';
import { rowsOf, Turns } from './turns.ts';

/**
 * What a comparison may hold in memory, and lists that are kept; the rest goes to disk, and no more of it than this.
 */
const MEMORY_LIMIT = '512MB';
const SPILL_LIMIT = '8GB';
const THREADS = '2';

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

/**
 * Lists of the differences between two snapshots, each pair under a number. They are temporary: in memory, and in a
 * directory of the system's temporary files that is removed when the store is closed.
 */
export class ComparisonStore implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #turns: Turns;
  readonly #spill: string;
  #comparing: DuckDBConnection | null = null;
  #isEnding = false;

  private constructor(instance: DuckDBInstance, turns: Turns, spill: string) {
    this.#instance = instance;
    this.#turns = turns;
    this.#spill = spill;
  }

  static async open(): Promise<ComparisonStore> {
    const spill = await mkdtemp(join(tmpdir(), 'trial-board-comparisons-'));
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: MEMORY_LIMIT,
      threads: THREADS,
      temp_directory: spill,
      max_temp_directory_size: SPILL_LIMIT,
      preserve_insertion_order: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    return new ComparisonStore(instance, new Turns(await instance.connect()), spill);
  }

  /** Compares a pair and keeps its lists; one at a time. Rejects where a file cannot be read or does not add up. */
  async compare(pair: number, from: SnapshotSide, to: SnapshotSide): Promise<DiffTotals> {
    const connection = await this.#instance.connect();
    this.#comparing = connection;
    try {
      // Intermediate views and tables belong to this connection and end with it.
      const asked = this.#asked(connection);
      const totals = await compareSnapshots(asked, from, to);
      await asked.run(
        `CREATE TABLE ${tableOf(pair)} (list VARCHAR, k VARCHAR, ids VARCHAR, registries VARCHAR[], fields VARCHAR[], entry VARCHAR)`,
      );
      for (const { group, name, sql } of LIST_SPECS) {
        await asked.run(
          `INSERT INTO ${tableOf(pair)} SELECT '${group}-${name}', k, ids, registries, fields, entry FROM (${sql})`,
        );
      }
      return totals;
    } catch (error) {
      await connection.run(`DROP TABLE IF EXISTS ${tableOf(pair)}`).catch(() => undefined);
      throw error;
    } finally {
      this.#comparing = null;
      connection.closeSync();
    }
  }

  /** A page of a list of a compared pair, from `offset`. Entries are sorted by key; no key occurs twice in a list. */
  async page(
    pair: number,
    filter: EntryFilter,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<EntryPage> {
    const { condition, values } = conditionOf(filter);
    const among = `FROM ${tableOf(pair)} WHERE ${condition}`;
    const all = conditionOf({ ...filter, field: undefined });
    const ofFields = `SELECT field, count(*)::DOUBLE AS entries FROM (SELECT unnest(fields) AS field FROM ${tableOf(pair)} WHERE ${all.condition}) GROUP BY field ORDER BY entries DESC, field`;
    return this.#turns.take(async (connection) => {
      const counted = await rowsOf(connection, `SELECT count(*)::DOUBLE AS total ${among}`, values);
      const rows = await rowsOf(connection, `SELECT entry ${among} ORDER BY k LIMIT ${limit} OFFSET ${offset}`, values);
      const fields = await rowsOf(connection, ofFields, all.values);
      return {
        total: Number(counted[0]?.total),
        entries: rows.map(({ entry }) => String(entry)),
        fields: fields.map(({ field, entries }) => ({ field: String(field), entries: Number(entries) })),
      };
    });
  }

  async drop(pair: number): Promise<void> {
    await this.#turns.take((connection) => connection.run(`DROP TABLE IF EXISTS ${tableOf(pair)}`));
  }

  /** Interrupts the comparison that is under way, which then rejects. Close the store after that. */
  interrupt(): void {
    this.#isEnding = true;
    this.#comparing?.interrupt();
  }

  #asked(connection: DuckDBConnection): SqlConnection {
    // Between two statements there is nothing to interrupt.
    const assertGoesOn = (): void => {
      if (this.#isEnding) throw new Error('the comparison was given up');
    };
    return {
      run: async (sql) => {
        assertGoesOn();
        await connection.run(sql);
      },
      one: async (sql) => {
        assertGoesOn();
        return (await connection.runAndReadAll(sql)).getRowObjectsJson()[0] ?? null;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns[Symbol.asyncDispose]();
    this.#instance.closeSync();
    await rm(this.#spill, { recursive: true, force: true });
  }
}

function tableOf(pair: number): string {
  return `pair_${pair}`;
}

function conditionOf({ kind, field, registry, q }: EntryFilter): { condition: string; values: DuckDBValue[] } {
  const given: [string, string | undefined][] = [
    ['list = ', kind],
    ['list_contains(fields, ', field],
    ['list_contains(registries, ', registry],
    ['contains(lower(ids), ', q?.toLowerCase()],
  ];
  const asked = given.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    condition: asked.map(([test], place) => `${test}$${place + 1}${test.endsWith(', ') ? ')' : ''}`).join(' AND '),
    values: asked.map(([, value]) => value),
  };
}
