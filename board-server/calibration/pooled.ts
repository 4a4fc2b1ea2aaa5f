import { CALIBRATION_POOLED_SECONDS } from '../../contract/limits/research.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { pooledBands } from './outcome.ts';
import { resolvedOf } from './resolved.ts';

const KEPT_MICROS = CALIBRATION_POOLED_SECONDS * 1_000_000;

/** What is shown of all predictions together. */
type Pooled = Awaited<ReturnType<typeof pooledAt>>;

/**
 * The predictions of all agents, pooled. Reading them passes over every prediction of the board, so a result is reused
 * for a minute and says when it was read; requests that come at the same time wait for one reading.
 */
export class PooledCalibration {
  #read: { at: number; pooled: Promise<Pooled> } | null = null;

  /** Rejects as the store does; a failed reading is not kept. */
  of(db: Reader, now: number): Promise<Pooled> {
    const age = this.#read === null ? Number.POSITIVE_INFINITY : now - this.#read.at;
    if (this.#read !== null && age >= 0 && age < KEPT_MICROS) return this.#read.pooled;
    const read = { at: now, pooled: pooledAt(db, now) };
    this.#read = read;
    read.pooled.catch(() => {
      if (this.#read === read) this.#read = null;
    });
    return read.pooled;
  }
}

async function pooledAt(db: Reader, now: number) {
  const { predictions, open, resolved } = await resolvedOf(db, null, now);
  return { asOf: toIso(now), predictions, open, resolved: resolved.length, bands: pooledBands(resolved) };
}
