import { REGISTRY_NAMES } from '../../contract/fields/value-names.ts';
import type { RegistryId } from '../../contract/ids.ts';
import type { RegistryAnswer } from '../../contract/schemas/trials/registry-answer.ts';
import type { Manifest, ManifestRegistry } from './versions/manifest.ts';

/** How a registry stands in a snapshot. */
export interface RegistryBasis {
  answer: RegistryAnswer;
  /** When its data was last known to be as held; null when unanswered. */
  evidenceAt: string | null;
  /** Day of its data, YYYY-MM-DD; null when unanswered. */
  dataDay: string | null;
  /** Whether a live sweep read as many records as the registry counts. */
  complete: boolean;
}

/** Older manifests lack `dumpDay` and could call a dump complete; they are read as this program would write them. */
export function basisOf(registry: ManifestRegistry, { asOf }: Pick<Manifest, 'asOf'>): RegistryBasis {
  const evidenceAt = evidenceOf(registry, asOf);
  return {
    answer: registry.state === 'answered' && registry.stale ? 'kept' : registry.state,
    evidenceAt,
    dataDay: evidenceAt === null ? null : (registry.dataTimestamp ?? evidenceAt).slice(0, 10),
    complete: registry.complete && registry.source === 'live',
  };
}

/** A dump without a day of its own is at most as young as the snapshot's day, which follows from the newest update. */
function evidenceOf({ source, dumpDay, lastSuccessAt }: ManifestRegistry, asOf: string): string | null {
  if (lastSuccessAt === null || source === 'live' || dumpDay !== undefined) return lastSuccessAt;
  const latest = `${asOf}T00:00:00.000Z`;
  return lastSuccessAt < latest ? lastSuccessAt : latest;
}

/** Of each registry that is not known to be held whole, how much of it is held: a part must not read like all of it. */
export function partsHeld(manifest: Pick<Manifest, 'corpus' | 'asOf' | 'registries'>): string[] {
  if (manifest.corpus === 'sample') return [];
  return manifest.registries.flatMap((one) => {
    const { registry, registrations, expectedRecords: total, source } = one;
    if (registrations === null || basisOf(one, manifest).complete) return [];
    const held = `${REGISTRY_NAMES[registry]}: ${registrations} records`;
    if (total !== null) return [`${held} of the registry's own total of ${total}`];
    return [
      `${held}, part of the registry: ${source === 'dump' ? 'loaded from a dump' : 'it was not read to its end'}`,
    ];
  });
}

export interface RegistryState {
  registry: RegistryId;
  state: RegistryAnswer;
  dataDay: string | null;
}

/** What the counts of each registry rest on: an image counts only what is held, and the manifest says whether that is all. */
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
