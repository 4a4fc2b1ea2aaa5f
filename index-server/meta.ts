import type { RegistryAnswer } from '../contract/schemas/trials/registry-answer.ts';
import { STANDING_HONESTY } from '../contract/standing-honesty.ts';
import { writtenOnce } from '../server-kit/answer/written-json.ts';
import type { RequestContext } from '../server-kit/mount.ts';
import { filtersAsRead } from '../snapshot/format/filters-as-read.ts';
import { partsHeld } from '../snapshot/format/registry-answer.ts';
import type { RegistrySources } from '../snapshot/format/registry-sources.ts';
import type { Manifest } from '../snapshot/format/versions/manifest.ts';
import type { ServedManifest } from './snapshot/publication-trust.ts';
import { isWorldwide, type RegistryStanding, standings } from './standing.ts';

const HONESTY = writtenOnce([...STANDING_HONESTY.trials]);
const MODALITY_HONESTY =
  'Modality is inferred at query time by a reviewed vocabulary and is no registry fact: a label can be wrong or lacking, so quote the vocabulary and the matched terms with it.';
const HONESTY_WITH_MODALITY = writtenOnce([...HONESTY, MODALITY_HONESTY]);

/** `_meta` of every answer from a snapshot: filters, provenance, freshness, snapshot. */
export function trialMeta(
  manifest: ServedManifest,
  sources: RegistrySources,
  context: RequestContext,
  registryFilter: boolean,
): Record<string, unknown> {
  const shown = shownOf(manifest, sources, context.now);
  return {
    snapshot: manifest.version,
    signed: manifest.signed,
    identity: manifest.identity,
    degraded: shown.degraded,
    filters: filtersAsRead(context.applied),
    provenance: registryFilter ? shown.provenanceOfSome : shown.provenance,
    freshness: shown.freshness,
    honesty: HONESTY,
  };
}

/** State of the registries as answers show it, written once until one of their ages changes. */
interface Shown {
  validator: string;
  ages: string;
  degraded: boolean;
  provenance: Record<string, unknown>;
  /** With a registry filtered out. */
  provenanceOfSome: Record<string, unknown>;
  freshness: Record<string, unknown>[];
}

const lastShown = new WeakMap<Manifest, Shown>();

function shownOf(manifest: Manifest, sources: RegistrySources, now: Date): Shown {
  const all = standings(manifest, sources, now);
  const validator = all.map(({ stale, degraded, lastSuccessAt }) => `${stale}${degraded}${lastSuccessAt}`).join(' ');
  const ages = all.map(({ ageHours }) => ageHours).join(' ');
  const known = lastShown.get(manifest);
  if (known?.ages === ages && known.validator === validator) return known;
  const made = {
    ...{ validator, ages },
    degraded: all.some((standing) => standing.degraded),
    provenance: writtenOnce(provenanceOf(manifest, all, false)),
    provenanceOfSome: writtenOnce(provenanceOf(manifest, all, true)),
    freshness: writtenOnce(all.map(freshnessOf)),
  };
  lastShown.set(manifest, made);
  return made;
}

function provenanceOf(
  manifest: Manifest,
  all: readonly RegistryStanding[],
  registryFilter: boolean,
): Record<string, unknown> {
  const inState = (wanted: RegistryAnswer) =>
    all.filter(({ state }) => state === wanted).map(({ registry }) => registry);
  const held = partsHeld(manifest);
  const [kept, unanswered] = [inState('kept'), inState('unanswered')];
  return {
    corpus: manifest.corpus,
    asOf: manifest.asOf,
    worldwide: isWorldwide(manifest, all, registryFilter),
    registries: all.map(({ registry, state, dataDay }) => ({ registry, state, dataDay })),
    ...(held.length > 0 ? { held } : {}),
    ...(kept.length > 0 ? { kept } : {}),
    ...(unanswered.length > 0 ? { unanswered } : {}),
    dedupMethod: `identifiers only, rules ${manifest.rules.id}`,
    ...(manifest.corpus === 'sample' ? { note: 'Synthetic sample corpus: no record in it is a real trial.' } : {}),
  };
}

function freshnessOf({ registrations: _registrations, degradedReason, ...standing }: RegistryStanding) {
  return { ...standing, ...(degradedReason === null ? {} : { degradedReason }) };
}

/** Adds the vocabulary, for an answer that shows inferred modalities or was filtered by them. */
export function withModality(meta: Record<string, unknown>, vocabulary: string): Record<string, unknown> {
  return {
    ...meta,
    honesty: HONESTY_WITH_MODALITY,
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
  const { validator } = shownOf(manifest, sources, now);
  return `${manifest.version} ${manifest.signed} ${validator}`;
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
  const address = (page: number): string =>
    `${context.baseUrl}${context.path}?${new URLSearchParams({ ...context.applied, page: String(page) })}`;
  const nextUrl = hasMore ? address(paging.page + 1) : null;
  return {
    pagination: { ...paging, hasMore, nextUrl },
    links: { self: address(paging.page), ...(nextUrl === null ? {} : { next: nextUrl }) },
  };
}
