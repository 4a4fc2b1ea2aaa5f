import type { RowSet } from '../row-set.ts';

/** One value by which trials are told apart, and the filters of a search that ask for it. */
export interface Group {
  value: string;
  title: string;
  /** Null where no filter can be sent for it, as for a name that is too long. */
  query: Record<string, string> | null;
}

/**
 * Values by which trials are told apart, by number. A search with the `query` of a group in place of the parameters `own`, and with
 * every other filter, finds exactly the trials that are counted for it.
 */
export interface Grouping {
  readonly own: readonly string[];
  /** Whether a trial has at most one of the values. */
  readonly exclusive: boolean;
  /** Whether the values stand in an order of their own and are shown whole; else they are shown by number of trials, in pages. */
  readonly ordered: boolean;
  /** How many of the rows have each value. */
  count(rows: RowSet): Uint32Array;
  /** The rows that have each of these values. */
  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[];
  group(number: number): Group;
  /** Numbers of the values that have the text at the start of a word; those of `among` where only they are of interest. */
  withText(text: string, among: Uint32Array): number[];
}

/** The numbers from the first to the last with a count, so that a gap between them is a zero and no missing value. */
export function spanOf(counts: Uint32Array): number[] {
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return [];
  const last = counts.findLastIndex((count) => count > 0);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** How many numbers have a count. */
export function heldOf(counts: Uint32Array): number {
  let held = 0;
  for (let number = 0; number < counts.length; number++) if (counts[number] !== 0) held += 1;
  return held;
}

/**
 * Numbers `offset` to `offset + limit` of those with a count, largest first, equal ones by number. Of hundreds of thousands only
 * those are sorted whose counts are within the page.
 */
export function largestOf(counts: Uint32Array, { offset, limit }: { offset: number; limit: number }): number[] {
  const most = counts.reduce((max, count) => Math.max(max, count), 0);
  const having = new Uint32Array(most + 1);
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] as number;
    having[count] = (having[count] as number) + 1;
  }
  let [high, low, before] = [0, 0, 0];
  let larger = 0;
  for (let count = most; count > 0 && larger < offset + limit; count--) {
    const next = larger + (having[count] as number);
    if (high === 0 && next > offset) [high, before] = [count, larger];
    low = count;
    larger = next;
  }
  if (high === 0) return [];
  const within: number[] = [];
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] as number;
    if (count >= low && count <= high) within.push(number);
  }
  if (low < high) within.sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b);
  return within.slice(offset - before, offset - before + limit);
}

/** The counts of these numbers alone. */
export function countsOf(counts: Uint32Array, numbers: readonly number[]): Uint32Array {
  const kept = new Uint32Array(counts.length);
  for (const number of numbers) kept[number] = counts[number] as number;
  return kept;
}

/** Lists of rows by their number, of the numbers that are asked for: one pass over the rows. */
export function split(rows: Uint32Array, numberOf: (row: number) => number, numbers: readonly number[]): RowSet[] {
  const lists = new Map(numbers.map((number) => [number, [] as number[]]));
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    lists.get(numberOf(row))?.push(row);
  }
  return numbers.map((number) => {
    const words = Uint32Array.from(lists.get(number)!);
    return { form: 'list', count: words.length, words };
  });
}
