import { GAP_CLOCKS, GAP_MONTHS, type GapClock } from '../../contract/limits.ts';
import type { GapGroup, TrialResultsGapRecord } from '../../contract/schemas/trial-results-gap.ts';
import { addMonths } from '../../snapshot-format/dates.ts';
import { latestCompletion } from '../../snapshot-format/results-gap.ts';
import { GAP, NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { countsOf, type Group, type Grouping, heldOf, largestOf, spanOf } from './groupings/grouping.ts';
import {
  byCondition,
  byCountry,
  byDueYear,
  byPhase,
  bySponsor,
  bySponsorClass,
  byTopic,
} from './groupings/of-trials.ts';
import { clockDay, passesClock } from './results-clock.ts';
import { filterRows, type RowSet, rowsOf } from './row-set.ts';

/** Numerator, denominator and share of the results gap in a set of trials, and in each group of them. */

export interface GapClockAsked {
  clock: GapClock;
  months: number;
  /** Day number of the snapshot. */
  day: number;
}

export type Share = Pick<TrialResultsGapRecord, 'numerator' | 'denominator' | 'share'>;
export type Overdue = TrialResultsGapRecord['daysOverdue'];

/** The completed interventional registrations of ClinicalTrials.gov among the rows. */
export function populationIn({ columns: { gap0 } }: SnapshotImage, rows: RowSet): RowSet {
  return filterRows(rows, (row) => gap0[row] !== GAP.outside);
}

export interface GapRows {
  /** Those whose results were due, posted or not. */
  due: RowSet;
  /** Those of them without posted results. */
  unposted: RowSet;
}

export function gapRows(image: SnapshotImage, population: RowSet, { clock, months, day }: GapClockAsked): GapRows {
  const { gap0 } = image.columns;
  const test = { clock, from: null, to: latestCompletion(day, months), unposted: false, isIn: true };
  const due = filterRows(population, passesClock(image, test));
  return { due, unposted: filterRows(due, (row) => gap0[row] === GAP.withoutResults) };
}

export function shareOf(numerator: number, denominator: number): Share {
  return { numerator, denominator, share: denominator === 0 ? null : numerator / denominator };
}

/** How many of the population state no date for the clock. */
export function withoutDate(image: SnapshotImage, population: RowSet, clock: GapClock): number {
  const dayOf = clockDay(image, clock);
  return filterRows(population, (row) => dayOf(row) === NOT_STATED).count;
}

/** Days since the results were due, of rows whose results were. */
export function overdueOf(image: SnapshotImage, unposted: RowSet, { clock, months, day }: GapClockAsked): Overdue {
  if (unposted.count === 0) return null;
  const dayOf = clockDay(image, clock);
  const due = new Map<number, number>();
  const days = Int32Array.from(rowsOf(unposted), (row) => {
    const began = dayOf(row);
    const known = due.get(began) ?? day - addMonths(began, months);
    due.set(began, known);
    return known;
  }).sort();
  const middle = (days.length - 1) / 2;
  const median = ((days[Math.floor(middle)] as number) + (days[Math.ceil(middle)] as number)) / 2;
  return { median, longest: days.at(-1) as number };
}

/** Shares of the same population by every clock. */
export function byEachClock(
  image: SnapshotImage,
  population: RowSet,
  day: number,
): { clock: GapClock; months: number; share: Share }[] {
  return GAP_CLOCKS.flatMap((clock) =>
    GAP_MONTHS.map(Number).map((months) => {
      const { due, unposted } = gapRows(image, population, { clock, months, day });
      return { clock, months, share: shareOf(unposted.count, due.count) };
    }),
  );
}

export async function gapGrouping(
  by: GapGroup,
  image: SnapshotImage,
  { clock, months, byConcepts }: GapClockAsked & { byConcepts: boolean },
): Promise<Grouping> {
  const groupings: Record<GapGroup, () => Grouping | Promise<Grouping>> = {
    disease: () => byTopic(image, byConcepts),
    condition: () => byCondition(image, byConcepts),
    sponsor: () => bySponsor(image),
    sponsorClass: () => bySponsorClass(image),
    year: () => byDueYear(image, clock, months),
    phase: () => byPhase(image),
    country: () => byCountry(image),
  };
  return groupings[by]();
}

export interface GroupShares {
  /** Groups with a denominator; of years also those between that have none. */
  total: number;
  values: (Group & Share & { daysOverdue: Overdue })[];
}

export interface GroupPage {
  offset: number;
  limit: number;
  sort: 'numerator' | 'name';
  text?: string | undefined;
}

/** One page of the groups. */
export function groupShares(
  image: SnapshotImage,
  grouping: Grouping,
  { due, unposted }: GapRows,
  asked: GapClockAsked,
  page: GroupPage,
): GroupShares {
  const all = grouping.count(due);
  const denominators = page.text === undefined ? all : countsOf(all, grouping.withText(page.text, all));
  const numerators = grouping.count(unposted);
  const { total, numbers } = pageOfGroups(grouping, denominators, numerators, page);
  const unpostedOf = grouping.rowsWith(unposted, numbers);
  const values = numbers.map((number, place) => ({
    ...grouping.group(number),
    ...shareOf(numerators[number] as number, denominators[number] as number),
    daysOverdue: overdueOf(image, unpostedOf[place]!, asked),
  }));
  return { total, values };
}

function pageOfGroups(
  grouping: Grouping,
  denominators: Uint32Array,
  numerators: Uint32Array,
  { offset, limit, sort }: GroupPage,
): { total: number; numbers: number[] } {
  if (grouping.ordered) {
    const numbers = grouping.own.includes('resultsDueAfter') ? spanOf(denominators) : heldIn(denominators);
    return { total: numbers.length, numbers: numbers.slice(offset, offset + limit) };
  }
  const total = heldOf(denominators);
  if (sort === 'numerator') {
    // Groups with a denominator alone come after those with a numerator.
    const counts = denominators.map((due, number) => (due === 0 ? 0 : (numerators[number] as number) + 1));
    return { total, numbers: largestOf(counts, { offset, limit }) };
  }
  const names = heldIn(denominators).map((number) => ({ number, name: grouping.group(number).title.toLowerCase() }));
  names.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.number - b.number));
  return { total, numbers: names.slice(offset, offset + limit).map(({ number }) => number) };
}

function heldIn(counts: Uint32Array): number[] {
  const held: number[] = [];
  for (let number = 0; number < counts.length; number++) if (counts[number] !== 0) held.push(number);
  return held;
}
