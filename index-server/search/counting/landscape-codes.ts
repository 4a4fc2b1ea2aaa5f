import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../../contract/vocabularies.ts';
import { NO_SPONSOR, NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths } from '../../../snapshot/format/words/dates.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { PairNumbers } from './pair-numbers.ts';
import type { CountedValues } from './quantiles.ts';

/** Windows of momentum in days; each is compared with the window before it. */
export const MOMENTUM_DAYS = [30, 90, 365] as const;

/** Ages in days at which a window of momentum, or the window before it, ends; a trial's age counts from its first posting. */
export const AGE_BOUNDS = [...new Set(MOMENTUM_DAYS.flatMap((days) => [days, 2 * days]))].sort((a, b) => a - b);
/** Place of trials outside every window: posted later than `day`, on an unknown day, or too long ago. */
const OUT_OF_WINDOWS = AGE_BOUNDS.length;
const LOOK_BACK_DAYS = AGE_BOUNDS.at(-1) as number;

/** Time since completion: under 12 months, 12 to 18, 18 or more; or no completion date. */
export const CLOCK = { running: 0, after12: 1, after18: 2, notStated: 3 } as const;

/** First word of a class: the bit at which each value begins. A value has VALUE_BITS bits, a results-gap standing GAP_BITS. */
const AT = {
  phase: 0,
  status: 4,
  recruitment: 8,
  studyType: 12,
  sponsorClass: 16,
  registries: 20,
  gap0: 24,
  gap1: 26,
} as const;
const VALUE_BITS = 4;
const GAP_BITS = 2;
/** Second word of a class: the values that depend on the day; the age has VALUE_BITS bits, a clock CLOCK_BITS. */
const BY_DAY = { age: 0, clock0: 4, clock1: 6 } as const;
const CLOCK_BITS = 2;
const VALUE = 2 ** VALUE_BITS - 1;
const SMALL = 2 ** GAP_BITS - 1;
const VALUES = 2 ** VALUE_BITS;

/** Index of a standing with a clock in the counts of a registry's results gap. */
export function gapPlace(standing: number, clock: number): number {
  return (standing << CLOCK_BITS) | clock;
}

/** Number of trials for each value of each field. */
export interface ClassCounts {
  phase: Uint32Array;
  status: Uint32Array;
  recruitment: Uint32Array;
  studyType: Uint32Array;
  sponsorClass: Uint32Array;
  registries: Uint32Array;
  /** By the index of the first AGE_BOUNDS entry above the trial's age. */
  age: Uint32Array;
  /** Registrations of each registry by `gapPlace`. */
  gaps: [Uint32Array, Uint32Array];
}

const VOCABULARIES = [PHASES, TRIAL_STATUSES, RECRUITMENT_STATUSES, STUDY_TYPES, SPONSOR_CLASSES];
if (VOCABULARIES.some(({ length }) => length > VALUES) || OUT_OF_WINDOWS >= VALUES) {
  throw new Error('a vocabulary outgrew the bits that the classes of landscape-codes.ts have for it');
}

/** Rows coded between two looks at the clock: well below a millisecond. */
const STEP_ROWS = 4096;

const SHORT_MAX = 0xffff;

/** A row has 2 to this power codes. They lie side by side, so that counting a row touches one place in memory. */
export const CODES_PER_ROW_LOG2 = 2;

/**
 * Four small numbers for each trial of an image on one day: its class (all its small values together; a corpus has a few
 * thousand combinations), the fields its registrations state, its sponsor and its enrollment. Counting four numbers a row
 * instead of thirteen columns makes a landscape of a large part of a corpus fast. They take 8 bytes a trial, or 16 where
 * a number needs more than 16 bits.
 */
export class LandscapeCodes {
  readonly #image: SnapshotImage;
  readonly day: number;
  /** For each row: class, presence, sponsor (0 for none, else its number + 1), enrollment. */
  codes: Uint16Array | Int32Array;
  readonly #classNumbers = new PairNumbers();
  readonly #presenceNumbers = new PairNumbers();
  readonly #enrollmentNumbers = new PairNumbers();
  /** The stated enrollments in ascending order, with their numbers; null before the first use. */
  #enrollments: { values: Uint32Array; numbers: Uint32Array } | null = null;
  #made = 0;

  constructor(image: SnapshotImage, day: number) {
    this.#image = image;
    this.day = day;
    const Codes = image.sponsorCount < SHORT_MAX ? Uint16Array : Int32Array;
    this.codes = new Codes(image.trials << CODES_PER_ROW_LOG2);
  }

  get isComplete(): boolean {
    return this.#made === this.#image.trials;
  }

  get classCount(): number {
    return this.#classNumbers.size;
  }

  get presenceCount(): number {
    return this.#presenceNumbers.size;
  }

  get enrollmentCount(): number {
    return this.#enrollmentNumbers.size;
  }

  /** Presence mask of a registry for a presence number (columns presence0 and presence1). */
  maskOf(number: number, registry: 0 | 1): number {
    return registry === 0 ? this.#presenceNumbers.first(number) : this.#presenceNumbers.second(number);
  }

