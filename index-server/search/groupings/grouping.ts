import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { bitmapOf, commonCount, intersect, type RowSet, rowsOf } from '../row-set.ts';

/** One value by which trials are grouped, and the filters of a search that ask for it. */
export interface Group {
  value: string;
  title: string;
  /** Null where no filter can be sent for it, as for a name that is too long. */
  query: Record<string, string> | null;
}

interface Kind {
  readonly own: readonly string[];
  /**
   * Further parameters that the rows of each group apply themselves, so that counting begins without them: the status of a site in a
   * country can hold where that of a site anywhere does not.
   */
  readonly applied?: readonly string[];
  /** Whether a trial has at most one of the values. */
  readonly exclusive: boolean;
  /** Values of a vocabulary and years are listed whole, in their own order; others by number of trials, in pages. */
  readonly order: 'vocabulary' | 'years' | 'count';
}

/**
 * Values by which trials are grouped, by number. A search with the `query` of a group in place of the parameters `own`, and with
 * every other filter, finds exactly the trials that are counted for it.
 */
export interface Grouping extends Kind {
  /** How many of the rows have each value. */
  count(rows: RowSet): Uint32Array;
  /** The rows that have each of these values. */
  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[];
  group(number: number): Group;
  /** Numbers of the values that have the text at the start of a word, where they are found faster than by reading each name. */
  withText?(text: string): readonly number[];
}

export interface GroupSet extends Group {
  rows: RowSet;
}

/** Of more than one in this many trials, a bit each is read faster for hundreds of values than a list is searched. */
const DENSE = 400;

/** Values that have a set of rows each: some ten to some hundred of them. */
export function bySets({ trials }: SnapshotImage, sets: readonly GroupSet[], kind: Kind): Grouping {
  return {
    ...kind,
    count: (rows) => {
      const held = rows.count * DENSE > trials ? bitmapOf(rows, trials) : rows;
      return Uint32Array.from(sets, (set) => commonCount(held, set.rows));
    },
    rowsWith: (rows, numbers) => numbers.map((number) => intersect([rows, sets[number]!.rows])),
    group: (number) => {
      const { value, title, query } = sets[number]!;
      return { value, title, query };
    },
  };
}

/** Values of which a row has at most one; `numberOf` gives `size` or more for a row that has none. */
export function byNumber(
  size: number,
  numberOf: (row: number) => number,
  group: Grouping['group'],
  kind: Omit<Kind, 'exclusive'>,
): Grouping {
  return {
    ...kind,
    exclusive: true,
    group,
    count: (set) => {
      const counts = new Uint32Array(size);
      const rows = rowsOf(set);
      for (let at = 0; at < rows.length; at++) {
        const number = numberOf(rows[at] as number);
        if (number < size) counts[number] = (counts[number] as number) + 1;
      }
      return counts;
    },
    rowsWith: (set, numbers) => {
      const lists = new Map(numbers.map((number) => [number, [] as number[]]));
      for (const row of rowsOf(set)) lists.get(numberOf(row))?.push(row);
      return numbers.map((number) => {
        const words = Uint32Array.from(lists.get(number)!);
        return { form: 'list', count: words.length, words };
      });
    },
  };
}

/** Numbers of the values that at least so many rows have. */
export function numbersHeld(counts: Uint32Array, least = 1): number[] {
  const numbers: number[] = [];
  for (let number = 0; number < counts.length; number++) {
    if ((counts[number] as number) >= least) numbers.push(number);
  }
  return numbers;
}

/** The numbers from the first held to the last, so that a gap between them is a zero and no missing value. */
export function spanOf(counts: Uint32Array): number[] {
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  return first < 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/**
 * Numbers `offset` to `offset + limit`, those with the largest counts first, equal ones by number. Of hundreds of thousands only
 * those are sorted whose counts come near the page.
 */
export function largestOf(counts: Uint32Array, offset: number, limit: number): number[] {
  const end = offset + limit;
  let least = 1;
  for (let number = 0; number < counts.length; number++) least = Math.max(least, counts[number] as number);
  let numbers = numbersHeld(counts, least);
  while (least > 1 && numbers.length < end) {
    least >>>= 1;
    numbers = numbersHeld(counts, least);
  }
  numbers.sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b);
  return numbers.slice(offset, end);
}

/** A page of the values; of a vocabulary and of years in their own order, of others by the largest rank or by name. */
export interface GroupPage {
  page: number;
  pageSize: number;
  isByName?: boolean;
  /** Values of a vocabulary without a trial are listed too. */
  isWhole?: boolean;
}

/** Numbers of the values of a page, and how many values there are. */
export function pageOfGroups(
  grouping: Grouping,
  counts: Uint32Array,
  ranks: Uint32Array,
  { page, pageSize, isByName = false, isWhole = false }: GroupPage,
): { numbers: number[]; total: number } {
  const { order } = grouping;
  const offset = (page - 1) * pageSize;
  const listed = order === 'years' ? spanOf(counts) : numbersHeld(counts, order === 'vocabulary' && isWhole ? 0 : 1);
  if (order === 'count' && !isByName) return { numbers: largestOf(ranks, offset, pageSize), total: listed.length };
  if (order === 'count') sortByName(listed, grouping);
  return { numbers: listed.slice(offset, offset + pageSize), total: listed.length };
}

function sortByName(numbers: number[], grouping: Grouping): void {
  const names = new Map(numbers.map((number) => [number, grouping.group(number).title.toLowerCase()]));
  numbers.sort((a, b) => {
    const [one, other] = [names.get(a)!, names.get(b)!];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
}

/** The counts of the values that have the text at the start of a word of their name, and 0 for all others. */
export function countsWithText(grouping: Grouping, counts: Uint32Array, text: string): Uint32Array {
  const isNamed = (number: number): boolean => {
    const { value, title } = grouping.group(number);
    return beginsAWord(title, text) || beginsAWord(value, text);
  };
  const kept = new Uint32Array(counts.length);
  for (const number of grouping.withText?.(text) ?? numbersHeld(counts).filter(isNamed)) {
    kept[number] = counts[number] as number;
  }
  return kept;
}

/** Whether a name has the text at the start of a word, in any case. */
function beginsAWord(name: string, text: string): boolean {
  const [folded, wanted] = [name.toLowerCase(), text.toLowerCase().trim()];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(folded[at - 1]!)) return true;
  }
  return false;
}
