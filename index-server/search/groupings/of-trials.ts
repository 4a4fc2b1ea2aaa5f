import { MODALITY_IDS } from '../../../contract/declared/modality.ts';
import { named } from '../../../contract/fields/value-names.ts';
import { REGISTRY_IDS } from '../../../contract/ids.ts';
import type { TrendSplit } from '../../../contract/schemas/trials/trend.ts';
import type { Facet } from '../../../contract/schemas/trials/trial-facets.ts';
import type { GapGroup } from '../../../contract/schemas/trials/trial-results-gap.ts';
import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { PHASES, SPONSOR_CLASSES, TRIAL_STATUSES } from '../../../contract/vocabularies.ts';
import { foldTerm, NOT_STATED, POSTING } from '../../../snapshot/format/serving-columns.ts';
import { askedCountry, COUNTRY_NAMES } from '../../../snapshot/format/words/countries.ts';
import { addMonths } from '../../../snapshot/format/words/dates.ts';
import type { Modalities } from '../../modality/modalities.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { clockAsked, clockDay } from '../counting/results-clock.ts';
import { compileFilters, type FilterQuery, type TrialFilters } from '../filters.ts';
import { readTrial } from '../hints/held-trial.ts';
import { madeOnce } from '../image-cache.ts';
import { matchingRows } from '../matching.ts';
import { EMPTY, pageOf } from '../row-set.ts';
import { byCondition } from './conditions.ts';
import { byNumber, bySets, type Grouping, type GroupSet } from './grouping.ts';

/** Every way in which the trials of an image are grouped, each by filters that a search takes. */

export type GroupedBy = Facet | GapGroup | TrendSplit;

interface Source {
  image: SnapshotImage;
  /** The filters of the request, with the day of the snapshot. */
  asked: FilterQuery;
  modalities: Modalities;
}

const GROUPINGS: Record<GroupedBy, (from: Source) => Grouping | Promise<Grouping>> = {
  country: ({ image, asked }) => byCountry(image, asked),
  status: ({ image }) => byFilter(image, 'status', TRIAL_STATUSES, true),
  phase: ({ image }) => byFilter(image, 'phase', PHASES, true, { phaseMatch: 'exact' }),
  startYear: ({ image }) => byStartYear(image),
  year: ({ image, asked }) => byDueYear(image, asked),
  condition: ({ image, asked }) => byCondition(image, asked.match === 'concepts'),
  disease: ({ image, asked }) => byTopic(image, asked.match === 'concepts'),
  sponsorClass: ({ image }) => byFilter(image, 'sponsorClass', SPONSOR_CLASSES, true),
  sponsor: ({ image }) => bySponsor(image),
  results: ({ image, asked }) => byResults(image, asked),
  registry: ({ image }) => byFilter(image, 'registry', REGISTRY_IDS, false),
  modality: ({ image, modalities }) => byModality(image, modalities),
};

export async function groupingBy(
  name: GroupedBy,
  image: SnapshotImage,
  asked: FilterQuery,
  modalities: Modalities,
): Promise<Grouping> {
  return GROUPINGS[name]({ image, asked, modalities });
}

/** Values of a vocabulary, each with the trials that its filter finds. */
function byFilter(
  image: SnapshotImage,
  parameter: 'status' | 'phase' | 'sponsorClass' | 'registry',
  values: readonly string[],
  exclusive: boolean,
  more: { phaseMatch?: 'exact' } = {},
): Grouping {
  const groups = values.map((value): GroupSet => {
    const rows = matchingRows(image, compileFilters({ [parameter]: [value], ...more }));
    return { value, title: named(value), query: { [parameter]: value, ...more }, rows };
  });
  return bySets(image, groups, { own: [parameter, ...Object.keys(more)], exclusive, order: 'vocabulary' });
}

const LAST_YEAR = 9999;
const DAY_MS = 86_400_000;
/** Days from 1970 to 2060, in which nearly all dates lie. */
const USUAL_DAYS = 33_238;

/** Years by a day of each row. The number of a year is the year. */
function byYear(
  dayOf: (row: number) => number,
  [after, before]: readonly [string, string],
  toDay: (day: number) => number,
): Grouping {
  const known = new Uint16Array(USUAL_DAYS);
  const found = (day: number): number => Math.min(LAST_YEAR, new Date(toDay(day) * DAY_MS).getUTCFullYear());
  const yearOf = (row: number): number => {
    const day = dayOf(row);
    if (day === NOT_STATED) return LAST_YEAR + 1;
    const year = known[day] || found(day);
    // Days outside of the table are not kept.
    known[day] = year;
    return year;
  };
  const group = (number: number) => {
    const year = String(number).padStart(4, '0');
    return { value: year, title: year, query: { [after]: `${year}-01-01`, [before]: `${year}-12-31` } };
  };
  return byNumber(LAST_YEAR + 1, yearOf, group, { own: [after, before], order: 'years' });
}

