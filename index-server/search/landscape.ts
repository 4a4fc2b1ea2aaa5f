import type { RegistryId } from '../../contract/ids.ts';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../contract/schemas/trial.ts';
import { COMPLETENESS_FIELDS, GAP } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type CompiledFilters, filtersKey } from './filters.ts';
import { ImageCache, KEPT_COUNTS, KEPT_FROM_TRIALS } from './image-cache.ts';
import { CLOCK, gapPlace, HALF_BITS, LandscapeTally, MOMENTUM_DAYS } from './landscape-tally.ts';
import { matchingRows } from './matching.ts';
import type { Quantiles } from './quantiles.ts';
import { allRows, rowsOf } from './row-set.ts';
import { tallyOf } from './tally.ts';

export interface ValueCount {
  value: string;
  trials: number;
}

export interface SponsorConcentration {
  /** Trials that name a sponsor, and how many different names those are (case and white space folded). */
  trialsWithSponsor: number;
  sponsors: number;
  /** At most ten, most trials first; equals in the order of their latest update. */
  top: { name: string; trials: number; share: number }[];
  /** Part of the trials with a sponsor that the top ten hold; null when there are none. */
  topShare: number | null;
  /** Herfindahl-Hirschman index: sum of squared shares, 0 to 1; null when there are none. */
  hhi: number | null;
}

export interface EnrollmentScale {
  /** Trials that state a number. A sum is not given: planned and actual numbers do not add up to people. */
  stated: number;
  notStated: number;
  /** Quartiles over the stated numbers, linearly interpolated; null when there are none. */
  lowerQuartile: number | null;
  median: number | null;
  upperQuartile: number | null;
}

export interface Momentum {
  days: 30 | 90 | 365;
  /** Trials first posted in the `days` days up to and with today, and in as many before those. */
  current: number;
  previous: number;
  change: number;
}

export interface ReportingGap {
  /** Completed interventional registrations of this registry among the matching trials. */
  population: number;
  withResults: number;
  /** Without results and without a completion date: no clock can run. */
  completionNotStated: number;
  /** No results posted, completion at least so many months ago. */
  withoutResultsAfter12Months: number;
  withoutResultsAfter18Months: number;
}

export interface FieldCompleteness {
  registrations: number;
  fields: { field: string; stated: number; share: number | null }[];
}

export interface Landscape {
  trials: number;
  phases: ValueCount[];
  statuses: ValueCount[];
  recruitmentStatuses: ValueCount[];
  studyTypes: ValueCount[];
  sponsorClasses: ValueCount[];
  sponsors: SponsorConcentration;
  enrollment: EnrollmentScale;
  momentum: Momentum[];
  /** Per registry, never combined: the registries do not post results in the same sense. */
  reportingGap: Record<RegistryId, ReportingGap>;
  fieldCompleteness: Record<RegistryId, FieldCompleteness>;
}

const TOP_SPONSORS = 10;

const kept = new ImageCache<Landscape>(KEPT_COUNTS);

/**
 * Distributions over the matching trials; `today` is a day number (snapshot-format/dates.ts). The answer may be given
 * again: it is not to be changed.
 */
export function landscape(image: SnapshotImage, filters: CompiledFilters, today: number): Landscape {
  const key = filtersKey(filters);
  const known = key === null ? undefined : kept.get(image, `${today} ${key}`);
  if (known !== undefined) return known;
  const counts = countLandscape(image, filters, today);
  if (key !== null && counts.trials >= KEPT_FROM_TRIALS) kept.set(image, `${today} ${key}`, counts);
  return counts;
}

function countLandscape(image: SnapshotImage, filters: CompiledFilters, today: number): Landscape {
  const tally = tallyOf(
    matchingRows(image, filters),
    image.trials,
    () => new LandscapeTally(image, today),
    () => wholeLandscape(image, today),
  );
  return {
    trials: tally.trials,
    phases: valueCounts(tally.values('phase'), PHASES),
    statuses: valueCounts(tally.values('status'), TRIAL_STATUSES),
    recruitmentStatuses: valueCounts(tally.values('recruitment'), RECRUITMENT_STATUSES),
    studyTypes: valueCounts(tally.values('studyType'), STUDY_TYPES),
    sponsorClasses: valueCounts(tally.values('sponsorClass'), SPONSOR_CLASSES),
    sponsors: sponsorConcentration(image, tally.sponsors),
    enrollment: enrollmentScale(tally.trials, tally.enrollment),
    momentum: momentum(tally.postedByAge),
    reportingGap: {
      clinicaltrials_gov: reportingGap(tally.gaps[0]),
      isrctn: reportingGap(tally.gaps[1]),
    },
    fieldCompleteness: {
      clinicaltrials_gov: fieldCompleteness(tally, 0),
      isrctn: fieldCompleteness(tally, 1),
    },
  };
}

