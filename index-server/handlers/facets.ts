import type { FACET_OPERATIONS } from '../../contract/operations/trials/trial-facets.ts';
import { FACETS, type TrialFacetsRecord } from '../../contract/schemas/trials/trial-facets.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { filtersAsRead } from '../../snapshot/format/filters-as-read.ts';
import { foldTerm } from '../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { snapshotValidator, withModality } from '../meta.ts';
import type { Modalities } from '../modality/modalities.ts';
import { isWholeFor, registryStates } from '../present-counts.ts';
import { countFacet, type FacetCounts, type FacetPage, facetGrouping } from '../search/counting/facets.ts';
import type { FilterQuery } from '../search/filters.ts';
import { ImageCache, KEPT_COUNTS } from '../search/image-cache.ts';
import { matchingRows } from '../search/matching.ts';
import type { RowSet } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { withNotices } from './search-order.ts';
import { filtersOf, helpOf, metaOf, validatorOf } from './trials.ts';

const kept = new ImageCache<TrialFacetsRecord>(KEPT_COUNTS);

type Lease = { image: SnapshotImage; manifest: Manifest };
type Asked = FilterQuery & FacetPage & { facet?: readonly (typeof FACETS)[number][] | undefined };

export const facetHandlers: Handlers<typeof FACET_OPERATIONS, IndexServices> = {
  'trials-facets': async ({ query }, context, { holder, sources, modalities, keptFromTrials }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    refuseWithoutFacet(query, context, fail);
    const asked = await filtersOf(lease, query, modalities, fail);
    const rows = matchingRows(image, asked.compiled);
    const key = JSON.stringify([modalities.vocabulary, context.applied]);
    const data = kept.get(image, key) ?? (await facetsOf(lease, query, rows, { context, modalities, fail }));
    if (rows.count >= keptFromTrials && data.pending.length === 0) kept.set(image, key, data);
    const inferred = query.modality !== undefined || data.facets.some(({ facet }) => facet === 'modality');
    const meta = metaOf(lease, query, asked, context, sources);
    const help = await helpOf(lease, query, rows.count, asked, { context, modalities, fail });
    return {
      data,
      meta: withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, help),
      validator: validatorOf(snapshotValidator(manifest, sources, context.now), inferred, modalities),
    };
  },
};

/** A page of several facets at once would mean something else for each. */
function refuseWithoutFacet(query: Asked, { applied }: RequestContext, fail: Fail<'INVALID_PARAM'>): void {
  if (query.facet?.length === 1) return;
  const one = (['page', 'pageSize', 'text'] as const).find((name) => applied[name] !== undefined);
  if (one !== undefined) refuseParameter(one, 'facet beside it, which names the one facet that it is about', fail);
}

async function facetsOf(
  lease: Lease,
  query: Asked,
  rows: RowSet,
  asking: { context: RequestContext; modalities: Modalities; fail: Fail<'INVALID_PARAM'> },
): Promise<TrialFacetsRecord> {
  const { image, manifest } = lease;
  const { context, modalities, fail } = asking;
  const read = filtersAsRead(context.applied);
  const isWhole = isWholeFor(manifest, query.registry);
  const registries = registryStates(manifest);
  const answered = (value: string): boolean =>
    registries.some(({ registry, state }) => registry === value && state !== 'unanswered');
  const facets: TrialFacetsRecord['facets'] = [];
  // Who names no facet gets the others at once, instead of waiting for the labels of all trials.
  const pending = FACETS.filter(
    (facet) => facet === 'modality' && query.facet === undefined && !modalities.isReady(image),
  );
  for (const facet of query.facet ?? FACETS) {
    if (pending.includes(facet)) continue;
    const grouping = await facetGrouping(facet, image, { ...query, asOfDay: snapshotDay(manifest) }, modalities);
    const others = await rowsWithout(lease, query, grouping.own, rows, { modalities, fail });
    const counted = await rowsWithout(lease, query, [...grouping.own, ...(grouping.applied ?? [])], others, {
      modalities,
      fail,
    });
    const counts = countFacet(facet, grouping, { rows: counted, trials: others.count }, query);
    facets.push({
      facet,
      basis: facet === 'modality' ? 'derived' : 'registry',
      ...presented(counts, query, facet === 'registry' ? answered : () => isWhole, read),
    });
  }
  return { asOf: manifest.asOf, trials: rows.count, registries, facets, pending };
}

/** The trials that are found without some parameters; `rows` are those that are found with them. */
export async function rowsWithout(
  lease: Parameters<typeof filtersOf>[0],
  query: FilterQuery,
  own: readonly string[],
  rows: RowSet,
  { modalities, fail }: { modalities: Modalities; fail: Fail<'INVALID_PARAM'> },
): Promise<RowSet> {
  const given = new Map<string, unknown>(Object.entries(query));
  if (own.every((name) => given.get(name) === undefined)) return rows;
  const without = { ...query, ...Object.fromEntries(own.map((name) => [name, undefined])) };
  return matchingRows(lease.image, (await filtersOf(lease, without, modalities, fail)).compiled);
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
