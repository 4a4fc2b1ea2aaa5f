/** Numbers of different streams have nothing to do with each other. */
export const STREAM = { clinicaltrials_gov: 1, isrctn: 2, overlap: 3, change: 4 } as const;

/**
 * Numbers that depend on nothing but (seed, stream, index), so that record i can be made without the records before it.
 * Generator: sfc32 (Chris Doty-Humphrey's small fast counter), seeded through a 32-bit finaliser; integer arithmetic
 * only, so every machine draws the same numbers. Not for secrets.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream: number, index: number) {
    this.#a = scramble(seed ^ 0x9e3779b9);
    this.#b = scramble(this.#a ^ stream);
    this.#c = scramble(this.#b ^ index);
    for (let round = 0; round < 8; round++) this.next();
  }

  /** An unsigned 32-bit integer. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** A fraction in [0, 1). */
  fraction(): number {
    return this.next() / 4294967296;
  }

  /** An integer from 0 to bound - 1. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** An integer from low to high, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** A number drawn from evenly spaced quantiles, straight lines between them. */
  quantile(points: readonly number[]): number {
    const place = this.fraction() * (points.length - 1);
    const left = Math.floor(place);
    const low = points[left] as number;
    return Math.round(low + ((points[left + 1] as number) - low) * (place - left));
  }

  digits(count: number): string {
    let text = '';
    for (let place = 0; place < count; place++) text += String(this.below(10));
    return text;
  }
}

/** Spreads every input bit over the whole word (the finaliser of MurmurHash3). */
function scramble(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}
