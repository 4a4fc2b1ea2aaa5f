import { GAP_CLOCKS, GAP_MONTHS, type GapClock } from '../../contract/limits/limits.ts';
import type { RESULTS_GAP_SHARE_OPERATIONS } from '../../contract/operations/trials/trial-results-gap.ts';
import type { GapGroup, TrialResultsGapRecord } from '../../contract/schemas/trials/trial-results-gap.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import type { Handlers, RequestContext } from '../../server-kit/mount.ts';
import { filtersAsRead } from '../../snapshot/format/filters-as-read.ts';
import { registryStates } from '../../snapshot/format/registry-answer.ts';
import { latestCompletion } from '../../snapshot/format/results-gap.ts';
import { GAP, NOT_STATED, POSTING } from '../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { addMonths } from '../../snapshot/format/words/dates.ts';
import { clockAsked, clockDay, type GapClockAsked } from '../search/counting/results-clock.ts';
import type { FilterQuery } from '../search/filters.ts';
import { countsWithText, type Grouping, pageOfGroups } from '../search/groupings/grouping.ts';
import { groupingBy } from '../search/groupings/of-trials.ts';
import { EMPTY, filterRows, intersect, type RowSet, rowsOf, without } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { answer, type Question } from './answer.ts';

/** A page of the groups. */
interface GroupPage {
  page: number;
  pageSize: number;
  sort: 'numerator' | 'name';
  text?: string | undefined;
}

type Asked = FilterQuery & GroupPage & { by?: GapGroup | undefined };
type GroupsRecord = NonNullable<TrialResultsGapRecord['groups']>;
type Share = Pick<TrialResultsGapRecord, 'numerator' | 'denominator' | 'share'>;

/** A reader compares it with the numerator or the denominator, to which it does not belong. */
const ALSO_MATCHING_SCOPE =
  'alsoMatching counts every trial that matches, not only those whose results were due; its call has the share by concepts.';

export const gapShareHandlers: Handlers<typeof RESULTS_GAP_SHARE_OPERATIONS, IndexServices> = {
  'trials-results-gap': ({ query }, context, services, fail) =>
    answer('gap-shares', { query, context, services, fail }, async (question) => {
      const data = await sharesOf(question);
      const { page, pageSize } = query;
      const { groups } = data;
      const scope = 'alsoMatching' in question.reading ? [ALSO_MATCHING_SCOPE] : [];
      return {
        data,
        meta: { notices: [...scope, ...earlyData(data)] },
        paging: groups && { page, pageSize, totalItems: groups.total, returned: groups.values.length },
      };
    }),
};

async function sharesOf(question: Question<Asked>): Promise<TrialResultsGapRecord> {
  const { image, manifest, day, query, rows, context } = question;
  const asked = clockAsked(query, day);
  const filters = filtersOfLists(context);
  const isCounted = ({ registry }: { registry: string }): boolean => registry === 'clinicaltrials_gov';
  const { state, dataDay } = registryStates(manifest).find(isCounted)!;
  const held = manifest.registries.find(isCounted)!.registrations;
  const basis = {
    asOf: manifest.asOf,
    definition: definitionOf(asked),
    ...{ clock: asked.clock, months: asked.months, registry: 'clinicaltrials_gov' as const, state, dataDay, held },
    queries: listsOf(filters),
    notCovered: notCovered(image, rows, manifest),
  };
  if (state === 'unanswered') return { ...basis, ...UNKNOWN, clocks: [], groups: null };
  const { population, undated, due, unposted } = gapRows(image, rows, asked);
  return {
    ...basis,
    population: population.count,
    withoutDate: undated,
    notYetDue: population.count - undated - due.count,
    ...shareOf(unposted.count, due.count),
    daysOverdue: overdueOf(image, unposted, asked),
    clocks: context.bare ? [] : clocksOf(image, population, day, filters),
    groups: query.by === undefined ? null : await groupsOf(question, query.by, asked),
  };
}