/** The days of a month lie in one year. */
function byStartYear({ columns: { startFirst } }: SnapshotImage): Grouping {
  return byYear(
    (row) => startFirst[row] as number,
    ['startedAfter', 'startedBefore'],
    (day) => day,
  );
}

/** By the year in which results fell due. */
function byDueYear(image: SnapshotImage, asked: FilterQuery): Grouping {
  const { clock, months } = clockAsked(asked, asked.asOfDay!);
  return byYear(clockDay(image, clock), ['resultsDueAfter', 'resultsDueBefore'], (day) => addMonths(day, months));
}

/** Lead sponsors by their whole names; names that differ only in case and white space are one. The number is that of the image. */
export function bySponsor(image: SnapshotImage): Grouping {
  const { sponsor } = image.columns;
  const group = (number: number) => {
    const name = image.sponsorName(number);
    const { success } = trialFilterParameters.sponsor.safeParse(name);
    return { value: name, title: name, query: success ? { sponsor: name, sponsorMatch: 'exact' } : null };
  };
  const kind = { own: ['sponsor', 'sponsorMatch'], order: 'count' } as const;
  return byNumber(image.sponsorCount, (row) => sponsor[row] as number, group, kind);
}

/** With results, without, and of these the ones in the results gap by the clock that is asked for. */
function byResults(image: SnapshotImage, { asOfDay, gapClock, gapMonths }: TrialFilters): Grouping {
  const overdue = { resultsGap: true, asOfDay, gapClock, gapMonths };
  const groups = (
    [
      ['with', 'With results posted', { resultsAvailable: true }, { resultsAvailable: 'true' }],
      ['without', 'Without results posted', { resultsAvailable: false }, { resultsAvailable: 'false' }],
      ['overdue', 'Completed, and without results since they were due', overdue, { resultsGap: 'true' }],
    ] as const
  ).map(([value, title, filters, query]): GroupSet => {
    return { value, title, query: { ...query }, rows: matchingRows(image, compileFilters(filters)) };
  });
  return bySets(image, groups, { own: ['resultsAvailable', 'resultsGap'], exclusive: false, order: 'vocabulary' });
}

async function byModality(image: SnapshotImage, modalities: Modalities): Promise<Grouping> {
  const groups: GroupSet[] = [];
  for (const value of MODALITY_IDS) {
    const rows = await modalities.rowsWith(image, [value]);
    groups.push({ value, title: named(value), query: { modality: value }, rows });
  }
  return bySets(image, groups, { own: ['modality'], exclusive: false, order: 'vocabulary' });
}

function byTopic(image: SnapshotImage, byConcepts: boolean): Grouping {
  const prefix = byConcepts ? POSTING.topicByConcepts : POSTING.topic;
  const groups = image.topics.map(({ id, title }) => ({
    ...{ value: id, title, query: { topic: id } },
    rows: image.posting(prefix + id) ?? EMPTY,
  }));
  return bySets(image, groups, { own: ['topic'], exclusive: false, order: 'count' });
}

/**
 * Every country that a registration names. A site in the city or of the status that is asked for must lie in the country itself;
 * with `siteCountry` its place is the same whatever the country.
 */
function byCountry(image: SnapshotImage, { siteCountry, sitePlace, siteStatus }: TrialFilters): Grouping {
  const isOfSites = siteCountry === undefined && (sitePlace ?? siteStatus) !== undefined;
  const ofSites = isOfSites ? { sitePlace, siteStatus } : null;
  const groups = countriesOf(image).map(({ folded, ...group }): GroupSet => {
    const rows = ofSites && matchingRows(image, compileFilters({ ...ofSites, country: folded }));
    return { ...group, rows: rows ?? image.posting(POSTING.country + folded) ?? EMPTY };
  });
  return bySets(image, groups, {
    own: ['country'],
    applied: Object.keys(ofSites ?? {}),
    exclusive: false,
    order: 'count',
  });
}

const COUNTRY_BY_FOLDED = new Map(COUNTRY_NAMES.map((name) => [foldTerm(name), name]));

const countriesOf = madeOnce((image: SnapshotImage) =>
  image.postingsFrom(POSTING.country).map(({ rest: folded, posting }) => {
    const name = COUNTRY_BY_FOLDED.get(folded) ?? writtenCountry(image, folded, pageOf(posting, 0, 1)[0] as number);
    // A name that the filter reads as another country cannot be asked for.
    const isAsked = foldTerm(askedCountry(name) ?? name) === folded;
    return { folded, value: name, title: name, query: isAsked ? { country: name } : null };
  }),
);

/** The name of a place that no rule knows, as one of its trials has it. */
function writtenCountry(image: SnapshotImage, folded: string, row: number): string {
  const stated = readTrial(image, row).registrations.flatMap(({ fields }) => fields.countries);
  return stated.find((name) => foldTerm(name) === folded) ?? folded;
}
