import { Growable } from '../../../serving-image/growable.ts';
import type { GatheredPosting } from '../../../serving-image/postings.ts';

/** How the keys of a posting file are sorted and written; they must be sorted by their written bytes. */
export interface KeyForm<K> {
  sort: (keys: K[]) => Iterable<K>;
  encode: (key: K) => Uint8Array;
}

/**
 * Gathers which row holds which posting key, as one list of key numbers per row. At the end, a counting sort makes
 * lists of rows by key: two flat arrays instead of a million small ones.
 */
export class PostingGatherer<K extends string | number> {
  readonly #form: KeyForm<K>;
  readonly #numbers = new Map<K, number>();
  readonly #counts = new Growable(Uint32Array);
  /** Row in which a key was last seen, so that a row holds each key once. */
  readonly #lastRow = new Growable(Int32Array);
  #entries = new Growable(Uint32Array, 1 << 16);
  readonly #rows = new Growable(Uint32Array);
  readonly #rowEnds = new Growable(Uint32Array);
  #row = -1;

  constructor(form: KeyForm<K>) {
    this.#form = form;
  }

  /** How many different keys were added. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The number of a key while gathering, in the order of first use. */
  numberOf(key: K): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#counts.push(0);
    this.#lastRow.push(-1);
    return number;
  }

  /** Begins a row, which must be greater than the one before. */
  beginRow(row: number): void {
    if (row <= this.#row) throw new RangeError(`row ${row} comes after row ${this.#row}`);
    this.#row = row;
    this.#rows.push(row);
    this.#rowEnds.push(this.#entries.length);
  }

  /** Adds a key to the row that was begun. */
  add(key: K): void {
    this.addNumber(this.numberOf(key));
  }

  /** Adds the key of this number to the row that was begun. */
  addNumber(number: number): void {
    if (this.#lastRow.at(number) === this.#row) return;
    this.#lastRow.set(number, this.#row);
    this.#counts.increment(number);
    this.#entries.push(number);
    this.#rowEnds.set(this.#rowEnds.length - 1, this.#entries.length);
  }

  /**
   * Every key with its rows, sorted by the bytes of the keys; `number` is its number while gathering. Can be asked for once:
   * what was gathered is given up, since it is as large as the lists of rows made from it.
   */
  *sorted(): Generator<GatheredPosting> {
    const starts = this.#starts();
    const postings = this.#invert(starts);
    this.#entries = new Growable(Uint32Array, 0);
    for (const key of this.#form.sort([...this.#numbers.keys()])) {
      const number = this.#numbers.get(key) as number;
      const start = starts[number] as number;
      yield { key: this.#form.encode(key), number, rows: postings.subarray(start, start + this.#counts.at(number)) };
    }
  }

  #starts(): Uint32Array {
    const starts = new Uint32Array(this.#counts.length);
    let sum = 0;
    for (let number = 0; number < starts.length; number++) {
      starts[number] = sum;
      sum += this.#counts.at(number);
    }
    return starts;
  }

  #invert(starts: Uint32Array): Uint32Array {
    const next = starts.slice();
    const entries = this.#entries.view();
    const rows = this.#rows.view();
    const rowEnds = this.#rowEnds.view();
    const postings = new Uint32Array(entries.length);
    let at = 0;
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place] as number;
      const end = rowEnds[place] as number;
      for (; at < end; at++) {
        const number = entries[at] as number;
        const target = next[number] as number;
        postings[target] = row;
        next[number] = target + 1;
      }
    }
    return postings;
  }
}
