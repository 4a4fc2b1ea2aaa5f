import { type FACET_OPERATIONS, FACET_VALUES } from '../../contract/operations/trials/trial-facets.ts';
import { FACETS, type Facet, type TrialFacetsRecord } from '../../contract/schemas/trials/trial-facets.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { filtersAsRead } from '../../snapshot/format/filters-as-read.ts';
import { isWholeFor, registryStates } from '../../snapshot/format/registry-answer.ts';
import { foldTerm } from '../../snapshot/format/serving-columns.ts';
import type { FilterQuery } from '../search/filters.ts';
import { countsWithText, type Group, type Grouping, pageOfGroups } from '../search/groupings/grouping.ts';
import { groupingBy } from '../search/groupings/of-trials.ts';
import type { RowSet } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import { answer, type Question } from './answer.ts';

/** A page of the values of a facet; the first of its usual length where nothing is asked. */
interface FacetPage {
  page: number;
  pageSize?: number | undefined;
  text?: string | undefined;
}

type Asked = FilterQuery & FacetPage & { facet?: readonly Facet[] | undefined };
type FacetRecord = TrialFacetsRecord['facets'][number];

export const facetHandlers: Handlers<typeof FACET_OPERATIONS, IndexServices> = {
  'trials-facets': ({ query }, context, services, fail) => {
    refuseWithoutFacet(query, context, fail);
    return answer('facets', { query, context, services, fail }, async (question) => {
      const data = await facetsOf(question);
      const inferred = data.facets.some(({ facet }) => facet === 'modality');
      return { data, inferred, isKept: data.pending.length === 0 };
    });
  },
};

/** A page of several facets at once would mean something else for each. */
function refuseWithoutFacet(query: Asked, { applied }: RequestContext, fail: Fail<'INVALID_PARAM'>): void {
  if (query.facet?.length === 1) return;
  const one = (['page', 'pageSize', 'text'] as const).find((name) => applied[name] !== undefined);
  if (one !== undefined) refuseParameter(one, 'facet beside it, which names the one facet that it is about', fail);
}

async function facetsOf(question: Question<Asked>): Promise<TrialFacetsRecord> {
  const { image, manifest, day, query, rows, context, services, rowsWithout } = question;
  const { modalities } = services;
  const read = filtersAsRead(context.applied);
  const isWhole = isWholeFor(manifest, query.registry);
  const registries = registryStates(manifest);
  const isKnown = (facet: Facet, value: string): boolean =>
    facet === 'registry'
      ? registries.some(({ registry, state }) => registry === value && state !== 'unanswered')
      : isWhole;
  const facets: FacetRecord[] = [];
  // A request that names no facet gets the others at once, instead of waiting for the labels of all trials.
  const isPending = query.facet === undefined && !modalities.isReady(image);
  const pending = FACETS.filter((facet) => facet === 'modality' && isPending);
  for (const facet of query.facet ?? FACETS) {
    if (pending.includes(facet)) continue;
    const grouping = await groupingBy(facet, image, { ...query, asOfDay: day }, modalities);
    const others = await rowsWithout(grouping.own);
    const counted = await rowsWithout([...grouping.own, ...(grouping.applied ?? [])]);
    const { values, ...counts } = countFacet(facet, grouping, counted, query);
    facets.push({
      facet,
      basis: facet === 'modality' ? 'derived' : 'registry',
      exclusive: grouping.exclusive,
      own: [...grouping.own],
      trials: others.count,
      values: values.map((one) => ({
        ...one,
        trials: one.trials === 0 && !isKnown(facet, one.value) ? null : one.trials,
        applied: one.query !== null && Object.entries(one.query).every(([name, value]) => asksFor(read, name, value)),
      })),
      ...counts,
    });
  }
  return { asOf: manifest.asOf, trials: rows.count, registries, facets, pending };
}

/** More countries than there are. */
const ALL = 1000;

/** Counts the values of a facet among `rows`, found without the filters that it replaces or applies. */
export function countFacet(
  facet: Facet,
  grouping: Grouping,
  rows: RowSet,
  { page, pageSize, text }: FacetPage,
): { values: (Group & { trials: number })[] } & Pick<FacetRecord, 'total' | 'others'> {
  const { exclusive, order } = grouping;
  const all = grouping.count(rows);
  const counts = text === undefined ? all : countsWithText(grouping, all, text);
  const limit = pageSize ?? (order !== 'count' || facet === 'country' ? ALL : FACET_VALUES);
  const { numbers, total } = pageOfGroups(grouping, counts, counts, { page, pageSize: limit, isWhole: true });
  const values = numbers.map((number) => ({ ...grouping.group(number), trials: counts[number] as number }));
  const further = total - values.length;
  const sum = (of: Iterable<number>): number => [...of].reduce((so, count) => so + count, 0);
  const furtherTrials = exclusive ? sum(counts) - sum(values.map(({ trials }) => trials)) : null;
  return { values, total, others: further > 0 || page > 1 ? { values: further, trials: furtherTrials } : null };
}

/** Whether the request, as it was read, asks for this value. */
function asksFor(read: Readonly<Record<string, string>>, name: string, value: string): boolean {
  const asked = read[name];
  if (asked === undefined) return false;
  const { data } = trialFilterParameters[name as keyof typeof trialFilterParameters].safeParse(asked);
  return Array.isArray(data) ? (data as string[]).includes(value) : foldTerm(asked) === foldTerm(value);
}
