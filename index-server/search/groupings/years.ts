import { NOT_STATED } from '../../../snapshot-format/serving-columns.ts';
import { type RowSet, rowsOf } from '../row-set.ts';
import { type Group, type Grouping, split } from './grouping.ts';

const YEARS = 10_000;
const DAY_MS = 86_400_000;
const DAYS_OF_YEAR = 365.2425;
/** From the first day of the year 0 to 1970-01-01. */
const DAYS_TO_1970 = 719_528;

/** The first day of a year, as a day number. */
export function firstDayOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1) / DAY_MS;
}

/** Years by a day of each row. The number of a year is the year. */
export class YearGrouping implements Grouping {
  readonly own: readonly string[];
  readonly exclusive = true;
  readonly ordered = true;
  readonly #dayOf: (row: number) => number;
  readonly #firstOf: (year: number) => number;
  readonly #firsts = new Float64Array(YEARS + 2).fill(Number.NaN);

  /** `firstOf`: the first day that counts to a year, where that is not its own first day. `own`: the parameters of both ends. */
  constructor(
    dayOf: (row: number) => number,
    own: readonly [string, string],
    firstOf: (year: number) => number = firstDayOf,
  ) {
    this.#dayOf = dayOf;
    this.#firstOf = firstOf;
    this.own = own;
  }

  count(rows: RowSet): Uint32Array {
    const counts = new Uint32Array(YEARS);
    const list = rowsOf(rows);
    for (let at = 0; at < list.length; at++) {
      const year = this.#yearOf(list[at] as number);
      if (year >= 0) counts[year] = (counts[year] as number) + 1;
    }
    return counts;
  }

  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[] {
    return split(rowsOf(rows), (row) => this.#yearOf(row), numbers);
  }

  group(number: number): Group {
    const year = String(number).padStart(4, '0');
    const [after, before] = this.own as readonly [string, string];
    return { value: year, title: year, query: { [after]: `${year}-01-01`, [before]: `${year}-12-31` } };
  }

  withText(text: string, among: Uint32Array): number[] {
    const found: number[] = [];
    for (const [number, count] of among.entries()) {
      if (count > 0 && String(number).padStart(4, '0').startsWith(text.trim())) found.push(number);
    }
    return found;
  }

  /** Negative for a row without a day. */
  #yearOf(row: number): number {
    const day = this.#dayOf(row);
    if (day === NOT_STATED) return -1;
    let year = Math.min(YEARS - 1, Math.max(0, Math.floor((day + DAYS_TO_1970) / DAYS_OF_YEAR)));
    while (year > 0 && day < this.#firstDay(year)) year -= 1;
    while (year < YEARS - 1 && day >= this.#firstDay(year + 1)) year += 1;
    return year;
  }

  #firstDay(year: number): number {
    const known = this.#firsts[year] as number;
    if (!Number.isNaN(known)) return known;
    const first = this.#firstOf(year);
    this.#firsts[year] = first;
    return first;
  }
}
