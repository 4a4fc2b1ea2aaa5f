import type { RegistryId } from '../../contract/ids.ts';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../contract/schemas/trial.ts';
import { addMonths } from '../../snapshot-format/dates.ts';
import { COMPLETENESS_FIELDS, GAP, NO_SPONSOR, NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { CompiledFilters } from './filters.ts';
import { matchingRows } from './matching.ts';
import { Quantiles } from './quantiles.ts';
import { rowsOf } from './row-set.ts';

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

const MOMENTUM_DAYS = [30, 90, 365] as const;
const TOP_SPONSORS = 10;

/** Distributions over the matching trials; `today` is a day number (snapshot-format/dates.ts). */
export function landscape(image: SnapshotImage, filters: CompiledFilters, today: number): Landscape {
  const rows = rowsOf(matchingRows(image, filters));
  const { columns } = image;
  return {
    trials: rows.length,
    phases: mix(rows, columns.phase, PHASES),
    statuses: mix(rows, columns.status, TRIAL_STATUSES),
    recruitmentStatuses: mix(rows, columns.recruitment, RECRUITMENT_STATUSES),
    studyTypes: mix(rows, columns.studyType, STUDY_TYPES),
    sponsorClasses: mix(rows, columns.sponsorClass, SPONSOR_CLASSES),
    sponsors: sponsorConcentration(image, rows),
    enrollment: enrollmentScale(rows, columns.enrollment),
    momentum: momentum(rows, columns.postedFirst, today),
    reportingGap: {
      clinicaltrials_gov: reportingGap(rows, columns.gap0, columns.gapDay0, today),
      isrctn: reportingGap(rows, columns.gap1, columns.gapDay1, today),
    },
    fieldCompleteness: {
      clinicaltrials_gov: fieldCompleteness(rows, columns.registries, 0, columns.presence0),
      isrctn: fieldCompleteness(rows, columns.registries, 1, columns.presence1),
    },
  };
}

/** Every value of the vocabulary in its order, those without a trial too. */
export function mix(rows: Uint32Array, column: Uint8Array, vocabulary: readonly string[]): ValueCount[] {
  const counts = new Uint32Array(256);
  for (let at = 0; at < rows.length; at++) {
    const value = column[rows[at] as number] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  return vocabulary.map((value, place) => ({ value, trials: counts[place] as number }));
}

function sponsorConcentration(image: SnapshotImage, rows: Uint32Array): SponsorConcentration {
  const column = image.columns.sponsor;
  const counts = new Uint32Array(image.sponsorCount);
  let total = 0;
  for (let at = 0; at < rows.length; at++) {
    const sponsor = column[rows[at] as number] as number;
    if (sponsor === NO_SPONSOR) continue;
    counts[sponsor] = (counts[sponsor] as number) + 1;
    total += 1;
  }
  let sponsors = 0;
  let squares = 0;
  const top: number[] = [];
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] as number;
    if (count === 0) continue;
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

function enrollmentScale(rows: Uint32Array, column: Int32Array): EnrollmentScale {
  const quantiles = new Quantiles();
  for (let at = 0; at < rows.length; at++) {
    const count = column[rows[at] as number] as number;
    if (count !== NOT_STATED) quantiles.add(count);
  }
  return {
    stated: quantiles.count,
    notStated: rows.length - quantiles.count,
    lowerQuartile: quantiles.at(0.25),
    median: quantiles.at(0.5),
    upperQuartile: quantiles.at(0.75),
  };
}

function momentum(rows: Uint32Array, posted: Int32Array, today: number): Momentum[] {
  const longest = 2 * (MOMENTUM_DAYS.at(-1) as number);
  const byAge = new Uint32Array(longest);
  for (let at = 0; at < rows.length; at++) {
    const age = today - (posted[rows[at] as number] as number);
    if (age >= 0 && age < longest) byAge[age] = (byAge[age] as number) + 1;
  }
  const between = (from: number, to: number): number => byAge.subarray(from, to).reduce((sum, count) => sum + count, 0);
  return MOMENTUM_DAYS.map((days) => {
    const current = between(0, days);
    const previous = between(days, 2 * days);
    return { days, current, previous, change: current - previous };
  });
}

function reportingGap(rows: Uint32Array, standing: Uint8Array, completed: Int32Array, today: number): ReportingGap {
  const after12 = addMonths(today, -12);
  const after18 = addMonths(today, -18);
  const gap = {
    population: 0,
    withResults: 0,
    completionNotStated: 0,
    withoutResultsAfter12Months: 0,
    withoutResultsAfter18Months: 0,
  };
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const here = standing[row] as number;
    if (here === GAP.outside) continue;
    gap.population += 1;
    if (here === GAP.withResults) {
      gap.withResults += 1;
      continue;
    }
    const day = completed[row] as number;
    if (day === NOT_STATED) gap.completionNotStated += 1;
    else {
      if (day <= after12) gap.withoutResultsAfter12Months += 1;
      if (day <= after18) gap.withoutResultsAfter18Months += 1;
    }
  }
  return gap;
}

const HALF_BITS = 12;
const HALF_MASK = 2 ** HALF_BITS - 1;

/** Presence masks are counted in two halves and unfolded at the end: two steps a row instead of one per field. */
function fieldCompleteness(
  rows: Uint32Array,
  registries: Uint8Array,
  registry: number,
  presence: Uint32Array,
): FieldCompleteness {
  const low = new Uint32Array(HALF_MASK + 1);
  const high = new Uint32Array(HALF_MASK + 1);
  let registrations = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    if ((((registries[row] as number) >>> registry) & 1) === 0) continue;
    registrations += 1;
    const mask = presence[row] as number;
    const lowHalf = mask & HALF_MASK;
    const highHalf = (mask >>> HALF_BITS) & HALF_MASK;
    low[lowHalf] = (low[lowHalf] as number) + 1;
    high[highHalf] = (high[highHalf] as number) + 1;
  }
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
