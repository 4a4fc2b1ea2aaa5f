import type { RegistryId } from '../contract/ids.ts';
import type { RegistryAnswer } from '../contract/schemas/trials/registry-answer.ts';
import { basisOf } from '../snapshot/format/registry-answer.ts';
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

/** State of each registry of a snapshot, with its age at a time. */
export function standings(manifest: Manifest, sources: RegistrySources, now: Date): RegistryStanding[] {
  return manifest.registries.map((held) => {
    const { registry, source, dumpDay, state, registrations, dataTimestamp } = held;
    const { answer, evidenceAt, dataDay, complete } = basisOf(held, manifest);
    const ageHours = ageOf(evidenceAt, now);
    const isUnanswered = state === 'unanswered';
    return {
      registry,
      state: answer,
      dataDay,
      ...(source === 'dump' && dumpDay !== undefined ? { dumpDay } : {}),
      registrations,
      lastSuccessAt: evidenceAt,
      dataTimestamp,
      ageHours,
      complete,
      stale: held.stale || ageHours === null || ageHours > sources.of(registry).promisedHours,
      degraded: held.degraded || isUnanswered,
      degradedReason: held.degradedReason ?? (isUnanswered ? NEVER_ANSWERED : null),
    };
  });
}

const NEVER_ANSWERED = 'the registry never answered; nothing is known of it';

/** True only for real data of every registry, complete and fresh, with no registry filtered out. */
export function isWorldwide(manifest: Manifest, all: readonly RegistryStanding[], registryFilter: boolean): boolean {
  return (
    manifest.corpus === 'registries' &&
    !registryFilter &&
    all.every((standing) => standing.state === 'answered' && standing.complete && !standing.stale && !standing.degraded)
  );
}
