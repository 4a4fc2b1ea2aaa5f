import { GAP_CLOCKS, GAP_MONTHS, type GapClock } from '../../../contract/limits/limits.ts';
import type { TrialResultsGapRecord } from '../../../contract/schemas/trials/trial-results-gap.ts';
import { latestCompletion } from '../../../snapshot/format/results-gap.ts';
import { GAP, NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths } from '../../../snapshot/format/words/dates.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { Counts, type Group, type Grouping, largestOf } from '../groupings/grouping.ts';
import { type RowSet, rowsOf } from '../row-set.ts';
import { ofRank } from './quantiles.ts';
import { clockDay, type GapClockAsked } from './results-clock.ts';

/** Numerator, denominator and share of the results gap in a set of trials, and in each group of them. */

export type Share = Pick<TrialResultsGapRecord, 'numerator' | 'denominator' | 'share'>;
export type Overdue = TrialResultsGapRecord['daysOverdue'];

export interface GapRows {
  /** Completed interventional registrations of ClinicalTrials.gov. */
  population: RowSet;
  /** Those of them that state no date for the clock. */
  undated: number;
  /** Those whose results were due, posted or not. */
  due: RowSet;
  /** Those of them without posted results. */
  unposted: RowSet;
}

/** Sorts the rows by where they stand; one pass, since they may be most of a registry. */
export function gapRows(image: SnapshotImage, rows: RowSet, { clock, months, day }: GapClockAsked): GapRows {
  const { gap0 } = image.columns;
  const dayOf = clockDay(image, clock);
  const latest = latestCompletion(day, months);
  const list = rowsOf(rows);
  const [population, due, unposted] = [list, new Uint32Array(list.length), new Uint32Array(list.length)];
  const found = { population: 0, undated: 0, due: 0, unposted: 0 };
  for (let at = 0; at < list.length; at++) {
    const row = list[at] as number;
    const standing = gap0[row];
    if (standing === GAP.outside) continue;
    // In the place of a row that was read before.
    population[found.population++] = row;
    const began = dayOf(row);
    if (began === NOT_STATED) found.undated += 1;
    else if (began <= latest) {
      due[found.due++] = row;
      if (standing === GAP.withoutResults) unposted[found.unposted++] = row;
    }
  }
  const setOf = (words: Uint32Array, count: number): RowSet => ({ form: 'list', count, words: words.slice(0, count) });
  return {
    undated: found.undated,
    population: setOf(population, found.population),
    due: setOf(due, found.due),
    unposted: setOf(unposted, found.unposted),
  };
}

export function shareOf(numerator: number, denominator: number): Share {
  return { numerator, denominator, share: denominator === 0 ? null : numerator / denominator };
}

/** Days since the results were due, of rows whose results were. */
export function overdueOf(image: SnapshotImage, unposted: RowSet, { clock, months, day }: GapClockAsked): Overdue {
  const { count } = unposted;
  if (count === 0) return null;
  const began = Int32Array.from(rowsOf(unposted), clockDay(image, clock));
  const [first, below, above] = ofRank(began, [0, Math.floor((count - 1) / 2), Math.ceil((count - 1) / 2)]);
  // Who began earlier is overdue for as long or longer, so that the order of both is the same.
  const daysOf = (from: number | undefined): number => day - addMonths(from as number, months);
  return { median: (daysOf(below) + daysOf(above)) / 2, longest: daysOf(first) };
}

/** Shares by every clock among rows of the population, in one pass. */
export function byEachClock(
  image: SnapshotImage,
  { words: rows }: GapRows['population'],
  day: number,
): { clock: GapClock; months: number; share: Share }[] {
  const { gap0 } = image.columns;
  const clocks = GAP_CLOCKS.map((clock) => ({ clock, dayOf: clockDay(image, clock) }));
  const ends = GAP_MONTHS.map((months) => latestCompletion(day, Number(months)));
  const due = new Uint32Array(clocks.length * ends.length);
  const unposted = new Uint32Array(clocks.length * ends.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const standing = gap0[row];
    for (let which = 0; which < clocks.length; which++) {
      const began = clocks[which]!.dayOf(row);
      if (began === NOT_STATED) continue;
      for (let end = 0; end < ends.length; end++) {
        if (began > (ends[end] as number)) continue;
        const place = which * ends.length + end;
        due[place] = (due[place] as number) + 1;
        if (standing === GAP.withoutResults) unposted[place] = (unposted[place] as number) + 1;
      }
    }
  }
  return clocks.flatMap(({ clock }, which) =>
    GAP_MONTHS.map((months, end) => {
      const place = which * ends.length + end;
      return { clock, months: Number(months), share: shareOf(unposted[place] as number, due[place] as number) };
    }),
  );
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
  { due, unposted }: Pick<GapRows, 'due' | 'unposted'>,
  asked: GapClockAsked,
  page: GroupPage,
): GroupShares {
  const all = grouping.count(due);
  const denominators = page.text === undefined ? all : all.among(grouping.withText(page.text, all));
  const numerators = grouping.count(unposted);
  const { total, numbers } = pageOfGroups(grouping, denominators, numerators, page);
  const unpostedOf = grouping.rowsWith(unposted, numbers);
  const values = numbers.map((number, place) => ({
    ...grouping.group(number),
    ...shareOf(numerators.of(number), denominators.of(number)),
    daysOverdue: overdueOf(image, unpostedOf[place]!, asked),
  }));
  return { total, values };
}

function pageOfGroups(
  grouping: Grouping,
  denominators: Counts,
  numerators: Counts,
  { offset, limit, sort }: GroupPage,
): { total: number; numbers: number[] } {
  if (grouping.ordered) {
    const numbers = grouping.own.includes('resultsDueAfter') ? denominators.span : [...denominators.numbers];
    return { total: numbers.length, numbers: numbers.slice(offset, offset + limit) };
  }
  const total = denominators.numbers.length;
  if (sort === 'numerator') {
    // Groups with a denominator alone come after those with a numerator.
    const ranks = denominators.numbers.map((number) => numerators.of(number) + 1);
    return { total, numbers: largestOf(new Counts(denominators.numbers, ranks), { offset, limit }) };
  }
  const names = [...denominators.numbers].map((number) => ({
    number,
    name: grouping.group(number).title.toLowerCase(),
  }));
  names.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.number - b.number));
  return { total, numbers: names.slice(offset, offset + limit).map(({ number }) => number) };
}
