import type { RegistryId } from '../contract/ids.ts';
import type { CoverageRecord, LandscapeRecord, StatsRecord } from '../contract/schemas/trials/counts.ts';
import type { RegistryAnswer } from '../contract/schemas/trials/registry-answer.ts';
import { basisOf } from '../snapshot/format/registry-answer.ts';
import type { Manifest } from '../snapshot/format/versions/manifest.ts';
import type { DataEnd } from './data-ends.ts';
import type { Coverage, Stats } from './search/counting/coverage.ts';
import type { Landscape } from './search/counting/landscape.ts';

interface RegistryState {
  registry: RegistryId;
  state: RegistryAnswer;
  dataDay: string | null;
}

/** What stands behind each registry's counts. The image counts only what is held; the manifest says this. */
export function registryStates(manifest: Manifest): RegistryState[] {
  return manifest.registries.map((held) => {
    const { answer, dataDay } = basisOf(held, manifest);
    return { registry: held.registry, state: answer, dataDay };
  });
}

/** Whether a zero is one: every registry that the query covers answered. */
export function isWholeFor(manifest: Manifest, registries: readonly string[] | undefined): boolean {
  return registryStates(manifest).every(
    ({ registry, state }) => state !== 'unanswered' || registries?.includes(registry) === false,
  );
}

export function coverageReply(counts: Coverage, manifest: Manifest): CoverageRecord {
  const registries = registryStates(manifest);
  const allHeld = registries.every(({ state }) => state !== 'unanswered');
  return {
    distinct: counts.distinct,
    registries: registries.map(({ registry, state, dataDay }) => ({
      registry,
      state,
      dataDay,
      registrations: state === 'unanswered' ? null : counts.registrations[registry],
      exclusive: state === 'unanswered' ? null : counts.exclusive[registry],
    })),
    inBoth: allHeld ? counts.inBoth : null,
    inflation: allHeld ? counts.inflation : null,
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

export function landscapeReply(counts: Landscape, manifest: Manifest, ends: readonly DataEnd[]): LandscapeRecord {
  const registries = registryStates(manifest);
  const { momentum, reportingGap, fieldCompleteness, ...rest } = counts;
  const ended = ends.every(({ early }) => early === null);
  return {
    asOf: manifest.asOf,
    ...rest,
    momentum: momentum.map((window) => ({ ...window, ended })),
    reportingGap: registries.map(({ registry, state }) => ({
      registry,
      state,
      ...(state === 'unanswered' ? UNKNOWN_GAP : reportingGap[registry]),
    })),
    fieldCompleteness: registries.map(({ registry, state }) => ({
      registry,
      state,
      ...(state === 'unanswered' ? { registrations: null, fields: null } : fieldCompleteness[registry]),
    })),
  };
}

export function statsReply(counts: Stats, manifest: Manifest): StatsRecord {
  return { corpus: coverageReply(counts.corpus, manifest), topics: counts.topics };
}
