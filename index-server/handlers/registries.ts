import type { REGISTRY_OPERATIONS } from '../../contract/operations/trials/registries.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { freshnessLayers } from '../freshness.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { unpopulatedFields } from '../search/counting/stated-fields.ts';
import type { IndexServices } from '../services.ts';
import { standings } from '../standing.ts';

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
