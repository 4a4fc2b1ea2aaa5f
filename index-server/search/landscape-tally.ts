import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../contract/schemas/trial.ts';
import { addMonths } from '../../snapshot-format/dates.ts';
import { GAP, NO_SPONSOR, NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { Quantiles } from './quantiles.ts';
import type { Tally } from './tally.ts';

/** Momentum looks back twice as many days as its longest window has. */
export const MOMENTUM_DAYS = [30, 90, 365] as const;
const LOOK_BACK_DAYS = 2 * MOMENTUM_DAYS[2];

/** Small columns are counted two at a time, which nearly halves the steps a row; every value is below PAIR_VALUES. */
const PAIRS = [
  ['phase', 'status'],
  ['recruitment', 'studyType'],
  ['sponsorClass', 'registries'],
] as const;
const PAIR_BITS = 4;
const PAIR_VALUES = 2 ** PAIR_BITS;
export type SmallColumn = (typeof PAIRS)[number][number];

for (const values of [PHASES, TRIAL_STATUSES, RECRUITMENT_STATUSES, STUDY_TYPES, SPONSOR_CLASSES]) {
  if (values.length > PAIR_VALUES)
    throw new Error(`${values.length} values do not fit a pair of ${PAIR_BITS} bits each`);
}

/** Registrations of one registry by their GAP standing and, within it, by CLOCK. */
const CLOCKS = 4;
/** Completed less than 12 months ago; 12 to 18; 18 or more; no completion date. */
export const CLOCK = { running: 0, after12: 1, after18: 2, notStated: 3 } as const;

export function gapPlace(standing: number, clock: number): number {
  return standing * CLOCKS + clock;
}

/** Presence masks are counted in two halves and unfolded at the end: two steps a row instead of one per field. */
export const HALF_BITS = 12;
const HALF_MASK = 2 ** HALF_BITS - 1;

export interface PresenceCounts {
  low: Uint32Array;
  high: Uint32Array;
}

/** Everything that a landscape is made of, as counts; for one image and one day. */
export class LandscapeTally implements Tally<LandscapeTally> {
  readonly #image: SnapshotImage;
  readonly #today: number;
  trials = 0;
  readonly #pairs: readonly Uint32Array[];
  /** Trials by the number of their sponsor. */
  readonly sponsors: Uint32Array;
  readonly enrollment: Quantiles;
  /** Trials by the days since they were first posted. */
  readonly postedByAge: Uint32Array;
  readonly gaps: [Uint32Array, Uint32Array];
  readonly presence: [PresenceCounts, PresenceCounts];

  constructor(image: SnapshotImage, today: number, from: LandscapeTally | null = null) {
    this.#image = image;
    this.#today = today;
    this.trials = from?.trials ?? 0;
    this.#pairs = PAIRS.map((_, pair) =>
      from === null ? new Uint32Array(PAIR_VALUES ** 2) : (from.#pairs[pair] as Uint32Array).slice(),
    );
    this.sponsors = from?.sponsors.slice() ?? new Uint32Array(image.sponsorCount);
    this.enrollment = from?.enrollment.copy() ?? new Quantiles();
    this.postedByAge = from?.postedByAge.slice() ?? new Uint32Array(LOOK_BACK_DAYS);
    this.gaps = [gapCounts(from?.gaps[0]), gapCounts(from?.gaps[1])];
    this.presence = [presenceCounts(from?.presence[0]), presenceCounts(from?.presence[1])];
  }

  copy(): LandscapeTally {
    return new LandscapeTally(this.#image, this.#today, this);
  }

  /** Trials by the values of a column. */
  values(column: SmallColumn): Uint32Array {
    const pair = PAIRS.findIndex((names) => (names as readonly string[]).includes(column));
    const isHigh = PAIRS[pair]?.[0] === column;
    const counts = new Uint32Array(PAIR_VALUES);
    this.#pairs[pair]?.forEach((count, values) => {
      const value = isHigh ? values >>> PAIR_BITS : values % PAIR_VALUES;
      counts[value] = (counts[value] as number) + count;
    });
    return counts;
  }

  count(rows: Uint32Array, step: 1 | -1): void {
    const { columns } = this.#image;
    this.trials += step * rows.length;
    PAIRS.forEach(([high, low], pair) => {
      countPairs(rows, columns[high], columns[low], this.#pairs[pair] as Uint32Array, step);
    });
    countSponsors(rows, columns.sponsor, this.sponsors, step);
    this.enrollment.count(rows, columns.enrollment, NOT_STATED, step);
    countAges(rows, columns.postedFirst, this.#today, this.postedByAge, step);
    countGap(rows, columns.gap0, columns.gapDay0, this.#today, this.gaps[0], step);
    countGap(rows, columns.gap1, columns.gapDay1, this.#today, this.gaps[1], step);
    countPresence(rows, columns.presence0, this.presence[0], step);
    countPresence(rows, columns.presence1, this.presence[1], step);
  }
}

function gapCounts(from: Uint32Array | undefined): Uint32Array {
  return from?.slice() ?? new Uint32Array(Object.keys(GAP).length * CLOCKS);
}

function presenceCounts(from: PresenceCounts | undefined): PresenceCounts {
  return {
    low: from?.low.slice() ?? new Uint32Array(HALF_MASK + 1),
    high: from?.high.slice() ?? new Uint32Array(HALF_MASK + 1),
  };
}

function countPairs(rows: Uint32Array, high: Uint8Array, low: Uint8Array, counts: Uint32Array, step: 1 | -1): void {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const values = ((high[row] as number) << PAIR_BITS) | (low[row] as number);
    counts[values] = (counts[values] as number) + step;
  }
}

function countSponsors(rows: Uint32Array, column: Uint32Array, counts: Uint32Array, step: 1 | -1): void {
  for (let at = 0; at < rows.length; at++) {
    const sponsor = column[rows[at] as number] as number;
    if (sponsor !== NO_SPONSOR) counts[sponsor] = (counts[sponsor] as number) + step;
  }
}

function countAges(rows: Uint32Array, posted: Int32Array, today: number, counts: Uint32Array, step: 1 | -1): void {
  for (let at = 0; at < rows.length; at++) {
    const age = today - (posted[rows[at] as number] as number);
    if (age >= 0 && age < LOOK_BACK_DAYS) counts[age] = (counts[age] as number) + step;
  }
}

/** Branches on nothing within the population: a processor guesses wrong there every other time. */
function countGap(
  rows: Uint32Array,
  standing: Uint8Array,
  completed: Int32Array,
  today: number,
  counts: Uint32Array,
  step: 1 | -1,
): void {
  const months12 = addMonths(today, -12) + 1;
  const months18 = addMonths(today, -18) + 1;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const here = standing[row] as number;
    if (here === GAP.outside) continue;
    const day = completed[row] as number;
    // The sign bit of a difference says which is the earlier day.
    const clock = day === NOT_STATED ? CLOCK.notStated : ((day - months12) >>> 31) + ((day - months18) >>> 31);
    const place = gapPlace(here, clock);
    counts[place] = (counts[place] as number) + step;
  }
}

/** A trial without a registration there has the mask 0, which says nothing. */
function countPresence(rows: Uint32Array, presence: Uint32Array, { low, high }: PresenceCounts, step: 1 | -1): void {
  for (let at = 0; at < rows.length; at++) {
    const mask = presence[rows[at] as number] as number;
    if (mask === 0) continue;
    const lowHalf = mask & HALF_MASK;
    const highHalf = (mask >>> HALF_BITS) & HALF_MASK;
    low[lowHalf] = (low[lowHalf] as number) + step;
    high[highHalf] = (high[highHalf] as number) + step;
  }
}
