import { BITMAP_DENSITY } from '../../snapshot/format/serving-columns.ts';
import type { Posting } from '../../snapshot/image/postings.ts';

/** A set of rows: ascending rows, or one bit per row. The words may lie in a mapped file: never write to them. */
export type RowSet = Posting;

export const EMPTY: RowSet = { form: 'list', count: 0, words: new Uint32Array(0) };

/** Every row of an image with this many trials. */
export function allRows(trials: number): RowSet {
  const words = new Uint32Array(Math.ceil(trials / 32)).fill(0xffff_ffff);
  if (trials % 32 !== 0) words[words.length - 1] = 2 ** (trials % 32) - 1;
  return { form: 'bitmap', count: trials, words };
}

/** Rows that are in all of the sets (at least one). Starts with the smallest set, which bounds the work. */
export function intersect(sets: RowSet[]): RowSet {
  const [first, ...others] = [...sets].sort((a, b) => a.count - b.count) as [RowSet, ...RowSet[]];
  let result = first;
  for (const other of others) {
    if (result.count === 0) return EMPTY;
    result = intersectTwo(result, other);
  }
  return result;
}

/** How many rows are in both sets. */
export function commonCount(one: RowSet, other: RowSet): number {
  if (one.form === 'list' || other.form === 'list') return intersect([one, other]).count;
  let count = 0;
  for (let at = 0; at < one.words.length; at++)
    count += bitCount((one.words[at] as number) & (other.words[at] as number));
  return count;
}

function intersectTwo(a: RowSet, b: RowSet): RowSet {
  if (a.form === 'bitmap' && b.form === 'bitmap') return andWords(a.words, b.words);
  // The caller passes the smaller set first.
  if (a.form === 'list' && b.form === 'list') return commonRows(a, b.words);
  return a.form === 'list' ? keepBits(a, b.words) : keepBits(b, a.words);
}

function andWords(a: Uint32Array, b: Uint32Array): RowSet {
  const words = new Uint32Array(a.length);
  for (let at = 0; at < words.length; at++) words[at] = (a[at] as number) & (b[at] as number);
  return counted(words);
}

function keepBits(list: RowSet, bitmap: Uint32Array): RowSet {
  const kept = new Uint32Array(list.count);
  let count = 0;
  for (let at = 0; at < list.count; at++) {
    const row = list.words[at] as number;
    kept[count] = row;
    count += ((bitmap[row >>> 5] as number) >>> (row & 31)) & 1;
  }
  return { form: 'list', count, words: kept.subarray(0, count) };
}

/** Rows of two lists, read side by side. */
function commonRows(shorter: RowSet, longer: Uint32Array): RowSet {
  const kept = new Uint32Array(shorter.count);
  let count = 0;
  for (let at = 0, other = 0; at < shorter.count; at++) {
    const row = shorter.words[at] as number;
    while (other < longer.length && (longer[other] as number) < row) other += 1;
    if (longer[other] === row) kept[count++] = row;
  }
  return { form: 'list', count, words: kept.subarray(0, count) };
}

/** Rows of the set that are not in the other. */
export function without(set: RowSet, other: RowSet): RowSet {
  if (set.count === 0 || other.count === 0) return set;
  if (set.form === 'list') return filterRows(set, (row) => !isHeldBy(other, row));
  const words = set.words.slice();
  if (other.form === 'list') {
    for (let at = 0; at < other.count; at++) {
      const row = other.words[at] as number;
      words[row >>> 5] = (words[row >>> 5] as number) & ~(1 << (row & 31));
    }
  } else {
    for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & ~(other.words[at] as number);
  }
  return counted(words);
}

/** Bits as a set with its count. */
function counted(words: Uint32Array): RowSet {
  let count = 0;
  for (let at = 0; at < words.length; at++) count += bitCount(words[at] as number);
  return { form: 'bitmap', count, words };
}

/** The set as one bit per row, of so many rows; the set itself where it is a bitmap. */
export function bitmapOf(set: RowSet, trials: number): RowSet {
  if (set.form === 'bitmap') return set;
  const words = new Uint32Array(Math.ceil(trials / 32));
  setBits(words, set);
  return { form: 'bitmap', count: set.count, words };
}

