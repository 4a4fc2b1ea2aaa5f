import type { RegistryId } from '../contract/ids.ts';
import type { Manifest, ManifestRegistry } from '../snapshot-format/manifest.ts';
import type { RegistrySources } from './sources.ts';

/** How a registry stands at a moment: what it answered, how old that is, and whether it may be relied on. */
export interface RegistryStanding {
  registry: RegistryId;
  state: 'answered' | 'unanswered';
  /** Null when unanswered: unknown, never zero. */
  registrations: number | null;
  lastSuccessAt: string | null;
  dataTimestamp: string | null;
  ageHours: number | null;
  complete: boolean;
  stale: boolean;
  degraded: boolean;
  degradedReason: string | null;
}

const HOUR_MS = 3_600_000;

export function standingOf(registry: ManifestRegistry, promisedHours: number, now: Date): RegistryStanding {
  const ageHours =
    registry.lastSuccessAt === null
      ? null
      : Math.max(0, Math.round(((now.getTime() - Date.parse(registry.lastSuccessAt)) / HOUR_MS) * 10) / 10);
  return {
    registry: registry.registry,
    state: registry.state,
    registrations: registry.registrations,
    lastSuccessAt: registry.lastSuccessAt,
    dataTimestamp: registry.dataTimestamp,
    ageHours,
    complete: registry.complete,
    stale: registry.stale || ageHours === null || ageHours > promisedHours,
    degraded: registry.degraded || registry.state === 'unanswered',
    degradedReason:
      registry.degradedReason ??
      (registry.state === 'unanswered' ? 'the registry never answered; nothing is known of it' : null),
  };
}

export function standings(manifest: Manifest, sources: RegistrySources, now: Date): RegistryStanding[] {
  return manifest.registries.map((registry) => standingOf(registry, sources.of(registry.registry).promisedHours, now));
}

/** True only for real data of every registry, complete and fresh, with no registry filtered out. */
export function isWorldwide(manifest: Manifest, all: readonly RegistryStanding[], registryFilter: boolean): boolean {
  return (
    manifest.corpus === 'registries' &&
    !registryFilter &&
    all.every((standing) => standing.state === 'answered' && standing.complete && !standing.stale && !standing.degraded)
  );
}
