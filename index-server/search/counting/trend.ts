import { TREND_MAX_PERIODS, TREND_MAX_SERIES, type TrendPeriod } from '../../../contract/schemas/trials/trend.ts';
import { NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths, dayToIso, parseFilterDate } from '../../../snapshot/format/words/dates.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, filtersKey } from '../filters.ts';
import { ImageCache, KEPT_COUNTS, KEPT_FROM_TRIALS } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { complementOf, intersect, type RowSet, rowsOf, union } from '../row-set.ts';

/** A value of a split and the matching trials that have it. */
export interface ValueRows {
  value: string;
  rows: RowSet;
}

/**
 * What a trend is split by; `key` names the split and everything besides the image that its values depend on. Where every trial has
 * one value, the column holds its place in the vocabulary for each row.
 */
export type Split = { key: string } & (
  | { exclusive: true; column: Uint8Array; vocabulary: readonly string[] }
  | { exclusive: false; valuesOf: (matching: RowSet) => ValueRows[] }
);

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

const kept = new ImageCache<Trend>(KEPT_COUNTS);

/**
 * Matching trials by the period of their start; null where there are more than TREND_MAX_PERIODS. A month lies in one
 * period, so that a start without a day counts exactly. The answer may be cached: do not change it.
 */
export function trend(
  image: SnapshotImage,
  filters: CompiledFilters,
  by: TrendPeriod,
  split: Split | null,
): Trend | null {
  const filtered = filtersKey(filters);
  const key = filtered === null ? null : `${by} ${split?.key} ${filtered}`;
  const known = key === null ? undefined : kept.get(image, key);
  if (known !== undefined) return known;
  const counts = countTrend(image, matchingRows(image, filters), by, split);
  if (key !== null && counts !== null && counts.trials >= KEPT_FROM_TRIALS) kept.set(image, key, counts);
  return counts;
}

function countTrend(image: SnapshotImage, matching: RowSet, by: TrendPeriod, split: Split | null): Trend | null {
  const starts = image.columns.startFirst;
  const rows = rowsOf(matching);
  const span = spanOf(starts, rows);
  const periods = span === null ? [] : periodsOf(span, by);
  if (periods === null) return null;
  const counter = new PeriodCounter(starts, periods);
  const counted = split?.exclusive === true ? oneValueEach(rows, split, counter) : null;
  return {
    ...(counted === null ? counter.count(rows) : sumOf(counted)),
    ofRegistry: registrationsOf(image, rows),
    periods: periods.map(({ period, from, to }) => ({ period, from: dayToIso(from), to: dayToIso(to) })),
    series:
      counted !== null
        ? seriesOfOne(counted)
        : split?.exclusive === false
          ? seriesOf(image, matching, split.valuesOf(matching), counter)
          : null,
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

/** Counts rows by period: the place of each day is looked up. */
class PeriodCounter {
  readonly #starts: Int32Array;
  readonly #length: number;
  readonly #from: number;
  /** Place of the period of each day from `from` on. */
  readonly #places: Uint16Array;

  constructor(starts: Int32Array, periods: readonly Period[]) {
    this.#starts = starts;
    this.#length = periods.length;
    this.#from = periods[0]?.from ?? 0;
    this.#places = new Uint16Array((periods.at(-1)?.to ?? this.#from - 1) + 1 - this.#from);
    periods.forEach(({ from, to }, place) => {
      this.#places.fill(place, from - this.#from, to + 1 - this.#from);
    });
  }

  count(rows: Uint32Array): SeriesCounts {
    const counts = new Uint32Array(this.#length);
    let withoutStart = 0;
    for (let at = 0; at < rows.length; at++) {
      const day = this.#starts[rows[at] as number] as number;
      if (day === NOT_STATED) withoutStart += 1;
      else {
        const place = this.#places[day - this.#from] as number;
        counts[place] = (counts[place] as number) + 1;
      }
    }
    return { trials: rows.length, withoutStart, counts: [...counts] };
  }

  /** For each of `size` values that a column holds, in one pass. */
  countEach(rows: Uint32Array, column: Uint8Array, size: number): SeriesCounts[] {
    const [starts, places, from, periods] = [this.#starts, this.#places, this.#from, this.#length];
    // The last place of each value is for rows without a start.
    const width = periods + 1;
    const counts = new Uint32Array(size * width);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      const day = starts[row] as number;
      const place = (column[row] as number) * width + (day === NOT_STATED ? periods : (places[day - from] as number));
      counts[place] = (counts[place] as number) + 1;
    }
    return Array.from({ length: size }, (_, value) => {
      const own = counts.subarray(value * width, (value + 1) * width);
      const trials = own.reduce((sum, count) => sum + count, 0);
      return { trials, withoutStart: own[periods] as number, counts: [...own.subarray(0, periods)] };
    });
  }
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

type ValueCounts = SeriesCounts & { value: string };

function oneValueEach(
  rows: Uint32Array,
  { column, vocabulary }: { column: Uint8Array; vocabulary: readonly string[] },
  counter: PeriodCounter,
): ValueCounts[] {
  return counter
    .countEach(rows, column, vocabulary.length)
    .map((counts, place) => ({ value: vocabulary[place]!, ...counts }));
}

/** The series of a split in which every trial has one value. */
function seriesOfOne(all: readonly ValueCounts[]): Trend['series'] {
  const held = all.filter(({ trials }) => trials > 0).sort((a, b) => b.trials - a.trials);
  const further = held.slice(TREND_MAX_SERIES);
  return {
    exclusive: true,
    shown: held.slice(0, TREND_MAX_SERIES),
    others: further.length === 0 ? null : { values: further.length, ...sumOf(further) },
    withoutValue: null,
  };
}

/** Counts of trials that have one value each, together. */
function sumOf(all: readonly SeriesCounts[]): SeriesCounts {
  const total = (of: (one: SeriesCounts) => number): number => all.reduce((sum, one) => sum + of(one), 0);
  return {
    trials: total(({ trials }) => trials),
    withoutStart: total(({ withoutStart }) => withoutStart),
    counts: Array.from({ length: all[0]?.counts.length ?? 0 }, (_, place) => total(({ counts }) => counts[place]!)),
  };
}

/** The values with the most trials, equal ones in the order of the split; the others together, and the trials without any. */
function seriesOf(
  image: SnapshotImage,
  matching: RowSet,
  values: readonly ValueRows[],
  counter: PeriodCounter,
): Trend['series'] {
  const held = values.filter(({ rows }) => rows.count > 0).sort((a, b) => b.rows.count - a.rows.count);
  const further = held.slice(TREND_MAX_SERIES);
  const together = (sets: typeof held): RowSet =>
    union(
      sets.map(({ rows }) => rows),
      image.trials,
    );
  const without = intersect([matching, complementOf(together(held), image.trials)]);
  return {
    exclusive: false,
    shown: held.slice(0, TREND_MAX_SERIES).map(({ value, rows }) => ({ value, ...counter.count(rowsOf(rows)) })),
    others: further.length === 0 ? null : { values: further.length, ...counter.count(rowsOf(together(further))) },
    withoutValue: without.count === 0 ? null : counter.count(rowsOf(without)),
  };
}
