import type { RegistryId } from '../../../contract/ids.ts';
import type { LandscapeRecord } from '../../../contract/schemas/trials/counts.ts';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../../contract/vocabularies.ts';
import { registryStates } from '../../../snapshot/format/registry-answer.ts';
import { COMPLETENESS_NAMES, GAP, NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { addMonths } from '../../../snapshot/format/words/dates.ts';
import type { DataEnd } from '../../data-ends.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { largestOf } from '../groupings/grouping.ts';
import { bySponsor } from '../groupings/of-trials.ts';
import { type RowSet, rowsOf } from '../row-set.ts';
import { countBits, mix } from './columns.ts';

/** The counts of each registry, whether it answered or not. */
type OfRegistry<Entry> = Record<
  RegistryId,
  { [Field in keyof Omit<Entry, 'registry' | 'state'>]: NonNullable<Entry[Field & keyof Entry]> }
>;
/** The counts that two versions are compared by. */
export type Mixes = Pick<
  LandscapeRecord,
  'trials' | 'phases' | 'statuses' | 'recruitmentStatuses' | 'studyTypes' | 'sponsorClasses'
>;
export interface Landscape extends Mixes, Pick<LandscapeRecord, 'sponsors' | 'enrollment'> {
  momentum: Omit<LandscapeRecord['momentum'][number], 'ended'>[];
  reportingGap: OfRegistry<LandscapeRecord['reportingGap'][number]>;
  fieldCompleteness: OfRegistry<LandscapeRecord['fieldCompleteness'][number]>;
}

const TOP_SPONSORS = 10;

/** Distributions over the matching trials. */
export function landscape(image: SnapshotImage, matching: RowSet, day: number): Landscape {
  const rows = rowsOf(matching);
  const [ctgov, isrctn] = [rowsIn(image, rows, 0), rowsIn(image, rows, 1)];
  return {
    ...mixesOf(image, rows),
    sponsors: sponsorConcentration(image, matching),
    enrollment: enrollmentScale(image, rows),
    momentum: momentum(image, rows, day),
    reportingGap: {
      clinicaltrials_gov: reportingGap(image, ctgov, 0, day),
      isrctn: reportingGap(image, isrctn, 1, day),
    },
    fieldCompleteness: {
      clinicaltrials_gov: fieldCompleteness(image, ctgov, 0),
      isrctn: fieldCompleteness(image, isrctn, 1),
    },
  };
}

/** The trials that a registry has: a twentieth of them are at ISRCTN, so that its counts do not walk through all. */
function rowsIn({ columns: { registries } }: SnapshotImage, rows: Uint32Array, registry: 0 | 1): Uint32Array {
  const held = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    held[count] = row;
    count += ((registries[row] as number) >>> registry) & 1;
  }
  return held.subarray(0, count);
}

const UNKNOWN_GAP = {
  population: null,
  withResults: null,
  completionNotStated: null,
  withoutResultsAfter12Months: null,
  withoutResultsAfter18Months: null,
};

export function landscapeRecord(counts: Landscape, manifest: Manifest, ends: readonly DataEnd[]): LandscapeRecord {
  const { momentum: windows, reportingGap: gaps, fieldCompleteness: completeness, ...rest } = counts;
  const registries = registryStates(manifest);
  const ended = ends.every(({ early }) => early === null);
  return {
    asOf: manifest.asOf,
    ...rest,
    momentum: windows.map((window) => ({ ...window, ended })),
    reportingGap: registries.map(({ registry, state }) => ({
      registry,
      state,
      ...(state === 'unanswered' ? UNKNOWN_GAP : gaps[registry]),
    })),
    fieldCompleteness: registries.map(({ registry, state }) => ({
      registry,
      state,
      ...(state === 'unanswered' ? { registrations: null, fields: null } : completeness[registry]),
    })),
  };
}

export function mixesOf({ columns }: SnapshotImage, rows: Uint32Array): Mixes {
  return {
    trials: rows.length,
    phases: mix(rows, columns.phase, PHASES),
    statuses: mix(rows, columns.status, TRIAL_STATUSES),
    recruitmentStatuses: mix(rows, columns.recruitment, RECRUITMENT_STATUSES),
    studyTypes: mix(rows, columns.studyType, STUDY_TYPES),
    sponsorClasses: mix(rows, columns.sponsorClass, SPONSOR_CLASSES),
  };
}

function sponsorConcentration(image: SnapshotImage, matching: RowSet): Landscape['sponsors'] {
  const counts = bySponsor(image).count(matching);
  let [total, squares, sponsors] = [0, 0, 0];
  for (const count of counts) {
    total += count;
    squares += count * count;
    if (count > 0) sponsors += 1;
  }
  const top = largestOf(counts, 0, TOP_SPONSORS).map((number) => {
    const trials = counts[number] as number;
    return { name: image.sponsorName(number), trials, share: trials / total };
  });
  return {
    trialsWithSponsor: total,
    sponsors,
    top,
    topShare: total === 0 ? null : top.reduce((sum, { trials }) => sum + trials, 0) / total,
    hhi: total === 0 ? null : squares / total ** 2,
  };
}

