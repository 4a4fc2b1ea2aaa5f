import { FRESHNESS_PROMISE_HOURS } from '../contract/limits-research.ts';
import type { OperationOutput } from '../contract/operation.ts';
import type { getFreshness } from '../contract/operations/registries.ts';
import type { Manifest } from '../snapshot-format/manifest.ts';
import type { ReviewedFile } from './reviewed-data.ts';
import type { IndexServices } from './services.ts';
import { feedStandings } from './signals/feeds.ts';
import type { RegistrySources } from './sources.ts';
import { standings } from './standing.ts';

export type FreshnessLayer = OperationOutput<typeof getFreshness>['layers'][number];

const HOUR_MS = 3_600_000;
const ASKED =
  'Asked when a request needs it, so it has no age of its own and no promise; answers show when it was asked.';
const NOT_ASKED = 'This deployment asks no source of literature: nothing is known of what it says, which is not none.';
const SAMPLE_FILE = 'curated/sample-';

/** Every layer of content with its age and promise: registries, feeds, reviewed data, and what is asked on demand. */
export function freshnessLayers(
  manifest: Manifest,
  { sources, reviewed, literature }: Pick<IndexServices, 'sources' | 'reviewed' | 'literature'>,
  now: Date,
): FreshnessLayer[] {
  const used = reviewed.filter(({ name }) => manifest.corpus === 'sample' || !name.startsWith(SAMPLE_FILE));
  return [
    ...registryLayers(manifest, sources, now),
    ...feedLayers(manifest, now),
    ...used.map((file) => reviewedLayer(file, now)),
    literatureLayer(literature !== null),
  ];
}

function literatureLayer(isAsked: boolean): FreshnessLayer {
  return {
    layer: 'literature',
    kind: 'on-demand',
    lastSuccessAt: null,
    reviewedOn: null,
    ageHours: null,
    promisedHours: null,
    insidePromise: null,
    stale: null,
    degraded: null,
    note: isAsked ? ASKED : NOT_ASKED,
  };
}

function registryLayers(manifest: Manifest, sources: RegistrySources, now: Date): FreshnessLayer[] {
  return standings(manifest, sources, now).map((standing) => {
    const { promisedHours } = sources.of(standing.registry);
    return {
      layer: standing.registry,
      kind: 'registry',
      lastSuccessAt: standing.lastSuccessAt,
      reviewedOn: null,
      ageHours: standing.ageHours,
      promisedHours,
      insidePromise: isInside(standing.ageHours, promisedHours),
      stale: standing.stale,
      degraded: standing.degraded,
      note: standing.degradedReason,
    };
  });
}

function feedLayers(manifest: Manifest, now: Date): FreshnessLayer[] {
  const promisedHours = FRESHNESS_PROMISE_HOURS.signals;
  const common = { kind: 'feed', reviewedOn: null, promisedHours } as const;
  const feeds = feedStandings(manifest, now);
  if (feeds.length === 0) {
    const nothing = { lastSuccessAt: null, ageHours: null, insidePromise: false, stale: true, degraded: true };
    return [{ ...common, layer: 'feeds', ...nothing, note: 'This snapshot was made of no feed.' }];
  }
  return feeds.map(({ feed, state, lastSuccessAt, ageHours, stale, reason }) => ({
    ...common,
    layer: `feed/${feed}`,
    lastSuccessAt,
    ageHours,
    insidePromise: isInside(ageHours, promisedHours),
    stale,
    degraded: state === 'unanswered',
    note: reason,
  }));
}

/** Reviewed data is as old as its review: curated items have one promise, rules the day of their next review. */
function reviewedLayer({ name, kind, reviewedOn, nextReviewOn }: ReviewedFile, now: Date): FreshnessLayer {
  const ageHours = hoursBetween(Date.parse(reviewedOn), now.getTime());
  const untilNext = nextReviewOn === null ? null : hoursBetween(Date.parse(reviewedOn), Date.parse(nextReviewOn));
  const promisedHours = kind === 'curated' ? FRESHNESS_PROMISE_HOURS.curated : untilNext;
  const insidePromise = promisedHours === null ? null : isInside(ageHours, promisedHours);
  return {
    layer: name,
    kind,
    lastSuccessAt: null,
    reviewedOn,
    ageHours,
    promisedHours,
    insidePromise,
    stale: insidePromise === null ? null : !insidePromise,
    degraded: null,
    note: promisedHours === null ? 'No day is set for the next review, so nothing is promised.' : null,
  };
}

function isInside(ageHours: number | null, promisedHours: number): boolean {
  return ageHours !== null && ageHours <= promisedHours;
}

/** Never negative: a review is dated by its day, which begins before or after ours. */
function hoursBetween(from: number, to: number): number {
  return Math.max(0, Math.round(((to - from) / HOUR_MS) * 10) / 10);
}
