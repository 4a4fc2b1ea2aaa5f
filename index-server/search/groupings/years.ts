import { NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { type RowSet, rowsOf } from '../row-set.ts';
import { Counts, type Group, type Grouping, split } from './grouping.ts';

const YEARS = 10_000;
const DAY_MS = 86_400_000;
const DAYS_OF_YEAR = 365.2425;
/** From the first day of the year 0 to 1970-01-01. */
const DAYS_TO_1970 = 719_528;

/** The first day of a year, as a day number. */
export function firstDayOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1) / DAY_MS;
}

/** The days from 1970 to 2060. */
const USUAL_FROM = 0;
const USUAL_DAYS = 33_238;

/** Years by a day of each row. The number of a year is the year. */
export class YearGrouping implements Grouping {
  readonly own: readonly string[];
  readonly exclusive = true;
  readonly ordered = true;
  readonly size = YEARS;
  readonly #dayOf: (row: number) => number;
  readonly #firstOf: (year: number) => number;
  #table: Uint16Array | null = null;
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

  count(rows: RowSet): Counts {
    const counts = new Uint32Array(YEARS);
    const list = rowsOf(rows);
    for (let at = 0; at < list.length; at++) {
      const year = this.#yearOf(list[at] as number);
      if (year >= 0) counts[year] = (counts[year] as number) + 1;
    }
    return Counts.ofEach(counts);
  }

  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[] {
    return split(rowsOf(rows), (row) => this.#yearOf(row), numbers);
  }

  group(number: number): Group {
    const year = String(number).padStart(4, '0');
    const [after, before] = this.own as readonly [string, string];
    return { value: year, title: year, query: { [after]: `${year}-01-01`, [before]: `${year}-12-31` } };
  }

  withText(text: string, { numbers }: Counts): number[] {
    return [...numbers].filter((number) => String(number).padStart(4, '0').startsWith(text.trim()));
  }

  /** Negative for a row without a day. */
  #yearOf(row: number): number {
    const day = this.#dayOf(row);
    if (day === NOT_STATED) return -1;
    this.#table ??= this.#usualYears();
    const place = day - USUAL_FROM;
    return place >= 0 && place < USUAL_DAYS ? (this.#table[place] as number) : this.#searched(day);
  }

  /** The year of each of the days that nearly all dates lie in. */
  #usualYears(): Uint16Array {
    const table = new Uint16Array(USUAL_DAYS);
    for (let place = 0; place < USUAL_DAYS; ) {
      const year = this.#searched(USUAL_FROM + place);
      const next = Math.min(USUAL_DAYS, this.#firstDay(year + 1) - USUAL_FROM);
      table.fill(year, place, next);
      place = next;
    }
    return table;
  }

  #searched(day: number): number {
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
