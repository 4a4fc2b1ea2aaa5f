/** Below this a value is counted in its own bin; few enrollments lie above, and those are sorted. */
const BINS = 8192;

/** Exact quantiles of many non-negative integers, most of them small, without sorting them all. */
export class Quantiles {
  readonly #bins: Uint32Array;
  #tail: number[];
  /** Values of the tail that were taken away again. */
  #taken: number[] = [];
  #sorted: boolean;
  #stated: number;

  constructor(from: Quantiles | null = null) {
    this.#bins = from === null ? new Uint32Array(BINS) : from.#bins.slice();
    this.#tail = from === null ? [] : from.#sortedTail().slice();
    this.#sorted = true;
    this.#stated = from === null ? 0 : from.#stated;
  }

  copy(): Quantiles {
    return new Quantiles(this);
  }

  /** How many values were added. */
  get stated(): number {
    return this.#stated;
  }

  add(value: number): void {
    this.count([0], [value], Number.NaN, 1);
  }

  /** Adds the column's values at the rows, but for blanks; with -1 takes away such as were added. */
  count(rows: ArrayLike<number>, column: ArrayLike<number>, blank: number, step: 1 | -1): void {
    const bins = this.#bins;
    const tail = step === 1 ? this.#tail : this.#taken;
    for (let at = 0; at < rows.length; at++) {
      const value = column[rows[at] as number] as number;
      if (value === blank) continue;
      this.#stated += step;
      if (value < BINS) bins[value] = (bins[value] as number) + step;
      else {
        tail.push(value);
        this.#sorted = false;
      }
    }
  }

  /** The quantile `share` (0 to 1) by linear interpolation between neighbours; null when nothing was added. */
  at(share: number): number | null {
    if (this.#stated === 0) return null;
    const position = share * (this.#stated - 1);
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
    return this.#sortedTail()[rank - before] as number;
  }

  #sortedTail(): number[] {
    if (this.#sorted) return this.#tail;
    const sorted = Float64Array.from(this.#tail).sort();
    const taken = Float64Array.from(this.#taken).sort();
    let next = 0;
    this.#tail = [];
    for (const value of sorted) {
      if (value === taken[next]) next += 1;
      else this.#tail.push(value);
    }
    this.#taken = [];
    this.#sorted = true;
    return this.#tail;
  }
}