/** Of each image the counts of the day that was asked for last: requests ask for today. */
const wholes = new WeakMap<SnapshotImage, { today: number; tally: LandscapeTally }>();

function wholeLandscape(image: SnapshotImage, today: number): LandscapeTally {
  const known = wholes.get(image);
  if (known?.today === today) return known.tally;
  const tally = new LandscapeTally(image, today);
  tally.count(rowsOf(allRows(image.trials)), 1);
  wholes.set(image, { today, tally });
  return tally;
}

/** Every value of the vocabulary in its order, those without a trial too. */
export function mix(rows: Uint32Array, column: Uint8Array, vocabulary: readonly string[]): ValueCount[] {
  const counts = new Uint32Array(256);
  for (const row of rows) counts[column[row] as number]! += 1;
  return valueCounts(counts, vocabulary);
}

function valueCounts(counts: Uint32Array, vocabulary: readonly string[]): ValueCount[] {
  return vocabulary.map((value, place) => ({ value, trials: counts[place] as number }));
}

function sponsorConcentration(image: SnapshotImage, counts: Uint32Array): SponsorConcentration {
  let total = 0;
  let sponsors = 0;
  let squares = 0;
  const top: number[] = [];
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] as number;
    if (count === 0) continue;
    total += count;
    sponsors += 1;
    squares += count * count;
    insertByCount(top, number, counts);
  }
  const topTotal = top.reduce((sum, number) => sum + (counts[number] as number), 0);
  return {
    trialsWithSponsor: total,
    sponsors,
    top: top.map((number) => {
      const trials = counts[number] as number;
      return { name: image.sponsorName(number), trials, share: trials / total };
    }),
    topShare: total === 0 ? null : topTotal / total,
    hhi: total === 0 ? null : squares / total ** 2,
  };
}

/** Keeps `top` sorted by count, largest first; a sponsor that comes later loses a tie. */
function insertByCount(top: number[], number: number, counts: Uint32Array): void {
  const count = counts[number] as number;
  if (top.length === TOP_SPONSORS && count <= (counts[top.at(-1) as number] as number)) return;
  const place = top.findIndex((held) => (counts[held] as number) < count);
  top.splice(place < 0 ? top.length : place, 0, number);
  if (top.length > TOP_SPONSORS) top.pop();
}

function enrollmentScale(trials: number, quantiles: Quantiles): EnrollmentScale {
  return {
    stated: quantiles.stated,
    notStated: trials - quantiles.stated,
    lowerQuartile: quantiles.at(0.25),
    median: quantiles.at(0.5),
    upperQuartile: quantiles.at(0.75),
  };
}

function momentum(byAge: Uint32Array): Momentum[] {
  const between = (from: number, to: number): number => sum(byAge.subarray(from, to));
  return MOMENTUM_DAYS.map((days) => {
    const current = between(0, days);
    const previous = between(days, 2 * days);
    return { days, current, previous, change: current - previous };
  });
}

function reportingGap(counts: Uint32Array): ReportingGap {
  const of = (standing: number, clock: number): number => counts[gapPlace(standing, clock)] as number;
  const standingIn = (standing: number): number => sum(Object.values(CLOCK).map((clock) => of(standing, clock)));
  const after18 = of(GAP.withoutResults, CLOCK.after18);
  return {
    population: standingIn(GAP.withoutResults) + standingIn(GAP.withResults),
    withResults: standingIn(GAP.withResults),
    completionNotStated: of(GAP.withoutResults, CLOCK.notStated),
    withoutResultsAfter12Months: of(GAP.withoutResults, CLOCK.after12) + after18,
    withoutResultsAfter18Months: after18,
  };
}

function fieldCompleteness(tally: LandscapeTally, registry: 0 | 1): FieldCompleteness {
  const registrations = sum(tally.values('registries').filter((_, held) => ((held >>> registry) & 1) === 1));
  const { low, high } = tally.presence[registry];
  const counts = new Uint32Array(2 * HALF_BITS);
  unfold(low, counts.subarray(0, HALF_BITS));
  unfold(high, counts.subarray(HALF_BITS));
  const fields = COMPLETENESS_FIELDS.map(({ name }, bit) => {
    const stated = counts[bit] as number;
    return { field: name, stated, share: registrations === 0 ? null : stated / registrations };
  });
  return { registrations, fields };
}

/** Adds how often each bit was set from how often each mask was met. */
function unfold(byMask: Uint32Array, byBit: Uint32Array): void {
  for (let mask = 1; mask < byMask.length; mask++) {
    const count = byMask[mask] as number;
    if (count === 0) continue;
    for (let bit = 0; bit < byBit.length; bit++) {
      if (((mask >>> bit) & 1) === 1) byBit[bit] = (byBit[bit] as number) + count;
    }
  }
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
