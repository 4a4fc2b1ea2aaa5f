import { setImmediate } from 'node:timers/promises';
import type { RegistryId } from '../../contract/ids.ts';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../contract/vocabularies.ts';
import { COMPLETENESS_FIELDS, GAP } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type CompiledFilters, filtersKey } from './filters.ts';
import { ImageCache, KEPT_COUNTS, KEPT_FROM_TRIALS } from './image-cache.ts';
import { AGE_BOUNDS, CLOCK, gapPlace, LandscapeCodes, MOMENTUM_DAYS } from './landscape-codes.ts';
import { LandscapeTally } from './landscape-tally.ts';
import { matchingRows } from './matching.ts';
import type { Preparation } from './preparation.ts';
import { type CountedValues, countOf, quantileOf } from './quantiles.ts';
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
  const basis = basisOf(image, today);
  const whole = basis.whole();
  const tally = tallyOf(
    matchingRows(image, filters),
    image.trials,
    () => new LandscapeTally(image, basis.codes),
    () => whole,
  );
  const values = tally.values();
  return {
    trials: tally.trials,
    phases: valueCounts(values.phase, PHASES),
    statuses: valueCounts(values.status, TRIAL_STATUSES),
    recruitmentStatuses: valueCounts(values.recruitment, RECRUITMENT_STATUSES),
    studyTypes: valueCounts(values.studyType, STUDY_TYPES),
    sponsorClasses: valueCounts(values.sponsorClass, SPONSOR_CLASSES),
    sponsors: sponsorConcentration(image, tally.sponsors()),
    enrollment: enrollmentScale(tally.trials, tally.enrollment()),
    momentum: momentum(values.age),
    reportingGap: {
      clinicaltrials_gov: reportingGap(values.gaps[0]),
      isrctn: reportingGap(values.gaps[1]),
    },
    fieldCompleteness: {
      clinicaltrials_gov: fieldCompleteness(tally, values.registries, 0),
      isrctn: fieldCompleteness(tally, values.registries, 1),
    },
  };
}

/** Rows that are counted between two looks at the clock. */
const STEP_ROWS = 8192;

/** Longest time for which a preparation keeps other requests waiting. */
const SLICE_MS = 2;

/** What landscapes of one image on one day are counted from: its codes, and the counts of all trials. */
class Basis {
  readonly #trials: number;
  readonly codes: LandscapeCodes;
  readonly #makeTally: () => LandscapeTally;
  #whole: LandscapeTally | null = null;
  #completed: Promise<void> | null = null;

  constructor(image: SnapshotImage, today: number) {
    this.#trials = image.trials;
    this.codes = new LandscapeCodes(image, today);
    this.#makeTally = () => new LandscapeTally(image, this.codes);
  }

  get isComplete(): boolean {
    return this.codes.isComplete && this.#whole?.trials === this.#trials;
  }

  /** Makes the next part, for about so long. */
  advance(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    while (!this.isComplete && performance.now() < end) this.#step();
  }

  /** Makes the rest, a little between any two other events, however many wait for it. */
  completed(): Promise<void> {
    this.#completed ??= this.#complete().finally(() => {
      this.#completed = null;
    });
    return this.#completed;
  }

  async #complete(): Promise<void> {
    while (!this.isComplete) {
      this.advance(SLICE_MS);
      await setImmediate();
    }
  }

  /** The counts of all trials: to be copied before they are changed. */
  whole(): LandscapeTally {
    while (!this.isComplete) this.#step();
    this.#whole ??= this.#makeTally();
    return this.#whole;
  }

  #step(): void {
    if (!this.codes.isComplete) {
      this.codes.step();
      return;
    }
    this.#whole ??= this.#makeTally();
    const { trials: from } = this.#whole;
    const rows = new Uint32Array(Math.min(STEP_ROWS, this.#trials - from));
    for (let at = 0; at < rows.length; at++) rows[at] = from + at;
    this.#whole.count(rows, 1);
  }
}

/** Requests ask for today, and around midnight for the day before or after it. */
const DAYS_KEPT = 2;
const bases = new WeakMap<SnapshotImage, Basis[]>();

function basisOf(image: SnapshotImage, today: number): Basis {
  const held = bases.get(image) ?? [];
  const known = held.find(({ codes }) => codes.today === today);
  if (known !== undefined) return known;
  const basis = new Basis(image, today);
  bases.set(image, [basis, ...held].slice(0, DAYS_KEPT));
  return basis;
}

/** Makes what the first landscape of an image and day would else make at once, some 100 ms at 625,000 trials. The image must be held meanwhile. */
export async function landscapeReady(image: SnapshotImage, today: number): Promise<void> {
  const basis = basisOf(image, today);
  if (!basis.isComplete) await basis.completed();
}

/** The same before anybody waits for it, at the pace of `preparation`; whoever waits meanwhile hurries it. */
export async function prepareLandscape(
  image: SnapshotImage,
  today: number,
  { pause, isWanted }: Preparation,
): Promise<void> {
  const basis = basisOf(image, today);
  while (!basis.isComplete) {
    basis.advance(SLICE_MS);
    await pause();
    if (!isWanted()) return;
  }
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

function enrollmentScale(trials: number, counted: CountedValues): EnrollmentScale {
  const stated = countOf(counted);
  return {
    stated,
    notStated: trials - stated,
    lowerQuartile: quantileOf(counted, 0.25),
    median: quantileOf(counted, 0.5),
    upperQuartile: quantileOf(counted, 0.75),
  };
}

function momentum(byAge: Uint32Array): Momentum[] {
  const upTo = (days: number): number => sum(byAge.subarray(0, AGE_BOUNDS.indexOf(days) + 1));
  return MOMENTUM_DAYS.map((days) => {
    const current = upTo(days);
    const previous = upTo(2 * days) - current;
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

function fieldCompleteness(tally: LandscapeTally, held: Uint32Array, registry: 0 | 1): FieldCompleteness {
  const registrations = sum(held.filter((_, registries) => ((registries >>> registry) & 1) === 1));
  const counts = tally.stated(registry, COMPLETENESS_FIELDS.length);
  const fields = COMPLETENESS_FIELDS.map(({ name }, bit) => {
    const stated = counts[bit] as number;
    return { field: name, stated, share: registrations === 0 ? null : stated / registrations };
  });
  return { registrations, fields };
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
