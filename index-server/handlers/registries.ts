import { FRESHNESS_PROMISE_HOURS } from '../../contract/limits/research.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import type { getFreshness, REGISTRY_OPERATIONS } from '../../contract/operations/trials/registries.ts';
import { DUMP_DAY_FROM } from '../../contract/schemas/trials/registry-answer.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import type { RegistrySources } from '../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import type { ReviewedFile } from '../reviewed-data.ts';
import { unpopulatedFields } from '../search/counting/stated-fields.ts';
import type { IndexServices } from '../services.ts';
import { feedStandings } from '../signals/meta.ts';
import { hoursBetween, type RegistryStanding, standings } from '../standing.ts';

export const registryHandlers: Handlers<typeof REGISTRY_OPERATIONS, IndexServices> = {
  sources: (_input, context, { holder, sources }, fail) => {
    using lease = holder.acquire() ?? fail('SOURCES_UNAVAILABLE');
    const { image, manifest } = lease;
    const held = new Map(manifest.registries.map((registry) => [registry.registry, registry]));
    return {
      data: {
        sources: standings(manifest, sources, context.now).map((standing) => {
          const { promisedHours: _promised, ...source } = sources.of(standing.registry);
          const { quarantined, superseded, source: read } = held.get(standing.registry)!;
          const unpopulated = standing.state === 'unanswered' ? null : unpopulatedFields(image, standing.registry);
          return { ...source, ...standing, source: read, quarantined, superseded, unpopulatedFields: unpopulated };
        }),
        excluded: sources.excluded,
        snapshot: {
          version: manifest.version,
          createdAt: manifest.createdAt,
          asOf: manifest.asOf,
          contentHash: manifest.contentHash,
          corpus: manifest.corpus,
          dedupRules: manifest.rules.id,
        },
      },
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },

  freshness: (_input, context, { holder, sources, reviewed, literature }, fail) => {
    using lease = holder.acquire() ?? fail('SOURCES_UNAVAILABLE');
    const { manifest } = lease;
    const layers = freshnessLayers(manifest, { sources, reviewed, literature }, context.now);
    return {
      data: { layers, snapshotCreatedAt: manifest.createdAt },
      meta: trialMeta(manifest, sources, context, false),
    };
  },
};

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
    { layer: 'literature', kind: 'on-demand', ...NOTHING, note: literature === null ? NOT_ASKED : ASKED },
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
      ...{ layer: registry, kind: 'registry', ...NOTHING, state, dataDay, lastSuccessAt, ageHours, promisedHours },
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
  const common = { kind: 'feed', ...NOTHING, promisedHours } as const;
  const feeds = feedStandings(manifest, now);
  if (feeds.length === 0) {
    const note = 'This snapshot was made without feeds.';
    return [{ layer: 'feeds', ...common, insidePromise: false, stale: true, degraded: true, note }];
  }
  return feeds.map(({ feed, state, lastSuccessAt, ageHours, stale, reason }) => ({
    ...{ layer: `feed/${feed}`, ...common, lastSuccessAt, ageHours, stale, note: reason },
    insidePromise: isInside(ageHours, promisedHours),
    degraded: state === 'unanswered',
  }));
}

/** A reviewed file is as old as its review. Curated items have one promise; rules have the day of their next review. */
function reviewedLayer({ name, kind, reviewedOn, nextReviewOn }: ReviewedFile, now: Date): FreshnessLayer {
  const ageHours = hoursBetween(Date.parse(reviewedOn), now.getTime());
  const untilNext = nextReviewOn === null ? null : hoursBetween(Date.parse(reviewedOn), Date.parse(nextReviewOn));
  const promisedHours = kind === 'curated' ? FRESHNESS_PROMISE_HOURS.curated : untilNext;
  const reviewed = { layer: name, kind, ...NOTHING, reviewedOn, ageHours, promisedHours };
  if (promisedHours === null)
    return { ...reviewed, note: 'No day is set for the next review, so nothing is promised.' };
  const insidePromise = isInside(ageHours, promisedHours);
  return { ...reviewed, insidePromise, stale: !insidePromise };
}

function isInside(ageHours: number | null, promisedHours: number): boolean {
  return ageHours !== null && ageHours <= promisedHours;
}
