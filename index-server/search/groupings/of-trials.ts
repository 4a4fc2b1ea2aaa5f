import { MODALITY_IDS } from '../../../contract/declared/modality.ts';
import { named } from '../../../contract/fields/value-names.ts';
import { REGISTRY_IDS } from '../../../contract/ids.ts';
import type { TrendSplit } from '../../../contract/schemas/trials/trend.ts';
import type { Facet } from '../../../contract/schemas/trials/trial-facets.ts';
import type { GapGroup } from '../../../contract/schemas/trials/trial-results-gap.ts';
import { PHASES, SPONSOR_CLASSES, TRIAL_STATUSES } from '../../../contract/vocabularies.ts';
import { latestCompletion } from '../../../snapshot/format/results-gap.ts';
import { foldTerm, POSTING } from '../../../snapshot/format/serving-columns.ts';
import { askedCountry } from '../../../snapshot/format/words/countries.ts';
import type { Modalities } from '../../modality/modalities.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { clockAsked, clockDay, type GapClockAsked } from '../counting/results-clock.ts';
import { compileFilters, type FilterQuery, type TrialFilters } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { completed } from '../in-slices.ts';
import { matchingRows } from '../matching.ts';
import { EMPTY } from '../row-set.ts';
import { ConditionGrouping, rowConditionsOf } from './conditions.ts';
import { countryName, rowsByCountry, siteFiltersOf } from './countries.ts';
import type { Grouping } from './grouping.ts';
import { type GroupSet, SetGrouping } from './sets.ts';
import { SponsorGrouping } from './sponsors.ts';
import { firstDayOf, YearGrouping } from './years.ts';

/** The few of closed vocabularies, and the results by each clock. */
const KEPT_GROUPINGS = 16;

/** Every way in which the trials of an image are grouped, each by filters that a search takes. */

/** Their sets of rows are found once for an image; they may lie in its memory. */
const kept = new ImageCache<Grouping>(KEPT_GROUPINGS);

function keptFor(image: SnapshotImage, key: string, make: () => Grouping): Grouping {
  const known = kept.get(image, key) ?? make();
  kept.set(image, key, known);
  return known;
}

export type GroupedBy = Facet | GapGroup | TrendSplit;

/** `asked` are the filters of the request, with the day of the snapshot. */
export async function groupingBy(
  name: GroupedBy,
  image: SnapshotImage,
  asked: FilterQuery,
  modalities: Modalities,
): Promise<Grouping> {
  const byConcepts = asked.match === 'concepts';
  const groupings: Record<GroupedBy, () => Grouping | Promise<Grouping>> = {
    country: () => byCountry(image, asked),
    status: () => byWords(image, 'status', TRIAL_STATUSES, true),
    phase: () => byPhase(image),
    startYear: () => byStartYear(image),
    year: () => byDueYear(image, clockAsked(asked, asked.asOfDay!)),
    condition: () => byCondition(image, byConcepts),
    disease: () => byTopic(image, byConcepts),
    sponsorClass: () => byWords(image, 'sponsorClass', SPONSOR_CLASSES, true),
    sponsor: () => new SponsorGrouping(image),
    results: () => byResults(image, asked),
    registry: () => byWords(image, 'registry', REGISTRY_IDS, false),
    modality: () => byModality(image, modalities),
  };
  return groupings[name]();
}

async function byCondition(image: SnapshotImage, byConcepts: boolean): Promise<Grouping> {
  const values = rowConditionsOf(image);
  await completed(values);
  return new ConditionGrouping(image, values, byConcepts);
}

function byStartYear({ columns: { startFirst } }: SnapshotImage): Grouping {
  // The days of a month lie in one year.
  return new YearGrouping((row) => startFirst[row] as number, ['startedAfter', 'startedBefore']);
}