  /** The stated enrollments in ascending order with their trials; `byNumber`: trials of each enrollment number. */
  enrollmentOf(byNumber: Uint32Array): CountedValues {
    this.#enrollments ??= ascendingBut(NOT_STATED >>> 0, this.#enrollmentNumbers);
    const { values, numbers } = this.#enrollments;
    return { values, counts: numbers.map((number) => byNumber[number] as number) };
  }

  /** Trials for each value, from the trials of each class. */
  unfold(byClass: Uint32Array): ClassCounts {
    const empty = (): Uint32Array => new Uint32Array(VALUES);
    const [phase, status, recruitment, studyType] = [empty(), empty(), empty(), empty()];
    const [sponsorClass, registries, age] = [empty(), empty(), empty()];
    const gaps: [Uint32Array, Uint32Array] = [empty(), empty()];
    const add = (counts: Uint32Array, value: number, trials: number): void => {
      counts[value] = (counts[value] as number) + trials;
    };
    for (let number = 0; number < byClass.length; number++) {
      const trials = byClass[number] as number;
      if (trials === 0) continue;
      const standing = this.#classNumbers.first(number);
      const byDay = this.#classNumbers.second(number);
      add(phase, (standing >>> AT.phase) & VALUE, trials);
      add(status, (standing >>> AT.status) & VALUE, trials);
      add(recruitment, (standing >>> AT.recruitment) & VALUE, trials);
      add(studyType, (standing >>> AT.studyType) & VALUE, trials);
      add(sponsorClass, (standing >>> AT.sponsorClass) & VALUE, trials);
      add(registries, (standing >>> AT.registries) & VALUE, trials);
      add(age, (byDay >>> BY_DAY.age) & VALUE, trials);
      add(gaps[0], gapPlace((standing >>> AT.gap0) & SMALL, (byDay >>> BY_DAY.clock0) & SMALL), trials);
      add(gaps[1], gapPlace((standing >>> AT.gap1) & SMALL, (byDay >>> BY_DAY.clock1) & SMALL), trials);
    }
    return { phase, status, recruitment, studyType, sponsorClass, registries, age, gaps };
  }

  /** Codes the next rows. */
  step(): void {
    const { columns, trials } = this.#image;
    const end = Math.min(trials, this.#made + STEP_ROWS);
    const months12 = addMonths(this.day, -12) + 1;
    const months18 = addMonths(this.day, -18) + 1;
    const numbers = Math.max(this.classCount, this.presenceCount, this.enrollmentCount) + STEP_ROWS;
    if (numbers > SHORT_MAX && this.codes instanceof Uint16Array) this.codes = Int32Array.from(this.codes);
    for (let row = this.#made; row < end; row++) {
      const standing =
        ((columns.phase[row] as number) << AT.phase) |
        ((columns.status[row] as number) << AT.status) |
        ((columns.recruitment[row] as number) << AT.recruitment) |
        ((columns.studyType[row] as number) << AT.studyType) |
        ((columns.sponsorClass[row] as number) << AT.sponsorClass) |
        ((columns.registries[row] as number) << AT.registries) |
        ((columns.gap0[row] as number) << AT.gap0) |
        ((columns.gap1[row] as number) << AT.gap1);
      const byDay =
        (agePlace(this.day - (columns.postedFirst[row] as number)) << BY_DAY.age) |
        (clockOf(columns.gapDay0[row] as number, months12, months18) << BY_DAY.clock0) |
        (clockOf(columns.gapDay1[row] as number, months12, months18) << BY_DAY.clock1);
      const sponsor = columns.sponsor[row] as number;
      const place = row << CODES_PER_ROW_LOG2;
      this.codes[place] = this.#classNumbers.numberOf(standing, byDay);
      this.codes[place + 1] = this.#presenceNumbers.numberOf(
        columns.presence0[row] as number,
        columns.presence1[row] as number,
      );
      this.codes[place + 2] = sponsor === NO_SPONSOR ? 0 : sponsor + 1;
      this.codes[place + 3] = this.#enrollmentNumbers.numberOf((columns.enrollment[row] as number) >>> 0, 0);
    }
    this.#made = end;
  }
}

/** First words of the pairs in ascending order, without `left`, each with the number of its pair. */
function ascendingBut(left: number, pairs: PairNumbers): { values: Uint32Array; numbers: Uint32Array } {
  const numbers = Uint32Array.from({ length: pairs.size }, (_, number) => number)
    .filter((number) => pairs.first(number) !== left)
    .sort((a, b) => pairs.first(a) - pairs.first(b));
  return { values: numbers.map((number) => pairs.first(number)), numbers };
}

/** Index in AGE_BOUNDS of the first window that holds a trial of this age. */
function agePlace(days: number): number {
  if (days < 0 || days >= LOOK_BACK_DAYS) return OUT_OF_WINDOWS;
  let place = 0;
  while (days >= (AGE_BOUNDS[place] as number)) place += 1;
  return place;
}

/** `months12` and `months18`: the first day that is less than 12 (18) months ago. */
function clockOf(day: number, months12: number, months18: number): number {
  if (day === NOT_STATED) return CLOCK.notStated;
  return Number(day < months12) + Number(day < months18);
}
