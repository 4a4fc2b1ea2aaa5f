import { setTimeout as delayed } from 'node:timers/promises';
import { DatabaseError, Pool } from 'pg';
import type { Pointer, PointerState, ReplicaReport } from './layout.ts';
import { type ObjectPointers, overtaken } from './object-pointers.ts';
import { type Basis, type Lease, LIVE_MS, type LiveReplica, type Next, type Pointers } from './pointers.ts';
import { StoreFault, StoreLocked } from './store-fault.ts';

/** A lease that is not renewed for so long may be taken by another publisher. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const CONNECT_MS = 5_000;
/** Each statement reads or writes a row. */
const STATEMENT_MS = 15_000;

/** One row of each store; its members are null before the first release, and while none is announced. */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS snapshot_pointer (
    store text PRIMARY KEY, generation bigint NOT NULL, version text, release text, flipped_at timestamptz,
    candidate_version text, candidate_release text, announced_at timestamptz)`,
  `CREATE TABLE IF NOT EXISTS snapshot_replica (
    store text NOT NULL, name text NOT NULL, generation bigint NOT NULL, version text, staged text,
    reported_at timestamptz NOT NULL, PRIMARY KEY (store, name))`,
  `CREATE TABLE IF NOT EXISTS pipeline_lease (
    store text PRIMARY KEY, fence bigint NOT NULL, owner text NOT NULL, until timestamptz NOT NULL)`,
];
/** Two processes made the same table at once: PostgreSQL tells the second one by any of these. */
const MADE_MEANWHILE = new Set(['23505', '42P07', '42710']);

/** Holds while the lease of this fence has not ended, by the clock of the database. */
const HOLDS = 'EXISTS (SELECT 1 FROM pipeline_lease WHERE store = $1 AND fence = $3 AND until > clock_timestamp())';

interface PointerRow {
  generation: string;
  version: string | null;
  release: string | null;
  flipped_at: Date | null;
  candidate_version: string | null;
  candidate_release: string | null;
  announced_at: Date | null;
}

/** The pointer of a store, the reports of its replicas and the lease of its publisher as rows of the board's database. No advisory lock is used. */
export class PostgresPointers implements Pointers {
  readonly place: string;
  readonly #store: string;
  readonly #earlier: ObjectPointers;
  readonly #pool: Pool;
  #tables: Promise<void> | null = null;

  /** `url` may hold a password, and is in no message. `earlier` may hold the pointer of the time before there was a database. */
  constructor(url: string, store: string, earlier: ObjectPointers) {
    this.#store = store;
    this.#earlier = earlier;
    this.#pool = new Pool({
      connectionString: url,
      ...{ max: 2, connectionTimeoutMillis: CONNECT_MS, query_timeout: STATEMENT_MS, allowExitOnIdle: true },
      application_name: 'trial-board snapshots',
    });
    // The next statement takes another connection, or says what is wrong.
    this.#pool.on('error', () => {});
    this.place = `the pointer of ${store} in the database of BOARD_STORE`;
  }

  async state(): Promise<PointerState> {
    const [row] = await this.#rows<PointerRow>('SELECT * FROM snapshot_pointer WHERE store = $1', [this.#store]);
    return row === undefined ? this.#earlier.state() : stateOf(row);
  }

  /** A row is changed by one of two publishers always. */
  async assertWritable(): Promise<void> {
    await this.state();
  }

  async announce(basis: Basis, { version, release }: Next): Promise<void> {
    await this.#begin();
    const set = 'candidate_version = $4, candidate_release = $5, announced_at = clock_timestamp()';
    const isDone = await this.#change(basis, set, [version, release]);
    if (!isDone) throw await this.#refusal(basis);
  }

  async flip(basis: Basis, { version, release }: Next): Promise<Pointer> {
    await this.#begin();
    const set = `generation = generation + 1, version = $4, release = $5, flipped_at = clock_timestamp(),
      candidate_version = NULL, candidate_release = NULL, announced_at = NULL`;
    let failure: unknown = null;
    const isDone = await this.#change(basis, set, [version, release]).catch((error: unknown) => {
      failure = error;
      return false;
    });
    // Where the connection ended before the answer, the row tells whether it was carried out.
    const { pointer } = await this.state();
    if (pointer !== null && pointer.generation === basis.generation + 1 && pointer.release === release) return pointer;
    if (failure !== null) throw failure;
    throw isDone ? overtaken(this.place, basis.generation, pointer) : await this.#refusal(basis);
  }

  async report({ name, generation, version, staged }: ReplicaReport): Promise<void> {
    await this.#rows(
      `INSERT INTO snapshot_replica VALUES ($1, $2, $3, $4, $5, clock_timestamp())
       ON CONFLICT (store, name) DO UPDATE SET generation = EXCLUDED.generation, version = EXCLUDED.version,
         staged = EXCLUDED.staged, reported_at = EXCLUDED.reported_at`,
      [this.#store, name, generation, version, staged],
    );
  }

  async liveReplicas(): Promise<LiveReplica[]> {
    const rows = await this.#rows<ReplicaReport & { generation: string; reported_at: Date }>(
      `SELECT name, generation, version, staged, reported_at FROM snapshot_replica
       WHERE store = $1 AND reported_at > clock_timestamp() - $2 * interval '1 millisecond' ORDER BY name`,
      [this.#store, LIVE_MS],
    );
    return rows.map(({ reported_at, generation, ...report }) => {
      return { ...report, generation: Number(generation), reportedAt: reported_at.toISOString() };
    });
  }

  /** Takes the lease of the publisher, which no other process gets while it is renewed. Throws StoreLocked with who holds it. */
  async lease(owner: string): Promise<Lease> {
    const [taken] = await this.#rows<{ fence: string }>(
      `INSERT INTO pipeline_lease VALUES ($1, 1, $2, clock_timestamp() + $3 * interval '1 millisecond')
       ON CONFLICT (store) DO UPDATE SET fence = pipeline_lease.fence + 1, owner = EXCLUDED.owner, until = EXCLUDED.until
       WHERE pipeline_lease.until <= clock_timestamp() RETURNING fence`,
      [this.#store, owner, LEASE_MS],
    );
    if (taken === undefined) throw new StoreLocked(`${await this.#holder()}: wait for it to end`);
    return this.#renewed(Number(taken.fence));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }

  #renewed(fence: number): Lease {
    const renew = (milliseconds: number) =>
      this.#rows(
        `UPDATE pipeline_lease SET until = clock_timestamp() + $3 * interval '1 millisecond' WHERE store = $1 AND fence = $2`,
        [this.#store, fence, milliseconds],
      );
    // A renewal that fails is tried again: whether the lease still holds, the flip asks the database.
    const timer = setInterval(() => void renew(LEASE_MS).catch(() => undefined), RENEW_MS);
    timer.unref();
    return {
      fence,
      [Symbol.asyncDispose]: async () => {
        clearInterval(timer);
        await renew(0).catch(() => undefined);
      },
    };
  }

  /** Who holds the lease and until when, for a message. */
  async #holder(): Promise<string> {
    const [row] = await this.#rows<{ owner: string; until: Date }>(
      'SELECT owner, until FROM pipeline_lease WHERE store = $1',
      [this.#store],
    );
    if (row === undefined) return 'nobody holds the lease of the pipeline';
    return `${row.owner} holds the lease of the pipeline for ${this.#store} until ${row.until.toISOString()} and renews it while it runs`;
  }

  /** Makes the row of the store where there is none, from the pointer that the store itself held; then that one counts no more. */
  async #begin(): Promise<void> {
    const { pointer } = await this.state();
    await this.#rows(
      `INSERT INTO snapshot_pointer (store, generation, version, release, flipped_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (store) DO NOTHING`,
      [this.#store, pointer?.generation ?? 0, pointer?.version, pointer?.release, pointer?.flippedAt],
    );
    await this.#earlier.retire();
  }

  async #change({ generation, fence }: Basis, set: string, values: readonly unknown[]): Promise<boolean> {
    const rows = await this.#rows(
      `UPDATE snapshot_pointer SET ${set} WHERE store = $1 AND generation = $2 AND ${HOLDS} RETURNING generation`,
      [this.#store, generation, fence, ...values],
    );
    return rows.length === 1;
  }

  /** Why a change was not made. */
  async #refusal({ generation }: Basis): Promise<StoreFault> {
    const { pointer } = await this.state();
    if ((pointer?.generation ?? 0) !== generation) return overtaken(this.place, generation, pointer);
    return new StoreFault(
      `this run lost its lease of the pipeline, and nothing counts that it did since: ${await this.#holder()}. Run \`pipeline store status\`, then publish again`,
    );
  }

  async #rows<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      this.#tables ??= this.#makeTables();
      await this.#tables;
      return (await this.#pool.query<Row>(text, [...values])).rows;
    } catch (error) {
      this.#tables = null;
      if (error instanceof StoreFault) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new StoreFault(`${this.place} cannot be read or written (${why})`, { cause: error });
    }
  }

  async #makeTables(): Promise<void> {
    for (const table of TABLES) {
      try {
        await this.#pool.query(table);
      } catch (error) {
        if (!(error instanceof DatabaseError) || !MADE_MEANWHILE.has(error.code ?? '')) throw error;
        await delayed(100);
        await this.#pool.query(table);
      }
    }
  }
}

function stateOf(row: PointerRow): PointerState {
  const { version, release, flipped_at, candidate_version, candidate_release, announced_at } = row;
  const isNone = version === null || release === null || flipped_at === null;
  const isAnnounced = candidate_version !== null && candidate_release !== null && announced_at !== null;
  return {
    pointer: isNone
      ? null
      : { generation: Number(row.generation), version, release, flippedAt: flipped_at.toISOString() },
    candidate: isAnnounced
      ? { version: candidate_version, release: candidate_release, announcedAt: announced_at.toISOString() }
      : null,
  };
}