function enrollmentScale({ columns: { enrollment } }: SnapshotImage, rows: Uint32Array): Landscape['enrollment'] {
  const numbers = new Int32Array(rows.length);
  let stated = 0;
  for (let at = 0; at < rows.length; at++) {
    const number = enrollment[rows[at] as number] as number;
    if (number !== NOT_STATED) numbers[stated++] = number;
  }
  const rankOf = ranksOf(numbers.subarray(0, stated));
  /** Linearly interpolated between neighbours. */
  const quantile = (share: number): number | null => {
    if (stated === 0) return null;
    const position = share * (stated - 1);
    const [below, above] = [rankOf(Math.floor(position)), rankOf(Math.ceil(position))];
    return below + (above - below) * (position - Math.floor(position));
  };
  return {
    stated,
    notStated: rows.length - stated,
    lowerQuartile: quantile(0.25),
    median: quantile(0.5),
    upperQuartile: quantile(0.75),
  };
}

/** Numbers below this are counted one by one, which is faster than sorting them. */
const COUNTED_BELOW = 8192;

/** The number of a rank, from 0, among numbers that are not negative. */
function ranksOf(numbers: Int32Array): (rank: number) => number {
  const counts = new Uint32Array(COUNTED_BELOW);
  let counted = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (number >= COUNTED_BELOW) continue;
    counts[number] = (counts[number] as number) + 1;
    counted += 1;
  }
  const larger = numbers.filter((number) => number >= COUNTED_BELOW).sort();
  return (rank) => {
    if (rank >= counted) return larger[rank - counted] as number;
    let [number, before] = [0, counts[0] as number];
    while (before <= rank) before += counts[++number] as number;
    return number;
  };
}

/** Windows of momentum in days, by the first posting; each is compared with the window before it. */
const MOMENTUM_DAYS = [30, 90, 365] as const;
const LOOK_BACK_DAYS = 2 * MOMENTUM_DAYS[2];

function momentum({ columns: { postedFirst } }: SnapshotImage, rows: Uint32Array, day: number): Landscape['momentum'] {
  const byAge = new Uint32Array(LOOK_BACK_DAYS);
  for (let at = 0; at < rows.length; at++) {
    const age = day - (postedFirst[rows[at] as number] as number);
    if (age >= 0 && age < LOOK_BACK_DAYS) byAge[age] = (byAge[age] as number) + 1;
  }
  const between = (from: number, to: number): number => byAge.subarray(from, to).reduce((sum, count) => sum + count, 0);
  return MOMENTUM_DAYS.map((days) => {
    const [current, previous] = [between(0, days), between(days, 2 * days)];
    return { days, current, previous, change: current - previous };
  });
}

const GAP_STATES = Math.max(...Object.values(GAP)) + 1;

/** Registrations of a registry, of whose trials the rows are, in the population of the results gap. A trial without results may state no completion. */
function reportingGap(
  { columns }: SnapshotImage,
  rows: Uint32Array,
  registry: 0 | 1,
  day: number,
): Landscape['reportingGap'][RegistryId] {
  const [gap, gapDay] = [columns[`gap${registry}`], columns[`gapDay${registry}`]];
  // The first days that are less than 12 (18) months ago.
  const [months12, months18] = [addMonths(day, -12) + 1, addMonths(day, -18) + 1];
  const counts = new Uint32Array(GAP_STATES);
  let [completionNotStated, after12, after18] = [0, 0, 0];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const state = gap[row] as number;
    counts[state] = (counts[state] as number) + 1;
    // Sums of conditions: which way a branch goes cannot be foretold here, and wrong guesses took half of the time.
    const completed = gapDay[row] as number;
    const without = Number(state === GAP.withoutResults);
    const stated = without & Number(completed !== NOT_STATED);
    completionNotStated += without - stated;
    after12 += stated & Number(completed < months12);
    after18 += stated & Number(completed < months18);
  }
  const withResults = counts[GAP.withResults] as number;
  return {
    population: withResults + (counts[GAP.withoutResults] as number),
    withResults,
    completionNotStated,
    withoutResultsAfter12Months: after12,
    withoutResultsAfter18Months: after18,
  };
}

function fieldCompleteness(
  { columns }: SnapshotImage,
  rows: Uint32Array,
  registry: 0 | 1,
): Landscape['fieldCompleteness'][RegistryId] {
  const registrations = rows.length;
  const counts = countBits(rows, columns[`presence${registry}`], COMPLETENESS_NAMES.length);
  const fields = COMPLETENESS_NAMES.map((name, bit) => {
    const stated = counts[bit] as number;
    return { field: name, stated, share: registrations === 0 ? null : stated / registrations };
  });
  return { registrations, fields };
}
