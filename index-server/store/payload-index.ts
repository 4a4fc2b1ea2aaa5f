import { type DuckDBConnection, type DuckDBInstance, listValue } from '@duckdb/node-api';

/** How many snapshots are indexed: the served one, and the previous one for requests that still run. */
const KEPT = 2;

/** Part files of one snapshot. */
interface Parts {
  directory: string;
  files: string[];
}

interface Indexed {
  table: string;
  built: Promise<void>;
  isReady: boolean;
}

/**
 * Finds the part file of a payload by a 64-bit hash of its checksum: 10 bytes a payload, read from the part files while
 * other queries run, in about a second for 600,000. Without the index, a look-up opens every part for its row-group
 * ranges.
 */
export class PayloadIndex implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #indexed = new Map<string, Indexed>();
  readonly #connections = new Set<DuckDBConnection>();
  #made = 0;

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /** The files that may hold the payload: nearly always one; all of them until the index is ready. */
  async filesOf(parts: Parts, sha256: string, connection: DuckDBConnection): Promise<string[]> {
    if (parts.files.length < 2) return parts.files;
    const { table, isReady } = this.#indexOf(parts);
    if (!isReady) return parts.files;
    const found = await connection.runAndReadAll(`SELECT DISTINCT part FROM ${table} WHERE sum = hash($1)`, [sha256]);
    return found.getRows().map(([part]) => parts.files[Number(part)] as string);
  }

  /** Resolves when the payloads are indexed; rejects when a part cannot be read, and the next look-up begins again. */
  async indexed(parts: Parts): Promise<void> {
    await this.#indexOf(parts).built;
  }

  #indexOf(parts: Parts): Indexed {
    const held = this.#indexed.get(parts.directory);
    if (held !== undefined) return held;
    this.#made += 1;
    const table = `payloads_${this.#made}`;
    const built = this.#build(table, parts.files).then(() => {
      made.isReady = true;
      return this.#forgetOldest();
    });
    const made: Indexed = { table, isReady: false, built };
    this.#indexed.set(parts.directory, made);
    built.catch(() => this.#indexed.delete(parts.directory));
    return made;
  }

  async #build(table: string, files: string[]): Promise<void> {
    // Sorted, so that a look-up scans one row group by its range.
    await this.#connected((connection) =>
      connection.run(
        `CREATE TABLE ${table} AS
         SELECT hash(payload_sha256) AS sum, file_index::USMALLINT AS part FROM read_parquet($1) ORDER BY sum`,
        [listValue(files)],
      ),
    );
  }

  async #forgetOldest(): Promise<void> {
    for (const [directory, { table, isReady }] of this.#indexed) {
      if (this.#indexed.size <= KEPT) return;
      if (!isReady) continue;
      this.#indexed.delete(directory);
      await this.#connected((connection) => connection.run(`DROP TABLE ${table}`));
    }
  }

  /** Does the work on a connection of its own, which disposing interrupts. */
  async #connected(work: (connection: DuckDBConnection) => Promise<unknown>): Promise<void> {
    const connection = await this.#instance.connect();
    this.#connections.add(connection);
    try {
      await work(connection);
    } finally {
      this.#connections.delete(connection);
      connection.closeSync();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection.interrupt();
    await Promise.allSettled([...this.#indexed.values()].map(({ built }) => built));
  }
}
