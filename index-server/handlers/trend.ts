import type { TREND_OPERATIONS } from '../../contract/operations/trials/trial-trend.ts';
import {
  TREND_MAX_PERIODS,
  TREND_MAX_SERIES,
  type TrendPeriod,
  type TrendRecord,
} from '../../contract/schemas/trials/trend.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { isWholeFor, registryStates } from '../../snapshot/format/registry-answer.ts';
import { NOT_STATED, POSTING } from '../../snapshot/format/serving-columns.ts';
import { addMonths, dayToIso, parseFilterDate } from '../../snapshot/format/words/dates.ts';
import { type DataEnd, dataEnds, trendNotices, wholeUntil } from '../data-ends.ts';
import { type Grouping, largestOf } from '../search/groupings/grouping.ts';
import { groupingBy } from '../search/groupings/of-trials.ts';
import { commonCount, EMPTY, type RowSet, rowsOf, union, without } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import { answer } from './answer.ts';

const TOO_MANY = `at most ${TREND_MAX_PERIODS} periods from the first start to the last: longer ones (by=year), or a range of starts (startedAfter, startedBefore)`;

type Series = NonNullable<TrendRecord['series']>;
type Counter = (rows: RowSet) => NonNullable<Series['withoutValue']>;

export const trendHandlers: Handlers<typeof TREND_OPERATIONS, IndexServices> = {
  'trials-trend': ({ query }, context, services, fail) =>
    answer('trend', { query, context, services, fail }, async ({ image, manifest, rows }) => {
      const { by, split = null, registry } = query;
      const { asOf } = manifest;
      const starts = image.columns.startFirst;
      const periods = periodsOf(starts, rowsOf(rows), by) ?? refuseParameter('by', TOO_MANY, fail);
      const grouping = split && (await groupingBy(split, image, query, services.modalities));
      const ends = dataEnds({ image, manifest }, registry, services.sources);
      const count = counterOf(starts, periods, isWholeFor(manifest, registry));
      const { trials, withoutStart, counts } = count(rows);
      const heldBy = (id: string): number => commonCount(rows, image.posting(POSTING.registry + id) ?? EMPTY);
      const data: TrendRecord = {
        ...{ asOf, by, split, trials, withStart: trials - withoutStart, withoutStart },
        registries: registryStates(manifest).map((one) => ({
          ...one,
          trials: one.state === 'unanswered' ? null : heldBy(one.registry),
        })),
        periods: periods.map((period, place) => presentPeriod(period, counts[place] as number | null, ends, asOf)),
        series: grouping && {
          exclusive: grouping.exclusive,
          basis: split === 'modality' ? 'derived' : 'registry',
          ...seriesOf(image.trials, rows, grouping, count),
        },
      };
      const notices = trendNotices(data.periods, ends, manifest);
      return { data, meta: { notices }, inferred: split === 'modality' };
    }),
};

interface Period {
  period: string;
  /** First and last day. */
  from: number;
  to: number;
}

function presentPeriod({ period, from, to }: Period, trials: number | null, ends: readonly DataEnd[], asOf: string) {
  const [first, last] = [dayToIso(from), dayToIso(to)];
  return { period, from: first, to: last, ended: last < wholeUntil(ends, { asOf }), planned: first > asOf, trials };
}

const MONTHS = { year: 12, quarter: 3 } as const;

/**
 * Every period from the first start of a row to the last; null where there are too many. A month lies in one period, so that a
 * start without a day counts exactly.
 */
function periodsOf(starts: Int32Array, rows: Uint32Array, by: TrendPeriod): Period[] | null {
  let [firstDay, lastDay] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < rows.length; at++) {
    const day = starts[rows[at] as number] as number;
    if (day === NOT_STATED) continue;
    firstDay = Math.min(firstDay, day);
    lastDay = Math.max(lastDay, day);
  }
  if (firstDay > lastDay) return [];
  const months = MONTHS[by];
  const numberOf = (day: number): number => Math.floor(monthOf(day) / months);
  const [first, last] = [numberOf(firstDay), numberOf(lastDay)];
  if (last - first >= TREND_MAX_PERIODS) return null;
  let next = firstDayOf(first * months);
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const month = (first + place) * months;
    const from = next;
    next = addMonths(from, months);
    const year = yearText(month);
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

/** Counts rows by period. An empty period is zero only where every registry that the query covers answered (`isWhole`). */
function counterOf(starts: Int32Array, periods: readonly Period[], isWhole: boolean): Counter {
  const first = periods[0]?.from ?? 0;
  const places = new Uint16Array((periods.at(-1)?.to ?? first - 1) + 1 - first);
  for (const [place, { from, to }] of periods.entries()) places.fill(place, from - first, to + 1 - first);
  return (set) => {
    const rows = rowsOf(set);
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
    const known = Array.from(counts, (count) => (count === 0 && !isWhole ? null : count));
    return { trials: rows.length, withoutStart, counts: known };
  };
}

/** The values with the most trials, equal ones in the order of the split; the others together, and the trials without any. */
function seriesOf(trials: number, rows: RowSet, split: Grouping, count: Counter) {
  const counts = split.count(rows);
  const numbers = largestOf(counts, 0, counts.length);
  const sets = split.rowsWith(rows, numbers);
  const further = sets.slice(TREND_MAX_SERIES);
  const rest = without(rows, union(sets, trials));
  return {
    shown: sets.slice(0, TREND_MAX_SERIES).map((set, place) => ({
      value: split.group(numbers[place] as number).value,
      ...count(set),
    })),
    others: further.length === 0 ? null : { values: further.length, ...count(union(further, trials)) },
    withoutValue: rest.count === 0 ? null : count(rest),
  };
}
