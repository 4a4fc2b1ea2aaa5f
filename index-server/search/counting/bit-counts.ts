import { divide, pageOf, type RowSet } from '../row-set.ts';

/**
 * How many of several sets hold each place, 32 places at a time: the counts are kept by their bits, and each bit of all
 * counts is a set of places.
 */
export class BitCounts {
  /** The lowest bit of the counts first. */
  readonly #bits: Uint32Array[];

  /** `words`: the length of each set in words of 32 places; `most`: how many sets are added at most. */
  constructor(words: number, most: number) {
    this.#bits = Array.from({ length: 32 - Math.clz32(most) }, () => new Uint32Array(words));
  }

  add(set: Uint32Array): void {
    // Adds one to each count whose place is held: a bit that was set is cleared and carried to the next.
    const carried = set.slice();
    for (const bits of this.#bits) {
      let left = 0;
      for (let at = 0; at < carried.length; at++) {
        const carry = carried[at] as number;
        const before = bits[at] as number;
        bits[at] = before ^ carry;
        carried[at] = before & carry;
        left |= before & carry;
      }
      if (left === 0) return;
    }
  }

  /** Places `offset` to `offset + limit` of the set, with their counts: the largest count first, then by place. */
  largest(all: RowSet, { offset, limit }: { offset: number; limit: number }): { places: number[]; counts: number[] } {
    const places: number[] = [];
    const counts: number[] = [];
    let before = offset;
    // Counts with the highest bit come first, among them those with the next bit, and so on.
    const take = (set: RowSet, bit: number, count: number): void => {
      if (places.length === limit) return;
      if (set.count <= before) {
        before -= set.count;
        return;
      }
      const bits = this.#bits[bit];
      if (bits === undefined) {
        const page = pageOf(set, before, limit - places.length);
        places.push(...page);
        counts.push(...Array.from(page, () => count));
        before = 0;
        return;
      }
      const [larger, smaller] = divide(set, bits);
      take(larger, bit - 1, count + 2 ** bit);
      take(smaller, bit - 1, count);
    };
    take(all, this.#bits.length - 1, 0);
    return { places, counts };
  }
}
