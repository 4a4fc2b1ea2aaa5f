import { ChunkedNumbers, Growable } from '../../../../snapshot/image/growable.ts';
import type { GatheredPosting } from '../../../../snapshot/image/postings.ts';

/** How the keys of a posting file are sorted and written; they must be sorted by their written bytes. */
export interface KeyForm<K> {
  sort: (keys: K[]) => Iterable<K>;
  encode: (key: K) => Uint8Array;
}

/**
 * Gathers which row holds which posting key, as one list of key numbers per row. At the end, counting sorts make
 * lists of rows by key: flat arrays instead of a million small ones.
 */
export class PostingGatherer<K extends string | number> {
  readonly #form: KeyForm<K>;
  readonly #numbers = new Map<K, number>();
  readonly #counts = new Growable(Uint32Array);
  /** Row in which a key was last seen, so that a row holds each key once. */
  readonly #lastRow = new Growable(Int32Array);
  #entries = new ChunkedNumbers();
  readonly #rows = new Growable(Uint32Array);
  readonly #rowEnds = new Growable(Uint32Array);
  #row = -1;

  constructor(form: KeyForm<K>) {
    this.#form = form;
  }

  /** How many rows all keys have together. */
  get entries(): number {
    return this.#entries.length;
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
   * Every key with its rows, sorted by the bytes of the keys; `number` is its number while gathering. Can be asked for once: what was
   * gathered is given up.
   */
  *sorted(): Generator<GatheredPosting> {
    const keys = [...this.#form.sort([...this.#numbers.keys()])];
    const numbers = keys.map((key) => this.#numbers.get(key) as number);
    /** Where the next row of each key goes; at last, where its rows end. */
    const next = new Uint32Array(numbers.length);
    let start = 0;
    for (const number of numbers) {
      next[number] = start;
      start += this.#counts.at(number);
    }
    const rows = this.#rowsInPlaces(next);
    for (const [place, key] of keys.entries()) {
      const number = numbers[place] as number;
      const end = next[number] as number;
      yield { key: this.#form.encode(key), number, rows: rows.subarray(end - this.#counts.at(number), end) };
    }
  }

  #rowsInPlaces(next: Uint32Array): Uint32Array {
    const rows = new Uint32Array(this.#entries.length);
    const rowEnds = this.#rowEnds.view();
    let at = 0;
    let place = 0;
    for (const entries of this.#entries.inOrder()) {
      for (const number of entries) {
        while (at === rowEnds[place]) place += 1;
        at += 1;
        const target = next[number] as number;
        rows[target] = this.#rows.at(place);
        next[number] = target + 1;
      }
    }
    this.#entries = new ChunkedNumbers();
    return rows;
  }
}
