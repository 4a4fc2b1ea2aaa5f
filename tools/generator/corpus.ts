import { type Day, dayOf } from './calendar.ts';
import { CLVER_PLANT, canStandForClver } from './clver-study.ts';
import { renderStudy } from './ctgov-study.ts';
import { type ChangeKind, changedTrial, changeOf, newRecords } from './day.ts';
import { isrctnId, MAX_CTGOV, MAX_ISRCTN, nctId } from './ids.ts';
import { renderTrial } from './isrctn-trial.ts';
import { ctgovSide, isrctnSide, type Overlap, OverlapMap } from './overlap.ts';
import { LINK_PLANTINGS, type Planting } from './plant-links.ts';
import { ODDITY_PLANTINGS, secondDayPlantings, UNREADABLE_PLANTING } from './plant-oddities.ts';
import { type CtgovPlant, type IsrctnPlant, type PlantedCase, PlantingGround } from './planted.ts';
import { ISRCTN_KEYS, type Trial, trialOf } from './trial.ts';

export interface CorpusOptions {
  /** Any 32-bit integer; the same options give the same bytes on every machine. */
  seed: number;
  /** Studies of ClinicalTrials.gov on day 0. */
  ctgov: number;
  /** Trials of ISRCTN on day 0. */
  isrctn: number;
  /** YYYY-MM-DD: the day that statuses and dates agree with. */
  asOf: string;
  /** `small` (default): about 4 kB a study; `real`: the registries' long-tailed sizes, about 17 kB on average. */
  bodySize?: 'small' | 'real';
  /** 1: the same corpus a day later, see `plan.secondDay`. */
  day?: 0 | 1;
}

/** What the generator knows to be true of its corpus. */
export interface PlantedCases {
  cases: readonly PlantedCase[];
  /** Every background trial that stands in both registries; planted cases are not among them. */
  overlaps(): Iterable<{ kind: Overlap['kind']; nct: string; isrctn: string }>;
  /** What the second day changes; the same whichever day was asked for. */
  secondDay: {
    added: { nct: string[]; isrctn: string[] };
    removed: { nct: string[] };
    joined: [nct: string, isrctn: string][];
    split: [nct: string, isrctn: string][];
    /** Background records with a changed field: about one in two hundred. */
    changed(): Iterable<{ registry: 'clinicaltrials_gov' | 'isrctn'; index: number; id: string; kind: ChangeKind }>;
  };
}

export interface Corpus {
  /** One API v2 study as JSON text each, in order of place. */
  ctgov(): Iterable<string>;
  /** One `<fullTrial>…</fullTrial>` each, in order of place. */
  isrctn(): Iterable<string>;
  /** Number of texts that the two yield. */
  counts: { ctgov: number; isrctn: number };
  /** The study at a place, made without any other; null when the second day has removed it. Throws RangeError outside the corpus. */
  ctgovAt(index: number): string | null;
  isrctnAt(index: number): string;
  plan: PlantedCases;
}

/**
 * A synthetic corpus in the registries' own formats. Record i depends only on the options and i, so nothing is kept
 * and any part can be made alone. Throws RangeError for counts or dates it cannot serve.
 */
export function generateCorpus(options: CorpusOptions): Corpus {
  checkOptions(options);
  const { seed } = options;
  const day = options.day ?? 0;
  const base = { ctgov: options.ctgov, isrctn: options.isrctn };
  const ground = plant(base, day);
  const overlap = new OverlapMap(seed, { ctgov: ground.nextCtgov, isrctn: ground.nextIsrctn }, base);
  const clverPlace = placeOfClver(options, ground, overlap);
  const records = new Records(options, ground, overlap, clverPlace);
  const added = newRecords(base);
  const places = day === 0 ? base : { ctgov: base.ctgov + added.ctgov, isrctn: base.isrctn + added.isrctn };
  const removed = [...ground.ctgov.values()].filter((one) => one.absent).length;
  const ctgovAt = (index: number): string | null => records.study(checkPlace(index, places.ctgov));
  const isrctnAt = (index: number): string => records.trial(checkPlace(index, places.isrctn));
  return {
    *ctgov() {
      for (let index = 0; index < places.ctgov; index++) {
        const text = ctgovAt(index);
        if (text !== null) yield text;
      }
    },
    *isrctn() {
      for (let index = 0; index < places.isrctn; index++) yield isrctnAt(index);
    },
    counts: { ctgov: places.ctgov - removed, isrctn: places.isrctn },
    ctgovAt,
    isrctnAt,
    plan: {
      cases: ground.cases,
      *overlaps() {
        for (const one of overlap.all())
          yield { kind: one.kind, nct: nctId(one.ctgovIndex), isrctn: isrctnId(one.isrctnIndex) };
      },
      secondDay: secondDay(seed, base, ground, added, clverPlace),
    },
  };
}

