import { GAP_CLOCKS, type GapClock, RESULTS_GAP_MONTHS } from '../../../contract/limits/limits.ts';
import { hasPassed, latestCompletion } from '../../../snapshot/format/results-gap.ts';
import { COMPLETENESS_NAMES, GAP, NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths, dayToIso } from '../../../snapshot/format/words/dates.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';

/**
 * The one reading of when results fall due, for filters, the order by days overdue and the shares of the results gap: the
 * completed interventional registrations of ClinicalTrials.gov, so many months after the date that the clock runs from.
 */

/** Filters by results that are due; days are numbers. */
interface ClockFilters {
  resultsGap?: boolean | undefined;
  resultsDue?: boolean | undefined;
  resultsDueAfter?: number | undefined;
  resultsDueBefore?: number | undefined;
  gapClock?: GapClock | undefined;
  gapMonths?: number | string | undefined;
  asOfDay?: number | undefined;
}

/** The clock began from `from` to `to`, both inclusive, of a trial of the population; `isIn` false asks for all others. */
export interface ClockTest {
  clock: GapClock;
  from: number | null;
  to: number | null;
  /** Only trials without posted results. */
  unposted: boolean;
  isIn: boolean;
}

/** A clock, and the day of the snapshot to which it is read. */
export interface GapClockAsked {
  clock: GapClock;
  months: number;
  /** Day number. */
  day: number;
}

export function clockAsked(query: Pick<ClockFilters, 'gapClock' | 'gapMonths'>, day: number): GapClockAsked {
  const { gapClock = GAP_CLOCKS[0], gapMonths = RESULTS_GAP_MONTHS } = query;
  return { clock: gapClock, months: Number(gapMonths), day };
}

export function clockTests(filters: ClockFilters): ClockTest[] {
  const { resultsGap, resultsDue, resultsDueAfter: after, resultsDueBefore: before, asOfDay } = filters;
  const { clock, months } = clockAsked(filters, 0);
  const passed = (unposted: boolean, isIn: boolean | undefined): ClockTest[] => {
    if (isIn === undefined) return [];
    if (asOfDay === undefined) throw new Error('the results gap is asked for without a day');
    return [{ clock, unposted, isIn, from: null, to: latestCompletion(asOfDay, months) }];
  };
  const between: ClockTest = {
    ...{ clock, unposted: false, isIn: true },
    from: after === undefined ? null : latestCompletion(after - 1, months) + 1,
    to: before === undefined ? null : latestCompletion(before, months),
  };
  return [
    ...passed(true, resultsGap),
    ...passed(false, resultsDue),
    ...(after === undefined && before === undefined ? [] : [between]),
  ];
}

/** Whether a row passes the test. */
export function passesClock(image: SnapshotImage, test: ClockTest): (row: number) => boolean {
  const { gap0 } = image.columns;
  const dayOf = clockDay(image, test.clock);
  const from = test.from ?? NOT_STATED + 1;
  const to = test.to ?? Number.POSITIVE_INFINITY;
  const isIn = (row: number): boolean => {
    if (gap0[row] !== GAP.withoutResults && (gap0[row] !== GAP.withResults || test.unposted)) return false;
    const day = dayOf(row);
    // NOT_STATED lies before every `from`.
    return day >= from && day <= to;
  };
  return test.isIn ? isIn : (row) => !isIn(row);
}

/** The day on which the clock of a row of the population begins; NOT_STATED without one. A month counts as its last day. */
export function clockDay(image: SnapshotImage, clock: GapClock): (row: number) => number {
  const { gapDay0, completionLast, presence0 } = image.columns;
  if (clock === 'primaryCompletion') return (row) => gapDay0[row] as number;
  // The trial's completion is that of ClinicalTrials.gov wherever it states one, else the other registry's.
  const bit = COMPLETENESS_NAMES.indexOf('dates.completion');
  return (row) => ((((presence0[row] as number) >>> bit) & 1) === 1 ? (completionLast[row] as number) : NOT_STATED);
}

/** Whether a query asks when results fall due, by a filter, a clock or its order. */
export function asksResultsDue(query: ClockFilters & { sort?: string | undefined }): boolean {
  const { resultsGap, resultsDue, resultsDueAfter, resultsDueBefore, gapClock, gapMonths, sort } = query;
  const asked = [resultsGap, resultsDue, resultsDueAfter, resultsDueBefore, gapClock, gapMonths];
  return sort === 'daysOverdue' || asked.some((one) => one !== undefined);
}

export interface ResultsDue {
  due: string;
  /** Days since then on the day of the snapshot; null where results are posted, or not due yet. */
  days: number | null;
}

/** When the results of each row were due by a clock; null for a row without one. */
export function resultsDueOf(
  image: SnapshotImage,
  { clock, months, day }: GapClockAsked,
): (row: number) => ResultsDue | null {
  const { gap0 } = image.columns;
  const began = clockDay(image, clock);
  return (row) => {
    const from = began(row);
    if (from === NOT_STATED || gap0[row] === GAP.outside) return null;
    const isLate = gap0[row] === GAP.withoutResults && hasPassed(from, months, day);
    const due = addMonths(from, months);
    return { due: dayToIso(due), days: isLate ? day - due : null };
  };
}
