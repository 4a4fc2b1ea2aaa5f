import type { RegistryId } from '../contract/ids.ts';
import type { RegistryAnswer } from '../contract/schemas/trials/registry-answer.ts';
import { basisOf, type RegistryBasis } from '../snapshot/format/registry-answer.ts';
import type { RegistrySources } from '../snapshot/format/registry-sources.ts';
import type { Manifest, ManifestRegistry } from '../snapshot/format/versions/manifest.ts';

/** State of a registry at one moment: what it answered, how old that is, and whether it is reliable. */
export interface RegistryStanding {
  registry: RegistryId;
  state: RegistryAnswer;
  /** Day of the data that is held; null when unanswered. */
  dataDay: string | null;
  /** Of a dump: its day, and how that is known. */
  dumpDay?: ManifestRegistry['dumpDay'];
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

/** Hours since an instant, to a tenth, or null; never negative, as clocks differ and a date stands for its first instant. */
export function ageOf(instant: string | null, now: Date): number | null {
  return instant === null ? null : hoursBetween(Date.parse(instant), now.getTime());
}

export function hoursBetween(from: number, to: number): number {
  return Math.max(0, Math.round(((to - from) / HOUR_MS) * 10) / 10);
}

function standingOf(
  registry: ManifestRegistry,
  { answer, evidenceAt, dataDay, complete }: RegistryBasis,
  ageHours: number | null,
  promisedHours: number,
): RegistryStanding {
  return {
    registry: registry.registry,
    state: answer,
    dataDay,
    ...(registry.source === 'dump' && registry.dumpDay !== undefined ? { dumpDay: registry.dumpDay } : {}),
    registrations: registry.registrations,
    lastSuccessAt: evidenceAt,
    dataTimestamp: registry.dataTimestamp,
    ageHours,
    complete,
    stale: registry.stale || ageHours === null || ageHours > promisedHours,
    degraded: registry.degraded || registry.state === 'unanswered',
    degradedReason:
      registry.degradedReason ??
      (registry.state === 'unanswered' ? 'the registry never answered; nothing is known of it' : null),
  };
}

interface LastStandings {
  sources: RegistrySources;
  ages: (number | null)[];
  standings: readonly RegistryStanding[];
}

const lastOf = new WeakMap<Manifest, LastStandings>();

/**
 * State of each registry of a snapshot. Time changes nothing but the ages, which are to a tenth of an hour: until one of them changes,
 * the same list is returned, so that what follows from it can be kept.
 */
export function standings(manifest: Manifest, sources: RegistrySources, now: Date): readonly RegistryStanding[] {
  const last = lastOf.get(manifest);
  const bases = manifest.registries.map((registry) => basisOf(registry, manifest));
  const ages = bases.map(({ evidenceAt }) => ageOf(evidenceAt, now));
  if (last?.sources === sources && ages.every((age, place) => age === last.ages[place])) return last.standings;
  const all = manifest.registries.map((registry, place) =>
    standingOf(registry, bases[place]!, ages[place]!, sources.of(registry.registry).promisedHours),
  );
  lastOf.set(manifest, { sources, ages, standings: all });
  return all;
}

/** True only for real data of every registry, complete and fresh, with no registry filtered out. */
export function isWorldwide(manifest: Manifest, all: readonly RegistryStanding[], registryFilter: boolean): boolean {
  return (
    manifest.corpus === 'registries' &&
    !registryFilter &&
    all.every((standing) => standing.state === 'answered' && standing.complete && !standing.stale && !standing.degraded)
  );
}
