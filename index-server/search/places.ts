import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { allRows, bitmapOf, intersect, type RowSet, rowsOf } from './row-set.ts';

/** A set with more than one in this many rows is dense: then a bit for each row costs less than a look at each of its rows. */
const DENSE = 16;

/**
 * Numbers the rows of a set, so that other sets can be held against it as bits: a place is a row where the set is dense,
 * else the row's place among the rows of the set. The work so follows from the smaller of both.
 */
export class Places {
  /** The set of all places, as bits. */
  readonly all: RowSet;
  /** The rows by place; null where a place is a row. */
  readonly #rows: Uint32Array | null;

  constructor(set: RowSet, { trials }: Pick<SnapshotImage, 'trials'>) {
    const isDense = set.count * DENSE > trials;
    this.#rows = isDense ? null : rowsOf(set);
    this.all = isDense ? bitmapOf(set, trials) : allRows(set.count);
  }

  rowAt(place: number): number {
    return this.#rows === null ? place : (this.#rows[place] as number);
  }

  /**
   * Bits of the places whose rows are in the other set; where a place is a row, also of rows that are no place. They may lie
   * in the image: never write to them.
   */
  bitsOf(other: RowSet | null): Uint32Array {
    const words = this.all.words.length;
    const rows = this.#rows;
    if (other === null) return new Uint32Array(words);
    if (rows === null) return bitmapOf(other, words * 32).words;
    const bits = new Uint32Array(words);
    if (other.form === 'bitmap') {
      for (let place = 0; place < rows.length; place++) {
        const row = rows[place] as number;
        const bit = ((other.words[row >>> 5] as number) >>> (row & 31)) & 1;
        bits[place >>> 5] = (bits[place >>> 5] as number) | (bit << (place & 31));
      }
      return bits;
    }
    let place = 0;
    for (const row of intersect([{ form: 'list', count: rows.length, words: rows }, other]).words) {
      while (rows[place] !== row) place++;
      bits[place >>> 5] = (bits[place >>> 5] as number) | (1 << (place & 31));
    }
    return bits;
  }
}
