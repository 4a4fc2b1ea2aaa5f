import { randomFillSync } from 'node:crypto';

/** What the board takes from the world; tests pass their own. */
export interface BoardEffects {
  /** The present; may stand still or jump back, times written never do. */
  now(): Date;
  /** Cryptographically random bytes. */
  random(bytes: number): Buffer;
}

const POOL_BYTES = 4096;

/** Random bytes of the system, taken many at a time: asking costs more than they do. None is given twice. */
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