function checkOptions({ seed, ctgov, isrctn, asOf }: CorpusOptions): void {
  if (!Number.isInteger(seed)) throw new RangeError(`seed ${seed} is not a whole number`);
  // The second day needs a few numbers beyond the first.
  if (!Number.isInteger(ctgov) || ctgov < 0 || ctgov > MAX_CTGOV - 2000) {
    throw new RangeError(`ctgov ${ctgov}: give a whole number from 0 to ${MAX_CTGOV - 2000}`);
  }
  if (!Number.isInteger(isrctn) || isrctn < 0 || isrctn > MAX_ISRCTN - 2000) {
    throw new RangeError(`isrctn ${isrctn}: give a whole number from 0 to ${MAX_ISRCTN - 2000}`);
  }
  dayOf(asOf);
}

function checkPlace(index: number, places: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= places) {
    throw new RangeError(`place ${index}: the corpus has places 0 to ${places - 1}`);
  }
  return index;
}

/** Plants the cases one after the other as far as they fit; a corpus of a few records simply has fewer. */
function plant(counts: { ctgov: number; isrctn: number }, day: 0 | 1): PlantingGround {
  const ground = new PlantingGround();
  // Two unreadable records must stay below the share at which a run is stopped (one in a hundred of a registry).
  const unreadable: Planting[] = counts.ctgov >= 200 && counts.isrctn >= 200 ? [UNREADABLE_PLANTING] : [];
  for (const planting of [...LINK_PLANTINGS, ...secondDayPlantings(day), ...ODDITY_PLANTINGS, ...unreadable]) {
    const trial = new PlantingGround();
    trial.nextCtgov = ground.nextCtgov;
    trial.nextIsrctn = ground.nextIsrctn;
    planting(trial);
    if (trial.nextCtgov > counts.ctgov || trial.nextIsrctn > counts.isrctn) break;
    ground.take(trial);
  }
  return ground;
}

/**
 * The first background study that can stand for the CLVer trial and that no trial of ISRCTN names, so that every other
 * record stays as it is; null in a corpus without one.
 */
function placeOfClver(
  { seed, ctgov, asOf }: CorpusOptions,
  ground: PlantingGround,
  overlap: OverlapMap,
): number | null {
  for (let index = ground.nextCtgov; index < ctgov; index++) {
    if (canStandForClver(trialOf(seed, index, dayOf(asOf))) && overlap.ofCtgov(index) === null) return index;
  }
  return null;
}

function secondDay(
  seed: number,
  base: { ctgov: number; isrctn: number },
  ground: PlantingGround,
  added: { ctgov: number; isrctn: number },
  clverPlace: number | null,
): PlantedCases['secondDay'] {
  const range = (from: number, count: number, id: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, place) => id(from + place));
  const pairs = (kind: PlantedCase['kind']): [string, string][] =>
    ground.cases.filter((one) => one.kind === kind).map((one) => [one.nct[0] as string, one.isrctn[0] as string]);
  return {
    added: { nct: range(base.ctgov, added.ctgov, nctId), isrctn: range(base.isrctn, added.isrctn, isrctnId) },
    removed: { nct: ground.cases.filter((one) => one.kind === 'removed-on-day-1').flatMap((one) => one.nct) },
    joined: pairs('joins-on-day-1'),
    split: pairs('splits-on-day-1'),
    *changed() {
      for (let index = ground.nextCtgov; index < base.ctgov; index++) {
        const kind = index === clverPlace ? null : changeOf(seed, 'clinicaltrials_gov', index);
        if (kind) yield { registry: 'clinicaltrials_gov', index, id: nctId(index), kind };
      }
      for (let index = ground.nextIsrctn; index < base.isrctn; index++) {
        const kind = changeOf(seed, 'isrctn', index);
        if (kind) yield { registry: 'isrctn', index, id: isrctnId(index), kind };
      }
    },
  };
}

