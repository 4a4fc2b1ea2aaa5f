import { FRESHNESS_PROMISE_HOURS } from '../contract/limits/research.ts';
import type { OperationOutput } from '../contract/operation.ts';
import type { getFreshness } from '../contract/operations/trials/registries.ts';
import { DUMP_DAY_FROM } from '../contract/schemas/trials/registry-answer.ts';
import type { RegistrySources } from '../snapshot/format/registry-sources.ts';
import type { Manifest } from '../snapshot/format/versions/manifest.ts';
import type { ReviewedFile } from './reviewed-data.ts';
import type { IndexServices } from './services.ts';
import { feedStandings } from './signals/meta.ts';
import { hoursBetween, type RegistryStanding, standings } from './standing.ts';

type FreshnessLayer = OperationOutput<typeof getFreshness>['layers'][number];

const ASKED =
  'Read when a request needs it, so it has no age of its own and no promise; answers show when it was read.';
const NOT_ASKED =
  'This deployment asks no source of literature: what the literature says is unknown here, which is not the same as nothing.';
const SAMPLE_FILE = 'curated/sample-';

/** Each source of content with its age and its promise: registries, feeds, reviewed files, and literature. */
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
    { ...NOTHING, layer: 'literature', kind: 'on-demand', note: literature === null ? NOT_ASKED : ASKED },
  ];
}

/** What a layer does not have. */
const NOTHING = {
  state: null,
  dataDay: null,
  lastSuccessAt: null,
  reviewedOn: null,
  ageHours: null,
  promisedHours: null,
  insidePromise: null,
  stale: null,
  degraded: null,
  note: null,
};

function registryLayers(manifest: Manifest, sources: RegistrySources, now: Date): FreshnessLayer[] {
  return standings(manifest, sources, now).map((standing) => {
    const { registry, state, dataDay, lastSuccessAt, ageHours, stale, degraded } = standing;
    const { promisedHours } = sources.of(registry);
    return {
      ...{ ...NOTHING, layer: registry, kind: 'registry', state, dataDay, lastSuccessAt, ageHours, promisedHours },
      ...{ insidePromise: isInside(ageHours, promisedHours), stale, degraded, note: noteOf(standing) },
    };
  });
}

function noteOf({ degradedReason, dumpDay }: RegistryStanding): string | null {
  const dump =
    dumpDay === undefined ? null : `read from a file of the operator; its day is ${DUMP_DAY_FROM[dumpDay.from]}`;
  const notes = [degradedReason, dump].filter((note) => note !== null);
  return notes.length === 0 ? null : notes.join('; ');
}

function feedLayers(manifest: Manifest, now: Date): FreshnessLayer[] {
  const promisedHours = FRESHNESS_PROMISE_HOURS.signals;
  const common = { ...NOTHING, kind: 'feed', promisedHours } as const;
  const feeds = feedStandings(manifest, now);
  if (feeds.length === 0) {
    const note = 'This snapshot was made without feeds.';
    return [{ ...common, layer: 'feeds', insidePromise: false, stale: true, degraded: true, note }];
  }
  return feeds.map(({ feed, state, lastSuccessAt, ageHours, stale, reason }) => ({
    ...{ ...common, layer: `feed/${feed}`, lastSuccessAt, ageHours, stale, note: reason },
    insidePromise: isInside(ageHours, promisedHours),
    degraded: state === 'unanswered',
  }));
}

/** A reviewed file is as old as its review. Curated items have one promise; rules have the day of their next review. */
function reviewedLayer({ name, kind, reviewedOn, nextReviewOn }: ReviewedFile, now: Date): FreshnessLayer {
  const ageHours = hoursBetween(Date.parse(reviewedOn), now.getTime());
  const untilNext = nextReviewOn === null ? null : hoursBetween(Date.parse(reviewedOn), Date.parse(nextReviewOn));
  const promisedHours = kind === 'curated' ? FRESHNESS_PROMISE_HOURS.curated : untilNext;
  const reviewed = { ...NOTHING, layer: name, kind, reviewedOn, ageHours, promisedHours };
  if (promisedHours === null)
    return { ...reviewed, note: 'No day is set for the next review, so nothing is promised.' };
  const insidePromise = isInside(ageHours, promisedHours);
  return { ...reviewed, insidePromise, stale: !insidePromise };
}

function isInside(ageHours: number | null, promisedHours: number): boolean {
  return ageHours !== null && ageHours <= promisedHours;
}
