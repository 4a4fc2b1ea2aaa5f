import { PRESENTATION_PARAMETERS, trialFilterParameters } from '../contract/operations/trials.ts';
import type { RegistryAnswer } from '../contract/schemas/registry-answer.ts';
import type { RequestContext } from '../server-kit/mount.ts';
import { askedCountry } from '../snapshot-format/countries.ts';
import type { RegistrySources } from '../snapshot-format/registry-sources.ts';
import type { ServedManifest } from './snapshot/publication-trust.ts';
import { isWorldwide, standings } from './standing.ts';

const HONESTY = [
  'Deduplication is by identifiers only: two registrations that share none and name neither are still two trials.',
  'Per-registry totals must not be added; the distinct count comes from /api/v1/trials/coverage.',
  'A count is worldwide only when provenance.worldwide is true and degraded is not.',
  'Registry metadata only: no patient-level data, no clinical advice, no ranking of promise.',
];
const MODALITY_HONESTY =
  'Modality is inferred at query time by a reviewed vocabulary and is no registry fact: a label can be wrong or lacking, so quote the vocabulary and the matched terms with it.';

/** `_meta` of every answer from a snapshot: filters, provenance, freshness, snapshot. */
export function trialMeta(
  manifest: ServedManifest,
  sources: RegistrySources,
  context: RequestContext,
  registryFilter: boolean,
): Record<string, unknown> {
  const all = standings(manifest, sources, context.now);
  const inState = (wanted: RegistryAnswer) =>
    all.filter(({ state }) => state === wanted).map(({ registry }) => registry);
  const [kept, unanswered] = [inState('kept'), inState('unanswered')];
  return {
    snapshot: manifest.version,
    signed: manifest.signed,
    identity: manifest.identity ?? null,
    degraded: all.some((standing) => standing.degraded),
    filters: filtersAsRead(context.applied),
    provenance: {
      corpus: manifest.corpus,
      asOf: manifest.asOf,
      worldwide: isWorldwide(manifest, all, registryFilter),
      registries: all.map(({ registry, state, dataDay }) => ({ registry, state, dataDay })),
      ...(kept.length > 0 ? { kept } : {}),
      ...(unanswered.length > 0 ? { unanswered } : {}),
      dedupMethod: `identifiers only, rules ${manifest.rules.id}`,
      ...(manifest.corpus === 'sample' ? { note: 'Synthetic sample corpus: no record in it is a real trial.' } : {}),
    },
    freshness: all.map(
      ({
        registry,
        state,
        dataDay,
        lastSuccessAt,
        dataTimestamp,
        ageHours,
        complete,
        stale,
        degraded,
        degradedReason,
      }) => ({
        registry,
        state,
        dataDay,
        lastSuccessAt,
        dataTimestamp,
        ageHours,
        complete,
        stale,
        degraded,
        ...(degradedReason === null ? {} : { degradedReason }),
      }),
    ),
    honesty: HONESTY,
  };
}

/** The filters, with each country and each word of a list by the word of this index that it was read as. */
function filtersAsRead(applied: Readonly<Record<string, string>>): Record<string, string> {
  const filters = Object.entries(applied).filter(([name]) => !PRESENTATION_PARAMETERS.includes(name));
  return Object.fromEntries(filters.map(([name, sent]) => [name, readAs(name, sent)]));
}

const COUNTRIES: readonly string[] = ['country', 'siteCountry'];

function readAs(name: string, sent: string): string {
  if (COUNTRIES.includes(name)) return askedCountry(sent) ?? sent;
  if (!Object.hasOwn(trialFilterParameters, name)) return sent;
  const { data } = trialFilterParameters[name as keyof typeof trialFilterParameters].safeParse(sent);
  return Array.isArray(data) ? data.join(',') : sent;
}

/** Adds the vocabulary, for an answer that shows inferred modalities or was filtered by them. */
export function withModality(meta: Record<string, unknown>, vocabulary: string): Record<string, unknown> {
  return {
    ...meta,
    honesty: [...HONESTY, MODALITY_HONESTY],
    derived: {
      modality: {
        vocabulary,
        from: 'names, types and descriptions of the interventions, arms, titles and MeSH terms that the trial shows',
      },
    },
  };
}

/** What a cached answer depends on besides its address: the snapshot, whether it is signed, and which registries are stale or degraded now. */
export function snapshotValidator(manifest: ServedManifest, sources: RegistrySources, now: Date): string {
  const flags = standings(manifest, sources, now).map(
    ({ stale, degraded, lastSuccessAt }) => `${stale}${degraded}${lastSuccessAt}`,
  );
  return `${manifest.version} ${manifest.signed} ${flags.join(' ')}`;
}

export interface Paging {
  page: number;
  pageSize: number;
  totalItems: number;
  returned: number;
}

/** `pagination` and `links` of a paged answer; the next address repeats every known parameter as the caller sent it. */
export function pageLinks(context: RequestContext, paging: Paging): Record<string, unknown> {
  const hasMore = paging.page * paging.pageSize < paging.totalItems;
  const query = new URLSearchParams({ ...context.applied, page: '' });
  const address = (page: number): string => {
    query.set('page', String(page));
    return `${context.baseUrl}${context.path}?${query}`;
  };
  const nextUrl = hasMore ? address(paging.page + 1) : null;
  return {
    pagination: { ...paging, hasMore, nextUrl },
    links: { self: address(paging.page), ...(nextUrl === null ? {} : { next: nextUrl }) },
  };
}
