import { randomFillSync } from 'node:crypto';
import type { ClockCorrection } from './steady-clock.ts';

/** Clock and random source of the board; tests pass their own. */
export interface BoardEffects {
  /** Current time. It may stand still or jump back; the times written never do. */
  now(): Date;
  /** The last step of the wall clock that the clock took up; left out by a clock that knows of none. */
  correction?(): ClockCorrection | null;
  /** Cryptographically random bytes. */
  random(bytes: number): Buffer;
}

const POOL_BYTES = 4096;

/** Random bytes of the system, fetched many at a time because each call is what costs. No byte is given twice. */
export function pooledRandom(fill: (pool: Buffer) => void = randomFillSync): (bytes: number) => Buffer {
  const pool = Buffer.alloc(POOL_BYTES);
  let taken = POOL_BYTES;
  return (bytes) => {
    if (bytes > POOL_BYTES) throw new RangeError(`more than ${POOL_BYTES} random bytes at once`);
    if (taken + bytes > POOL_BYTES) {
      fill(pool);
      taken = 0;
    }
    const given = Buffer.from(pool.subarray(taken, taken + bytes));
    taken += bytes;
    return given;
  };
}