/** Between the two days results could not be seen, and trials fell due. */
function earlyData({ dataDay, asOf }: TrialResultsGapRecord): string[] {
  if (dataDay === null || dataDay >= asOf) return [];
  return [
    `The clocks stand at ${asOf}, the day of the snapshot, and the data of ClinicalTrials.gov is of ${dataDay}: what was posted since is not seen, so a trial whose results fell due in between counts as without results.`,
  ];
}

const UNKNOWN = {
  ...{ population: null, withoutDate: null, notYetDue: null },
  ...{ numerator: null, denominator: null, share: null, daysOverdue: null },
};

/** Groups are counted among the trials without the filter that chooses one of them. */
async function groupsOf(
  { image, day, query, context, services, rowsWithout }: Question<Asked>,
  by: GapGroup,
  asked: GapClockAsked,
): Promise<GroupsRecord> {
  const grouping = await groupingBy(by, image, { ...query, asOfDay: day }, services.modalities);
  const filters = filtersOfLists(context);
  for (const name of grouping.own) delete filters[name];
  const others = await rowsWithout([...grouping.own, ...(grouping.applied ?? [])]);
  return {
    by,
    definition: GROUP_DEFINITIONS[by],
    exclusive: grouping.exclusive,
    own: [...grouping.own],
    queries: listsOf(filters),
    ...groupShares(image, grouping, gapRows(image, others, asked), asked, query),
  };
}

/** The filters of the request as they were read, without what chooses how this answer is shown. */
function filtersOfLists({ applied }: RequestContext): Record<string, string> {
  const read = Object.entries(filtersAsRead(applied));
  return Object.fromEntries(read.filter(([name]) => Object.hasOwn(trialFilterParameters, name)));
}

function listsOf(filters: Record<string, string>) {
  return { numerator: { ...filters, resultsGap: 'true' }, denominator: { ...filters, resultsDue: 'true' } };
}

/** Shares by every clock among rows of the population. */
function clocksOf(
  image: SnapshotImage,
  population: RowSet,
  day: number,
  filters: Record<string, string>,
): TrialResultsGapRecord['clocks'] {
  const { gapClock: _clock, gapMonths: _months, ...others } = filters;
  return GAP_CLOCKS.flatMap((clock) =>
    GAP_MONTHS.map((months) => {
      const { unposted, due } = gapRows(image, population, { clock, months: Number(months), day });
      const own = {
        ...(clock === GAP_CLOCKS[0] ? {} : { gapClock: clock }),
        ...(months === GAP_MONTHS[0] ? {} : { gapMonths: months }),
      };
      return {
        ...{ clock, months: Number(months), ...shareOf(unposted.count, due.count) },
        ...{ queries: listsOf({ ...others, ...own }), note: CLOCK_NOTES[clock] },
      };
    }),
  );
}

const CLOCK_NOTES: Record<GapClock, string> = {
  primaryCompletion:
    'From the primary completion, and from the completion where no primary completion is stated: as the counter of the results gap counts.',
  completion:
    'From the completion alone: a trial that states only a primary completion is not counted, and one whose completion came later is counted later.',
};

function definitionOf({ clock, months }: GapClockAsked): string {
  const date = clock === 'completion' ? 'completion' : 'primary completion (else completion)';
  return `Of the ClinicalTrials.gov registrations that are interventional and completed and whose ${date} lies at least ${months} months back on the day of the snapshot (denominator), those without results posted on the registry (numerator). A date known to the month counts from its last day; a trial without the date is left out. Results in quality control and certified delays count as not posted. It says what is posted on the registry: not what had to be, and not what was published elsewhere.`;
}

const GROUP_DEFINITIONS: Record<GapGroup, string> = {
  disease: 'Curated topics: a trial may have several or none.',
  condition: 'Conditions as registries write them, in any case: a trial may have several.',
  sponsor: 'Lead sponsors by their whole names; one organisation under two names is two groups.',
  sponsorClass: 'Class of the lead sponsor, as the registry states it.',
  year: 'Year in which the results fell due: so many months after the date of the clock.',
  phase: 'Phase as stated; a combined phase is a group of its own.',
  country: 'Countries that the registration names: a trial may have several.',
};