/** By the year in which results fell due. */
function byDueYear(image: SnapshotImage, { clock, months }: GapClockAsked): Grouping {
  const firstOf = (year: number): number => latestCompletion(firstDayOf(year) - 1, months) + 1;
  return new YearGrouping(clockDay(image, clock), ['resultsDueAfter', 'resultsDueBefore'], firstOf);
}

function byPhase(image: SnapshotImage): Grouping {
  const exact = { phaseMatch: 'exact' } as const;
  return keptFor(image, 'phase', () => {
    const groups = PHASES.map((value) => group(image, value, { phase: [value], ...exact }, { phase: value, ...exact }));
    return new SetGrouping(image, groups, { own: ['phase', 'phaseMatch'], exclusive: true, ordered: true });
  });
}

/** With results, without, and of these the ones in the results gap by the clock that is asked for. */
function byResults(image: SnapshotImage, asked: TrialFilters): Grouping {
  const { asOfDay, gapClock, gapMonths } = asked;
  return keptFor(image, `results ${asOfDay} ${gapClock} ${gapMonths}`, () => {
    const groups = [
      group(image, 'with', { resultsAvailable: true }, { resultsAvailable: 'true' }, 'With results posted'),
      group(image, 'without', { resultsAvailable: false }, { resultsAvailable: 'false' }, 'Without results posted'),
      group(
        image,
        'overdue',
        { resultsGap: true, asOfDay, gapClock, gapMonths },
        { resultsGap: 'true' },
        'Completed, and without results since they were due',
      ),
    ];
    return new SetGrouping(image, groups, { own: ['resultsAvailable', 'resultsGap'], exclusive: false, ordered: true });
  });
}

async function byModality(image: SnapshotImage, modalities: Modalities): Promise<Grouping> {
  const groups: GroupSet[] = [];
  for (const value of MODALITY_IDS) {
    const rows = await modalities.rowsWith(image, [value]);
    groups.push({ value, title: named(value), query: { modality: value }, rows });
  }
  return new SetGrouping(image, groups, { own: ['modality'], exclusive: false, ordered: true });
}

function byTopic(image: SnapshotImage, byConcepts: boolean): Grouping {
  const prefix = byConcepts ? POSTING.topicByConcepts : POSTING.topic;
  const groups = image.topics.map(({ id, title }) => ({
    ...{ value: id, title, query: { topic: id } },
    rows: image.posting(prefix + id) ?? EMPTY,
  }));
  return new SetGrouping(image, groups, { own: ['topic'], exclusive: false, ordered: false });
}

/** Countries that a registration names. */
function byCountry(image: SnapshotImage, asked: TrialFilters): Grouping {
  const ofSites = siteFiltersOf(asked);
  return keptFor(image, `country ${JSON.stringify(ofSites)}`, () => {
    const groups = rowsByCountry(image, asked).map(({ folded, rows }): GroupSet => {
      const name = countryName(image, folded);
      // A name that the filter reads as another country cannot be asked for.
      const isAsked = foldTerm(askedCountry(name) ?? name) === folded;
      return { value: name, title: name, query: isAsked ? { country: name } : null, rows };
    });
    const applied = Object.keys(ofSites ?? {});
    return new SetGrouping(image, groups, { own: ['country'], applied, exclusive: false, ordered: false });
  });
}

function byWords(
  image: SnapshotImage,
  parameter: 'status' | 'sponsorClass' | 'registry',
  values: readonly string[],
  exclusive: boolean,
): Grouping {
  return keptFor(image, parameter, () => {
    const groups = values.map((value) => group(image, value, { [parameter]: [value] }, { [parameter]: value }));
    return new SetGrouping(image, groups, { own: [parameter], exclusive, ordered: true });
  });
}

/** A value with the trials that the filters of a search find. */
function group(
  image: SnapshotImage,
  value: string,
  filters: TrialFilters,
  query: Record<string, string>,
  title = named(value),
): GroupSet {
  return { value, title, query, rows: matchingRows(image, compileFilters(filters)) };
}
