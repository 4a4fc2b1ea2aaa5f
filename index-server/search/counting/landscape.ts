import type { RegistryId } from '../../../contract/ids.ts';
import type { LandscapeRecord } from '../../../contract/schemas/trials/counts.ts';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../../contract/vocabularies.ts';
import { COMPLETENESS_NAMES, GAP, NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths } from '../../../snapshot/format/words/dates.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { largestOf } from '../groupings/grouping.ts';
import { SponsorGrouping } from '../groupings/sponsors.ts';
import { cachedCounts } from './cached-counts.ts';
import { countBits, mix, sumOf } from './columns.ts';
import { quantilesOf } from './quantiles.ts';

/** The counts of each registry; whether it answered is added later (present-counts.ts). */
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
export const landscape = cachedCounts((image, rows, day): Landscape => {
  return {
    ...mixesOf(image, rows),
    sponsors: sponsorConcentration(image, rows),
    enrollment: enrollmentScale(image, rows),
    momentum: momentum(image, rows, day),
    reportingGap: { clinicaltrials_gov: reportingGap(image, rows, 0, day), isrctn: reportingGap(image, rows, 1, day) },
    fieldCompleteness: {
      clinicaltrials_gov: fieldCompleteness(image, rows, 0),
      isrctn: fieldCompleteness(image, rows, 1),
    },
  };
});

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

function sponsorConcentration(image: SnapshotImage, rows: Uint32Array): Landscape['sponsors'] {
  const grouping = new SponsorGrouping(image);
  const counts = grouping.count({ form: 'list', count: rows.length, words: rows });
  const total = counts.sum;
  const top = largestOf(counts, { offset: 0, limit: TOP_SPONSORS }).map((number) => {
    const trials = counts.of(number);
    return { name: image.sponsorName(number), trials, share: trials / total };
  });
  const squares = counts.counts.reduce((sum, count) => sum + count * count, 0);
  return {
    trialsWithSponsor: total,
    sponsors: counts.numbers.length,
    top,
    topShare: total === 0 ? null : sumOf(top.map(({ trials }) => trials)) / total,
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
  const [lowerQuartile, median, upperQuartile] = quantilesOf(numbers.subarray(0, stated), [0.25, 0.5, 0.75]) as [
    number | null,
    number | null,
    number | null,
  ];
  return { stated, notStated: rows.length - stated, lowerQuartile, median, upperQuartile };
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
  return MOMENTUM_DAYS.map((days) => {
    const current = sumOf(byAge.subarray(0, days));
    const previous = sumOf(byAge.subarray(days, 2 * days));
    return { days, current, previous, change: current - previous };
  });
}

/** Registrations of a registry in the population of the results gap. A trial without results may state no completion. */
function reportingGap(
  { columns }: SnapshotImage,
  rows: Uint32Array,
  registry: 0 | 1,
  day: number,
): Landscape['reportingGap'][RegistryId] {
  const [gap, gapDay] = [columns[`gap${registry}`], columns[`gapDay${registry}`]];
  // The first days that are less than 12 (18) months ago.
  const [months12, months18] = [addMonths(day, -12) + 1, addMonths(day, -18) + 1];
  let [withResults, withoutResults, completionNotStated, after12, after18] = [0, 0, 0, 0, 0];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const state = gap[row];
    if (state === GAP.withResults) withResults += 1;
    if (state !== GAP.withoutResults) continue;
    withoutResults += 1;
    const completed = gapDay[row] as number;
    if (completed === NOT_STATED) completionNotStated += 1;
    else {
      if (completed < months12) after12 += 1;
      if (completed < months18) after18 += 1;
    }
  }
  return {
    population: withResults + withoutResults,
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
  let registrations = 0;
  for (let at = 0; at < rows.length; at++) {
    registrations += ((columns.registries[rows[at] as number] as number) >>> registry) & 1;
  }
  const counts = countBits(rows, columns[`presence${registry}`], COMPLETENESS_NAMES.length);
  const fields = COMPLETENESS_NAMES.map((name, bit) => {
    const stated = counts[bit] as number;
    return { field: name, stated, share: registrations === 0 ? null : stated / registrations };
  });
  return { registrations, fields };
}
