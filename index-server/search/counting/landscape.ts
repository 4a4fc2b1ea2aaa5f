import type { RegistryId } from '../../../contract/ids.ts';
import type { LandscapeRecord } from '../../../contract/schemas/trials/counts.ts';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../../contract/vocabularies.ts';
import { COMPLETENESS_NAMES, GAP } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type CompiledFilters, filtersKey } from '../filters.ts';
import { ImageCache, KEPT_COUNTS, KEPT_FROM_TRIALS } from '../image-cache.ts';
import { completed, prepared, type Stepwise } from '../in-slices.ts';
import { matchingRows } from '../matching.ts';
import { AGE_BOUNDS, CLOCK, gapPlace, LandscapeCodes, MOMENTUM_DAYS } from './landscape-codes.ts';
import { LandscapeTally } from './landscape-tally.ts';
import { type CountedValues, countOf, quantileOf } from './quantiles.ts';
import { countNext, type Preparation, tallyOf } from './tally.ts';

/** The counts of each registry; whether it answered is added later (present-counts.ts). */
type OfRegistry<Entry> = Record<
  RegistryId,
  { [Field in keyof Omit<Entry, 'registry' | 'state'>]: NonNullable<Entry[Field & keyof Entry]> }
>;
export type Landscape = Omit<
  LandscapeRecord,
  'asOf' | 'momentum' | 'reportingGap' | 'fieldCompleteness' | 'modality' | 'against'
> & {
  momentum: Omit<LandscapeRecord['momentum'][number], 'ended'>[];
  reportingGap: OfRegistry<LandscapeRecord['reportingGap'][number]>;
  fieldCompleteness: OfRegistry<LandscapeRecord['fieldCompleteness'][number]>;
};

const TOP_SPONSORS = 10;

const kept = new ImageCache<Landscape>(KEPT_COUNTS);

/**
 * Distributions over the matching trials; `day` is a day number (snapshot/format/words/dates.ts). The answer may be cached:
 * do not change it.
 */
export function landscape(image: SnapshotImage, filters: CompiledFilters, day: number): Landscape {
  const key = filtersKey(filters);
  const known = key === null ? undefined : kept.get(image, `${day} ${key}`);
  if (known !== undefined) return known;
  const counts = countLandscape(image, filters, day);
  if (key !== null && counts.trials >= KEPT_FROM_TRIALS) kept.set(image, `${day} ${key}`, counts);
  return counts;
}

function countLandscape(image: SnapshotImage, filters: CompiledFilters, day: number): Landscape {
  const basis = basisOf(image, day);
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

/** Rows counted between two looks at the clock. */
const STEP_ROWS = 8192;

/** What all landscapes of one image on one day are made from: its codes, and the counts of all trials. */
class Basis implements Stepwise {
  readonly #image: SnapshotImage;
  readonly codes: LandscapeCodes;
  #whole: LandscapeTally | null = null;

  constructor(image: SnapshotImage, day: number) {
    this.#image = image;
    this.codes = new LandscapeCodes(image, day);
  }

  get isComplete(): boolean {
    return this.codes.isComplete && this.#whole?.trials === this.#image.trials;
  }

  /** The counts of all trials: copy them before changing them. */
  whole(): LandscapeTally {
    while (!this.isComplete) this.step();
    this.#whole ??= new LandscapeTally(this.#image, this.codes);
    return this.#whole;
  }

  step(): void {
    if (!this.codes.isComplete) {
      this.codes.step();
      return;
    }
    this.#whole ??= new LandscapeTally(this.#image, this.codes);
    countNext(this.#whole, this.#image.trials, STEP_ROWS);
  }
}

/** An image is asked for one day, that of its snapshot. */
const bases = new WeakMap<SnapshotImage, Basis>();

function basisOf(image: SnapshotImage, day: number): Basis {
  const known = bases.get(image);
  if (known?.codes.day === day) return known;
  const basis = new Basis(image, day);
  bases.set(image, basis);
  return basis;
}

/**
 * Prepares the landscapes of an image and day in slices, because a request waits: at once it would take some 100 ms at
 * 625,000 trials. The image must be held until it is done.
 */
export async function landscapeReady(image: SnapshotImage, day: number): Promise<void> {
  await completed(basisOf(image, day));
}

/** Prepares them in the background, at the pace of `preparation`; a request that comes meanwhile completes the work. */
export async function prepareLandscape(image: SnapshotImage, day: number, preparation: Preparation): Promise<void> {
  await prepared(basisOf(image, day), preparation);
}

/** Trials of each value of the vocabulary, in its order, including values without a trial. */
export function mix<Value extends string>(rows: Uint32Array, column: Uint8Array, vocabulary: readonly Value[]) {
  const counts = new Uint32Array(256);
  for (const row of rows) counts[column[row] as number]! += 1;
  return valueCounts(counts, vocabulary);
}

function valueCounts<Value extends string>(counts: Uint32Array, vocabulary: readonly Value[]) {
  return vocabulary.map((value, place) => ({ value, trials: counts[place] as number }));
}

function sponsorConcentration(image: SnapshotImage, counts: Uint32Array): Landscape['sponsors'] {
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

/** Inserts a sponsor into `top`, which is sorted by count, largest first; in a tie the earlier one stays ahead. */
function insertByCount(top: number[], number: number, counts: Uint32Array): void {
  const count = counts[number] as number;
  if (top.length === TOP_SPONSORS && count <= (counts[top.at(-1) as number] as number)) return;
  const place = top.findIndex((held) => (counts[held] as number) < count);
  top.splice(place < 0 ? top.length : place, 0, number);
  if (top.length > TOP_SPONSORS) top.pop();
}

function enrollmentScale(trials: number, counted: CountedValues): Landscape['enrollment'] {
  const stated = countOf(counted);
  return {
    stated,
    notStated: trials - stated,
    lowerQuartile: quantileOf(counted, 0.25),
    median: quantileOf(counted, 0.5),
    upperQuartile: quantileOf(counted, 0.75),
  };
}

function momentum(byAge: Uint32Array): Landscape['momentum'] {
  const upTo = (days: number): number => sum(byAge.subarray(0, AGE_BOUNDS.indexOf(days) + 1));
  return MOMENTUM_DAYS.map((days) => {
    const current = upTo(days);
    const previous = upTo(2 * days) - current;
    return { days, current, previous, change: current - previous };
  });
}

function reportingGap(counts: Uint32Array): Landscape['reportingGap'][RegistryId] {
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

function fieldCompleteness(
  tally: LandscapeTally,
  held: Uint32Array,
  registry: 0 | 1,
): Landscape['fieldCompleteness'][RegistryId] {
  const registrations = sum(held.filter((_, registries) => ((registries >>> registry) & 1) === 1));
  const counts = tally.stated(registry, COMPLETENESS_NAMES.length);
  const fields = COMPLETENESS_NAMES.map((name, bit) => {
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
