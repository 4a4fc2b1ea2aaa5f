import type { ProofBundle } from '../../contract/schemas/trials/proof.ts';
import { type Asked, type ProvenSnapshot, proofBundle } from '../../snapshot/sql/proof-bundle.ts';
import type { KeyedConnection } from '../../snapshot/sql/proof-rows.ts';
import { LazyDatabase, rowsOf } from './turns.ts';

/** A row group of the widest table at full size has 200 MB before compression. */
const MEMORY_LIMIT = '512MB';

/** Proofs that may wait: some four seconds of work. More would be answered after their callers gave up. */
const MAX_WAITING = 16;

/** As many proofs wait as may; another one is asked for later. */
export class TooManyProofs extends Error {
  constructor() {
    super(`${MAX_WAITING} proofs wait already`);
    this.name = 'TooManyProofs';
  }
}

/**
 * Proves trials of a snapshot from its tables and trees, one at a time. Its database is apart from that of payloads and publications,
 * which are read many times faster and would wait for it. It is loaded at the first proof.
 */
export class ProofStore implements AsyncDisposable {
  readonly #database = new LazyDatabase(MEMORY_LIMIT);
  #waiting = 0;

  /** Rejects as `proofBundle` does, with TooManyProofs, and where a file cannot be read. */
  async bundle(snapshot: ProvenSnapshot, canonicalId: string, asked: Asked): Promise<ProofBundle> {
    if (this.#waiting >= MAX_WAITING) throw new TooManyProofs();
    this.#waiting += 1;
    try {
      return await this.#database.take((connection) => {
        const keyed: KeyedConnection = { all: (sql, values) => rowsOf(connection, sql, values) };
        return proofBundle(keyed, snapshot, canonicalId, asked);
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }
}
