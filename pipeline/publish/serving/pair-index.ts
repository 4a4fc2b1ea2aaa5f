import { encodePair } from '../../../snapshot/format/serving-columns.ts';
import { COMPOUND, FIELD_BREAK } from '../../../snapshot/format/words/sequence.ts';
import type { GatheredPosting } from '../../../snapshot/image/postings.ts';
import type { Sequence } from './sequence-writer.ts';
import { PostingGatherer } from './terms/posting-gatherer.ts';

/** Term numbers stay below this, so that a pair fits a double as a whole number. */
const PAIR_BASE = 2 ** 26;
const COMPOUND_HEAD = 3;

/**
 * Rows in which one common term can be read directly before another. With them, a search for a phrase of everyday words
 * need not look into every trial that has the words. A compound is read joined or as its parts
 * (snapshot/format/words/sequence.ts).
 */
export class PairIndex {
  readonly #pairs = new PostingGatherer<number>({
    sort: (pairs) => Float64Array.from(pairs).sort(),
    encode: (pair) => encodePair(Math.floor(pair / PAIR_BASE), pair % PAIR_BASE),
  });
  readonly #common: Uint8Array;

  /** `common`, by term number: 1 for the terms whose pairs are kept. */
  constructor(common: Uint8Array) {
    this.#common = common;
  }

  /** Adds the pairs of one trial's term sequence, which is `values` from `start` to before `end`. Rows come in ascending order. */
  addRow(row: number, { values, start, end }: Sequence): void {
    this.#pairs.beginRow(row);
    let before: number[] = [];
    let at = start;
    while (at < end) {
      const value = values[at] as number;
      if (value === FIELD_BREAK) {
        before = [];
        at += 1;
      } else if (value === COMPOUND) {
        const count = values[at + 1] as number;
        const joined = values[at + 2] as number;
        const parts = values.subarray(at + COMPOUND_HEAD, at + COMPOUND_HEAD + count);
        this.#addAfter(before, joined);
        this.#addAfter(before, parts[0] as number);
        for (let part = 1; part < count; part++) this.#addAfter([parts[part - 1] as number], parts[part] as number);
        before = [joined, parts[count - 1] as number];
        at += COMPOUND_HEAD + count;
      } else {
        this.#addAfter(before, value);
        before = [value];
        at += 1;
      }
    }
  }

  /** The pairs with their rows, in the order of pairs.arrow. */
  sorted(): Generator<GatheredPosting> {
    return this.#pairs.sorted();
  }

  #addAfter(before: number[], term: number): void {
    if (this.#common[term] !== 1) return;
    for (const first of before) {
      if (this.#common[first] === 1) this.#pairs.add(first * PAIR_BASE + term);
    }
  }
}