const WHY_NOT_COVERED =
  'It does not post results in the same sense, so its trials are in neither number, and no number of it is added.';

/** Trials that ClinicalTrials.gov does not hold, by each other registry. */
function notCovered(image: SnapshotImage, rows: RowSet, manifest: Manifest): TrialResultsGapRecord['notCovered'] {
  const heldBy = (registry: string): RowSet => image.posting(POSTING.registry + registry) ?? EMPTY;
  const others = registryStates(manifest).filter(({ registry }) => registry !== 'clinicaltrials_gov');
  return others.map(({ registry, state }) => {
    const only = without(intersect([rows, heldBy(registry)]), heldBy('clinicaltrials_gov'));
    return { registry, trials: state === 'unanswered' ? null : only.count, why: WHY_NOT_COVERED };
  });
}

interface GapRows {
  /** Completed interventional registrations of ClinicalTrials.gov. */
  population: RowSet;
  /** How many of them state no date for the clock. */
  undated: number;
  /** Those whose results were due, posted or not. */
  due: RowSet;
  /** Those of them without posted results. */
  unposted: RowSet;
}

export function gapRows(image: SnapshotImage, rows: RowSet, { clock, months, day }: GapClockAsked): GapRows {
  const { gap0 } = image.columns;
  const dayOf = clockDay(image, clock);
  const latest = latestCompletion(day, months);
  const population = filterRows(rows, (row) => gap0[row] !== GAP.outside);
  const dated = filterRows(population, (row) => dayOf(row) !== NOT_STATED);
  const due = filterRows(dated, (row) => dayOf(row) <= latest);
  const unposted = filterRows(due, (row) => gap0[row] === GAP.withoutResults);
  return { population, undated: population.count - dated.count, due, unposted };
}

function shareOf(numerator: number, denominator: number): Share {
  return { numerator, denominator, share: denominator === 0 ? null : numerator / denominator };
}

/** Days since the results were due, of rows whose results were. */
export function overdueOf(
  image: SnapshotImage,
  unposted: RowSet,
  { clock, months, day }: GapClockAsked,
): TrialResultsGapRecord['daysOverdue'] {
  const { count } = unposted;
  if (count === 0) return null;
  const began = Int32Array.from(rowsOf(unposted), clockDay(image, clock)).sort();
  // A trial that began earlier is overdue for as long or longer, so that the order of both is the same.
  const daysOf = (rank: number): number => day - addMonths(began[rank] as number, months);
  const median = (daysOf(Math.floor((count - 1) / 2)) + daysOf(Math.ceil((count - 1) / 2))) / 2;
  return { median, longest: daysOf(0) };
}

/** A page of the groups with a denominator; of years also those between that have none. */
export function groupShares(
  image: SnapshotImage,
  grouping: Grouping,
  { due, unposted }: Pick<GapRows, 'due' | 'unposted'>,
  asked: GapClockAsked,
  { page, pageSize, sort, text }: GroupPage,
): Pick<GroupsRecord, 'total' | 'values'> {
  const all = grouping.count(due);
  const denominators = text === undefined ? all : countsWithText(grouping, all, text);
  const numerators = grouping.count(unposted);
  // Groups with a denominator alone come after those with a numerator.
  const ranks = denominators.map((count, number) => (count === 0 ? 0 : (numerators[number] as number) + 1));
  const shown = { page, pageSize, isByName: sort === 'name' };
  const { numbers, total } = pageOfGroups(grouping, denominators, ranks, shown);
  const unpostedOf = grouping.rowsWith(unposted, numbers);
  const values = numbers.map((number, place) => ({
    ...grouping.group(number),
    ...shareOf(numerators[number] as number, denominators[number] as number),
    daysOverdue: overdueOf(image, unpostedOf[place]!, asked),
  }));
  return { total, values };
}
