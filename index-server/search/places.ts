import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { allRows, bitmapOf, intersect, placeIn, type RowSet, rowsOf, setBits } from './row-set.ts';

/** A set with more than one in this many rows is dense: then a bit for each row costs less than a look at each of its rows. */
const DENSE = 16;

/**
 * Numbers the rows of a set, so that other sets can be held against it as bits: a place is a row where the set is dense,
 * else the row's place among the rows of the set. The work so follows from the smaller of both.
 */
export class Places {
  /** The set of all places, as bits. */
  readonly all: RowSet;
  /** The rows of the places. */
  readonly rows: RowSet;
  /** The rows by place; null where a place is a row. */
  readonly #rows: Uint32Array | null;

  constructor(set: RowSet, { trials }: Pick<SnapshotImage, 'trials'>) {
    const isDense = set.count * DENSE > trials;
    this.rows = isDense ? set : { form: 'list', count: set.count, words: rowsOf(set) };
    this.#rows = isDense ? null : this.rows.words;
    this.all = isDense ? bitmapOf(set, trials) : allRows(set.count);
  }

  rowAt(place: number): number {
    return this.#rows === null ? place : (this.#rows[place] as number);
  }

  /** Adds the place of one of the rows to a set of places. */
  add(to: Uint32Array, row: number): void {
    const place = this.#rows === null ? row : placeIn(this.#rows, row);
    to[place >>> 5] = (to[place >>> 5] as number) | (1 << (place & 31));
  }

  /**
   * Adds the places whose rows are in the other set to sets of places; where a place is a row, also those of rows that are no
   * place.
   */
  addTo(sets: readonly Uint32Array[], other: RowSet | null): void {
    const rows = this.#rows;
    if (other === null) return;
    if (rows !== null && other.form === 'list') {
      this.#addListed(sets, rows, other);
      return;
    }
    if (other.form === 'list') for (const set of sets) setBits(set, other);
    else addWords(sets, rows === null ? other.words : heldAmong(rows, other.words));
  }

  #addListed(sets: readonly Uint32Array[], rows: Uint32Array, other: RowSet): void {
    let place = 0;
    for (const row of intersect([{ form: 'list', count: rows.length, words: rows }, other]).words) {
      while (rows[place] !== row) place++;
      for (const set of sets) set[place >>> 5] = (set[place >>> 5] as number) | (1 << (place & 31));
    }
  }
}

function addWords(sets: readonly Uint32Array[], words: Uint32Array): void {
  for (const set of sets)
    for (let at = 0; at < words.length; at++) set[at] = (set[at] as number) | (words[at] as number);
}

/** The places whose rows are among the bits. */
function heldAmong(rows: Uint32Array, bits: Uint32Array): Uint32Array {
  const held = new Uint32Array(Math.ceil(rows.length / 32));
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] as number;
    const bit = ((bits[row >>> 5] as number) >>> (row & 31)) & 1;
    held[place >>> 5] = (held[place >>> 5] as number) | (bit << (place & 31));
  }
  return held;
}
