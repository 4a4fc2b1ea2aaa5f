import type { RegistryId } from '../contract/ids.ts';
import type { CoverageRecord, LandscapeRecord, StatsRecord } from '../contract/schemas/counts.ts';
import type { Manifest } from '../snapshot-format/manifest.ts';
import type { Coverage, Stats } from './search/coverage.ts';
import type { Landscape } from './search/landscape.ts';

/** Whether each registry answered. The image counts only what is held; the manifest says this. */
function states(manifest: Manifest): { registry: RegistryId; state: 'answered' | 'unanswered' }[] {
  return manifest.registries.map(({ registry, state }) => ({ registry, state }));
}

export function coverageReply(counts: Coverage, manifest: Manifest): CoverageRecord {
  const registries = states(manifest);
  const allAnswered = registries.every(({ state }) => state === 'answered');
  return {
    distinct: counts.distinct,
    registries: registries.map(({ registry, state }) => ({
      registry,
      state,
      registrations: state === 'answered' ? counts.registrations[registry] : null,
      exclusive: state === 'answered' ? counts.exclusive[registry] : null,
    })),
    inBoth: allAnswered ? counts.inBoth : null,
    inflation: allAnswered ? counts.inflation : null,
    crossReferences: counts.crossReferences,
  };
}

const UNKNOWN_GAP = {
  population: null,
  withResults: null,
  completionNotStated: null,
  withoutResultsAfter12Months: null,
  withoutResultsAfter18Months: null,
};

export function landscapeReply(counts: Landscape, manifest: Manifest): LandscapeRecord {
  const registries = states(manifest);
  const { reportingGap, fieldCompleteness, ...rest } = counts;
  return {
    ...rest,
    reportingGap: registries.map(({ registry, state }) => ({
      registry,
      state,
      ...(state === 'answered' ? reportingGap[registry] : UNKNOWN_GAP),
    })),
    fieldCompleteness: registries.map(({ registry, state }) => ({
      registry,
      state,
      ...(state === 'answered' ? fieldCompleteness[registry] : { registrations: null, fields: null }),
    })),
  };
}

export function statsReply(counts: Stats, manifest: Manifest): StatsRecord {
  return { corpus: coverageReply(counts.corpus, manifest), topics: counts.topics };
}

/** Fields of a trial that no registration of this registry states. */
export function unpopulatedFields(counts: Landscape, registry: RegistryId): string[] {
  return counts.fieldCompleteness[registry].fields.filter(({ stated }) => stated === 0).map(({ field }) => field);
}
