import { TREND_MAX_PERIODS, TREND_MAX_SERIES, type TrendPeriod } from '../../../contract/schemas/trials/trend.ts';
import { NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths, dayToIso, parseFilterDate } from '../../../snapshot/format/words/dates.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type Grouping, largestOf } from '../groupings/grouping.ts';
import { type RowSet, rowsOf, union, without } from '../row-set.ts';

export interface SeriesCounts {
  trials: number;
  withoutStart: number;
  /** Trials in each period. */
  counts: number[];
}

export interface Trend extends SeriesCounts {
  /** Matching trials with a registration of REGISTRY_IDS[n]. */
  ofRegistry: [number, number];
  periods: { period: string; from: string; to: string }[];
  series: {
    exclusive: boolean;
    shown: (SeriesCounts & { value: string })[];
    others: (SeriesCounts & { values: number }) | null;
    withoutValue: SeriesCounts | null;
  } | null;
}

/**
 * Matching trials by the period of their start; null where there are more than TREND_MAX_PERIODS. A month lies in one
 * period, so that a start without a day counts exactly.
 */
export function trend(image: SnapshotImage, matching: RowSet, by: TrendPeriod, split: Grouping | null): Trend | null {
  const starts = image.columns.startFirst;
  const rows = rowsOf(matching);
  const span = spanOf(starts, rows);
  const periods = span === null ? [] : periodsOf(span, by);
  if (periods === null) return null;
  const count = counterOf(starts, periods);
  return {
    ...count(rows),
    ofRegistry: registrationsOf(image, rows),
    periods: periods.map(({ period, from, to }) => ({ period, from: dayToIso(from), to: dayToIso(to) })),
    series: split && seriesOf(image, matching, split, count),
  };
}

interface Period {
  period: string;
  /** First and last day. */
  from: number;
  to: number;
}

/** First and last day on which one of the rows starts; null where none states a start. */
function spanOf(starts: Int32Array, rows: Uint32Array): { first: number; last: number } | null {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < rows.length; at++) {
    const day = starts[rows[at] as number] as number;
    if (day === NOT_STATED) continue;
    if (day < first) first = day;
    if (day > last) last = day;
  }
  return first > last ? null : { first, last };
}

const MONTHS = { year: 12, quarter: 3 } as const;

/** Every period from the first day to the last; null where there are too many. */
function periodsOf(span: { first: number; last: number }, by: TrendPeriod): Period[] | null {
  const months = MONTHS[by];
  const numberOf = (day: number): number => Math.floor(monthOf(day) / months);
  const [first, last] = [numberOf(span.first), numberOf(span.last)];
  if (last - first >= TREND_MAX_PERIODS) return null;
  let next = firstDayOf(first * months);
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const month = (first + place) * months;
    const year = yearText(month);
    const from = next;
    next = addMonths(from, months);
    return { period: by === 'year' ? year : `${year}-Q${(month % 12) / months + 1}`, from, to: next - 1 };
  });
}

/** Months since January of the year 0. */
function monthOf(day: number): number {
  const [year, month] = dayToIso(day).split('-').map(Number) as [number, number];
  return year * 12 + month - 1;
}

function yearText(month: number): string {
  return String(Math.floor(month / 12)).padStart(4, '0');
}

function firstDayOf(month: number): number {
  return parseFilterDate(`${yearText(month)}-${String((month % 12) + 1).padStart(2, '0')}-01`) as number;
}

type Counter = (rows: Uint32Array) => SeriesCounts;

/** Counts rows by period: the place of the period of each day is looked up. */
function counterOf(starts: Int32Array, periods: readonly Period[]): Counter {
  const first = periods[0]?.from ?? 0;
  const places = new Uint16Array((periods.at(-1)?.to ?? first - 1) + 1 - first);
  periods.forEach(({ from, to }, place) => {
    places.fill(place, from - first, to + 1 - first);
  });
  return (rows) => {
    const counts = new Uint32Array(periods.length);
    let withoutStart = 0;
    for (let at = 0; at < rows.length; at++) {
      const day = starts[rows[at] as number] as number;
      if (day === NOT_STATED) withoutStart += 1;
      else {
        const place = places[day - first] as number;
        counts[place] = (counts[place] as number) + 1;
      }
    }
    return { trials: rows.length, withoutStart, counts: [...counts] };
  };
}

function registrationsOf({ columns }: SnapshotImage, rows: Uint32Array): [number, number] {
  const counts: [number, number] = [0, 0];
  for (let at = 0; at < rows.length; at++) {
    const held = columns.registries[rows[at] as number] as number;
    counts[0] += held & 1;
    counts[1] += (held >>> 1) & 1;
  }
  return counts;
}

/** The values with the most trials, equal ones in the order of the split; the others together, and the trials without any. */
function seriesOf(image: SnapshotImage, matching: RowSet, split: Grouping, count: Counter): Trend['series'] {
  const counts = split.count(matching);
  const numbers = largestOf(counts, { offset: 0, limit: counts.numbers.length });
  const sets = split.rowsWith(matching, numbers);
  const further = sets.slice(TREND_MAX_SERIES);
  const rest = without(matching, union(sets, image.trials));
  const counted = (rows: RowSet): SeriesCounts => count(rowsOf(rows));
  return {
    exclusive: split.exclusive,
    shown: sets.slice(0, TREND_MAX_SERIES).map((rows, place) => ({
      value: split.group(numbers[place] as number).value,
      ...counted(rows),
    })),
    others: further.length === 0 ? null : { values: further.length, ...counted(union(further, image.trials)) },
    withoutValue: rest.count === 0 ? null : counted(rest),
  };
}
