import { placeIn, type RowSet } from '../row-set.ts';

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
  /**
   * Further parameters that the rows of each group apply themselves, so that counting begins without them: the status of a site in a
   * country can hold where that of a site anywhere does not.
   */
  readonly applied?: readonly string[];
  /** Whether a trial has at most one of the values. */
  readonly exclusive: boolean;
  /** Whether the values stand in an order of their own and are shown whole; else they are shown by number of trials, in pages. */
  readonly ordered: boolean;
  /** How many values there are: their numbers are smaller. */
  readonly size: number;
  /** How many of the rows have each value. */
  count(rows: RowSet): Counts;
  /** The rows that have each of these values. */
  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[];
  group(number: number): Group;
  /** Numbers of the values that have the text at the start of a word; those of `among` where only they are of interest. */
  withText(text: string, among: Counts): number[];
}

/**
 * How many rows have each value, of the values that any row has. There are hundreds of thousands of conditions and sponsors, and most
 * searches find trials of a few, so that no list of all is made for them.
 */
export class Counts {
  /** Ascending. */
  readonly numbers: Uint32Array;
  /** In their order, never 0. */
  readonly counts: Uint32Array;

  constructor(numbers: Uint32Array, counts: Uint32Array) {
    this.numbers = numbers;
    this.counts = counts;
  }

  /** From a count for each number, 0 where no row has it. */
  static ofEach(all: Uint32Array): Counts {
    let held = 0;
    for (let number = 0; number < all.length; number++) if (all[number] !== 0) held += 1;
    const [numbers, counts] = [new Uint32Array(held), new Uint32Array(held)];
    for (let number = 0, at = 0; at < held; number++) {
      if (all[number] === 0) continue;
      numbers[at] = number;
      counts[at++] = all[number] as number;
    }
    return new Counts(numbers, counts);
  }

  /** From the value of each row; sorts them in their place. `size`: how many values there are. */
  static ofValues(values: Uint32Array, size: number): Counts {
    if (values.length * SORTED_SHARE > size) {
      const all = new Uint32Array(size);
      for (let at = 0; at < values.length; at++) {
        const number = values[at] as number;
        all[number] = (all[number] as number) + 1;
      }
      return Counts.ofEach(all);
    }
    values.sort();
    const [numbers, counts] = [new Uint32Array(values.length), new Uint32Array(values.length)];
    let held = 0;
    for (let at = 0; at < values.length; at++) {
      if (at === 0 || values[at] !== values[at - 1]) numbers[held++] = values[at] as number;
      counts[held - 1] = (counts[held - 1] as number) + 1;
    }
    return new Counts(numbers.subarray(0, held), counts.subarray(0, held));
  }

  of(number: number): number {
    const at = placeIn(this.numbers, number);
    return this.numbers[at] === number ? (this.counts[at] as number) : 0;
  }

  /** Those of these numbers alone. */
  among(numbers: readonly number[]): Counts {
    const wanted = new Set(numbers);
    const places = [...this.numbers.keys()].filter((at) => wanted.has(this.numbers[at] as number));
    return new Counts(
      Uint32Array.from(places, (at) => this.numbers[at] as number),
      Uint32Array.from(places, (at) => this.counts[at] as number),
    );
  }

  /** The sum of all counts. */
  get sum(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** The numbers from the first to the last, so that a gap between them is a zero and no missing value. */
  get span(): number[] {
    const [first, last] = [this.numbers[0], this.numbers.at(-1)];
    if (first === undefined || last === undefined) return [];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }
}

/** To sort more than one value in this many costs more than to count all. */
const SORTED_SHARE = 32;

/**
 * Numbers `offset` to `offset + limit`, those with the largest counts first, equal ones by number. Of hundreds of thousands only
 * those are sorted whose counts are within the page.
 */
export function largestOf({ numbers, counts }: Counts, { offset, limit }: { offset: number; limit: number }): number[] {
  let most = 0;
  for (let at = 0; at < counts.length; at++) most = Math.max(most, counts[at] as number);
  const having = new Uint32Array(most + 1);
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] as number;
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
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] as number;
    if (count >= low && count <= high) within.push(at);
  }
  if (low < high) within.sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b);
  return within.slice(offset - before, offset - before + limit).map((at) => numbers[at] as number);
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