/** To sort more than one in this many rows costs more than to set a bit for each and read all bits. */
const SORTED_DENSITY = 400;

/** Rows that are in any of the sets. */
export function union(sets: RowSet[], trials: number): RowSet {
  const held = sets.filter(({ count }) => count > 0);
  const [only] = held;
  if (only === undefined) return EMPTY;
  if (held.length === 1) return only;
  const sum = held.reduce((total, { count }) => total + count, 0);
  const isList = sum * BITMAP_DENSITY <= trials && held.every(({ form }) => form === 'list');
  if (isList && sum * SORTED_DENSITY <= trials) {
    const sorted = Uint32Array.from(held.flatMap(({ words }) => [...words])).sort();
    const words = sorted.filter((row, at) => row !== sorted[at - 1]);
    return { form: 'list', count: words.length, words };
  }
  const words = new Uint32Array(Math.ceil(trials / 32));
  for (const set of held) {
    if (set.form === 'bitmap') {
      for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) | (set.words[at] as number);
    } else setBits(words, set);
  }
  const all = counted(words);
  return isList ? { form: 'list', count: all.count, words: rowsOf(all) } : all;
}

/** Sets the bit of each row of a list. */
function setBits(words: Uint32Array, list: RowSet): void {
  for (let at = 0; at < list.count; at++) {
    const row = list.words[at] as number;
    words[row >>> 5] = (words[row >>> 5] as number) | (1 << (row & 31));
  }
}

/** Rows of the set for which `keep` is true, in the form of the set. */
export function filterRows(set: RowSet, keep: (row: number) => boolean): RowSet {
  if (set.form === 'list') {
    const kept = new Uint32Array(set.count);
    let count = 0;
    for (let at = 0; at < set.count; at++) {
      const row = set.words[at] as number;
      if (keep(row)) kept[count++] = row;
    }
    return { form: 'list', count, words: kept.subarray(0, count) };
  }
  const words = new Uint32Array(set.words.length);
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    let left = (set.words[at] as number) | 0;
    let word = 0;
    for (; left !== 0; left &= left - 1) {
      const bit = left & -left;
      if (keep(at * 32 + 31 - Math.clz32(bit))) {
        word |= bit;
        count += 1;
      }
    }
    words[at] = word;
  }
  return { form: 'bitmap', count, words };
}

/** Whether the set has the row. */
export function isHeldBy(set: RowSet, row: number): boolean {
  if (set.form === 'bitmap') return (((set.words[row >>> 5] as number) >>> (row & 31)) & 1) === 1;
  return set.words[placeIn(set.words, row)] === row;
}

/** Place of the first of ascending rows that is at least `row`. */
function placeIn(rows: Uint32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as number) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All rows of the set, ascending, as a new array. */
export function rowsOf(set: RowSet): Uint32Array {
  return set.form === 'list' ? set.words.slice() : bitmapRows(set.words, 0, set.count);
}

/** Rows `offset` to `offset + limit` of the set, ascending, as a new array. */
export function pageOf(set: RowSet, offset: number, limit: number): Uint32Array {
  const length = Math.max(0, Math.min(limit, set.count - offset));
  if (length === 0) return new Uint32Array(0);
  return set.form === 'list' ? set.words.slice(offset, offset + length) : bitmapRows(set.words, offset, length);
}

function bitmapRows(words: Uint32Array, offset: number, length: number): Uint32Array {
  const rows = new Uint32Array(length);
  let skipped = 0;
  let at = 0;
  for (; at < words.length; at++) {
    const here = bitCount(words[at] as number);
    if (skipped + here > offset) break;
    skipped += here;
  }
  let found = 0;
  for (; at < words.length && found < length; at++) {
    // As a signed number it stays a small integer to the engine.
    for (let word = (words[at] as number) | 0; word !== 0 && found < length; word &= word - 1) {
      if (skipped >= offset) rows[found++] = at * 32 + 31 - Math.clz32(word & -word);
      skipped += 1;
    }
  }
  return rows;
}

/** Set bits of a 32-bit word (Warren, Hacker's Delight, 5-1). */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
