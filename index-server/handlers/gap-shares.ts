import { REGISTRY_IDS } from '../../contract/ids.ts';
import { GAP_CLOCKS, GAP_MONTHS, type GapClock } from '../../contract/limits/limits.ts';
import type { RESULTS_GAP_SHARE_OPERATIONS } from '../../contract/operations/trials/trial-results-gap.ts';
import type { GapGroup, TrialResultsGapRecord } from '../../contract/schemas/trials/trial-results-gap.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import type { Handlers, RequestContext } from '../../server-kit/mount.ts';
import { filtersAsRead } from '../../snapshot/format/filters-as-read.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { registryStates } from '../present-counts.ts';
import { byEachClock, gapRows, groupShares, overdueOf, shareOf } from '../search/counting/gap-shares.ts';
import { clockAsked, type GapClockAsked } from '../search/counting/results-clock.ts';
import type { FilterQuery } from '../search/filters.ts';
import { groupingBy } from '../search/groupings/of-trials.ts';
import { EMPTY, intersect, type RowSet, without } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { answer, type Question } from './answer.ts';

type Asked = FilterQuery & {
  by?: GapGroup | undefined;
  page: number;
  pageSize: number;
  sort: 'numerator' | 'name';
  text?: string | undefined;
};
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
): Promise<NonNullable<TrialResultsGapRecord['groups']>> {
  const { page, pageSize, sort, text } = query;
  const grouping = await groupingBy(by, image, { ...query, asOfDay: day }, services.modalities);
  const filters = filtersOfLists(context);
  for (const name of grouping.own) delete filters[name];
  const others = await rowsWithout([...grouping.own, ...(grouping.applied ?? [])]);
  const shown = { offset: (page - 1) * pageSize, limit: pageSize, sort, text };
  return {
    by,
    definition: GROUP_DEFINITIONS[by],
    exclusive: grouping.exclusive,
    own: [...grouping.own],
    queries: listsOf(filters),
    ...groupShares(image, grouping, gapRows(image, others, asked), asked, shown),
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

function clocksOf(
  image: SnapshotImage,
  rows: RowSet,
  day: number,
  filters: Record<string, string>,
): TrialResultsGapRecord['clocks'] {
  return byEachClock(image, rows, day).map(({ clock, months, share }) => {
    const { gapClock, gapMonths, ...others } = filters;
    const own = {
      ...(clock === GAP_CLOCKS[0] ? {} : { gapClock: clock }),
      ...(String(months) === GAP_MONTHS[0] ? {} : { gapMonths: String(months) }),
    };
    return { clock, months, ...share, queries: listsOf({ ...others, ...own }), note: CLOCK_NOTES[clock] };
  });
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
  const states = registryStates(manifest);
  return REGISTRY_IDS.filter((registry) => registry !== 'clinicaltrials_gov').map((registry) => {
    const isUnknown = states.some((one) => one.registry === registry && one.state === 'unanswered');
    const only = without(intersect([rows, heldBy(registry)]), heldBy('clinicaltrials_gov'));
    return { registry, trials: isUnknown ? null : only.count, why: WHY_NOT_COVERED };
  });
}
