import type { FACET_OPERATIONS } from '../../contract/operations/trials/trial-facets.ts';
import { FACETS, type Facet, type TrialFacetsRecord } from '../../contract/schemas/trials/trial-facets.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { filtersAsRead } from '../../snapshot/format/filters-as-read.ts';
import { foldTerm } from '../../snapshot/format/serving-columns.ts';
import { isWholeFor, registryStates } from '../present-counts.ts';
import { countFacet, type FacetCounts, type FacetPage } from '../search/counting/facets.ts';
import type { FilterQuery } from '../search/filters.ts';
import { groupingBy } from '../search/groupings/of-trials.ts';
import type { IndexServices } from '../services.ts';
import { answer, type Question } from './answer.ts';

type Asked = FilterQuery & FacetPage & { facet?: readonly Facet[] | undefined };

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
  const hasAnswered = (value: string): boolean =>
    registries.some(({ registry, state }) => registry === value && state !== 'unanswered');
  const facets: TrialFacetsRecord['facets'] = [];
  // A request that names no facet gets the others at once, instead of waiting for the labels of all trials.
  const pending = FACETS.filter(
    (facet) => facet === 'modality' && query.facet === undefined && !modalities.isReady(image),
  );
  for (const facet of query.facet ?? FACETS) {
    if (pending.includes(facet)) continue;
    const grouping = await groupingBy(facet, image, { ...query, asOfDay: day }, modalities);
    const others = await rowsWithout(grouping.own);
    const counted = await rowsWithout([...grouping.own, ...(grouping.applied ?? [])]);
    const counts = countFacet(facet, grouping, { rows: counted, trials: others.count }, query);
    facets.push({
      facet,
      basis: facet === 'modality' ? 'derived' : 'registry',
      ...presented(counts, query, facet === 'registry' ? hasAnswered : () => isWhole, read),
    });
  }
  return { asOf: manifest.asOf, trials: rows.count, registries, facets, pending };
}

function presented(
  { own, exclusive, trials, values, total, furtherTrials }: FacetCounts,
  { page }: FacetPage,
  isKnown: (value: string) => boolean,
  read: Readonly<Record<string, string>>,
): Omit<TrialFacetsRecord['facets'][number], 'facet' | 'basis'> {
  const others = total - values.length;
  return {
    exclusive,
    own: [...own],
    trials,
    values: values.map((one) => ({
      ...one,
      trials: one.trials === 0 && !isKnown(one.value) ? null : one.trials,
      applied: one.query !== null && Object.entries(one.query).every(([name, value]) => asksFor(read, name, value)),
    })),
    total,
    others: others > 0 || page > 1 ? { values: others, trials: furtherTrials } : null,
  };
}

/** Whether the request, as it was read, asks for this value. */
function asksFor(read: Readonly<Record<string, string>>, name: string, value: string): boolean {
  const asked = read[name];
  if (asked === undefined) return false;
  const { data } = trialFilterParameters[name as keyof typeof trialFilterParameters].safeParse(asked);
  return Array.isArray(data) ? (data as string[]).includes(value) : foldTerm(asked) === foldTerm(value);
}