/** Renders single records: what a place holds is decided here, how it is worded in the renderers. */
class Records {
  readonly #seed: number;
  readonly #asOf: Day;
  readonly #real: boolean;
  readonly #day: 0 | 1;
  readonly #base: { ctgov: number; isrctn: number };
  readonly #ground: PlantingGround;
  readonly #overlap: OverlapMap;
  readonly #clverPlace: number | null;

  constructor(options: CorpusOptions, ground: PlantingGround, overlap: OverlapMap, clverPlace: number | null) {
    this.#seed = options.seed;
    this.#asOf = dayOf(options.asOf);
    this.#real = options.bodySize === 'real';
    this.#day = options.day ?? 0;
    this.#base = { ctgov: options.ctgov, isrctn: options.isrctn };
    this.#ground = ground;
    this.#overlap = overlap;
    this.#clverPlace = clverPlace;
  }

  study(index: number): string | null {
    const planted = index === this.#clverPlace ? CLVER_PLANT : this.#ground.ctgov.get(index);
    if (planted?.absent) return null;
    const overlap = planted ? null : this.#overlap.ofCtgov(index);
    const plant: CtgovPlant = planted ?? (overlap ? ctgovSide(overlap) : {});
    const key = plant.trialKey ?? plant.olderVersionOf ?? index;
    const change = this.#changeAt('clinicaltrials_gov', index, planted !== undefined);
    const trial = this.#trial(key, index >= this.#base.ctgov, change, plant);
    if (plant.status) trial.status = plant.status;
    return renderStudy({ ...this.#common(), index: plant.olderVersionOf ?? index, trial, plant });
  }

  trial(index: number): string {
    const planted = this.#ground.isrctn.get(index);
    const overlap = planted ? null : this.#overlap.ofIsrctn(index);
    const plant: IsrctnPlant = planted ?? (overlap ? isrctnSide(overlap) : {});
    const key = plant.trialKey ?? overlap?.ctgovIndex ?? ISRCTN_KEYS + (plant.olderVersionOf ?? index);
    const change = this.#changeAt('isrctn', index, planted !== undefined);
    const trial = this.#trial(key, index >= this.#base.isrctn, change, plant);
    return renderTrial({ ...this.#common(), index: plant.olderVersionOf ?? index, trial, plant });
  }

  #common(): { seed: number; asOf: Day; real: boolean } {
    return { seed: this.#seed, asOf: this.#asOf, real: this.#real };
  }

  #changeAt(registry: 'clinicaltrials_gov' | 'isrctn', index: number, planted: boolean): ChangeKind | null {
    const known = index < (registry === 'isrctn' ? this.#base.isrctn : this.#base.ctgov);
    return this.#day === 1 && known && !planted ? changeOf(this.#seed, registry, index) : null;
  }

  #trial(key: number, isNew: boolean, change: ChangeKind | null, plant: CtgovPlant | IsrctnPlant): Trial {
    let trial = trialOf(this.#seed, key, this.#asOf);
    if (isNew) trial = { ...trial, firstPosted: this.#asOf + 1, lastUpdated: this.#asOf + 1 };
    if (change) trial = changedTrial(trial, change, this.#asOf + 1);
    if (plant.shiftDays) trial = shifted(trial, plant.shiftDays);
    if (plant.olderVersionOf !== undefined)
      trial = { ...trial, lastUpdated: trial.lastUpdated - 200, enrolment: trial.enrolment + 50 };
    return trial;
  }
}

/** Moves the conduct of the trial, not when the registry was told of it. */
function shifted(trial: Trial, days: number): Trial {
  return {
    ...trial,
    start: trial.start + days,
    primaryCompletion: trial.primaryCompletion + days,
    completion: trial.completion + days,
  };
}
