/** Below this a value is counted in its own bin; few enrollments lie above, and those are sorted. */
const BINS = 8192;

/** Exact quantiles of many non-negative integers, most of them small, without sorting them all. */
export class Quantiles {
  readonly #bins = new Uint32Array(BINS);
  readonly #tail: number[] = [];
  #sorted = true;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    this.#count += 1;
    if (value < BINS) this.#bins[value] = (this.#bins[value] as number) + 1;
    else {
      this.#tail.push(value);
      this.#sorted = false;
    }
  }

  /** The quantile `share` (0 to 1) by linear interpolation between neighbours; null when nothing was added. */
  at(share: number): number | null {
    if (this.#count === 0) return null;
    const position = share * (this.#count - 1);
    const below = this.#nth(Math.floor(position));
    const above = this.#nth(Math.ceil(position));
    return below + (above - below) * (position - Math.floor(position));
  }

  /** The value with `rank` values before it in ascending order. */
  #nth(rank: number): number {
    let before = 0;
    for (let value = 0; value < BINS; value++) {
      before += this.#bins[value] as number;
      if (before > rank) return value;
    }
    if (!this.#sorted) this.#tail.sort((a, b) => a - b);
    this.#sorted = true;
    return this.#tail[rank - before] as number;
  }
}
