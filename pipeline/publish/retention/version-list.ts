import { join } from 'node:path';
import type { RegistryId } from '../../../contract/ids.ts';
import {
  isServed,
  quickDamage,
  readCurrentManifest,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { REMOVED_DIR, readRemovedAt, removedPath } from '../../../snapshot/format/versions/removed.ts';
import { asChecked, readHold, readLastCheck, readState, type State } from '../../../snapshot/format/versions/state.ts';

/** A snapshot in a list. */
export interface SnapshotSummary {
  version: string;
  current: boolean;
  pinned: boolean;
  /** Since when `pipeline current` holds it; null where it does not. */
  heldSince: string | null;
  /** Registries that are missing in it or kept from before, as its last check found them. */
  degraded: RegistryId[];
  /** When a run last found its content unchanged; null when none has since it was published. */
  checkedAt: string | null;
  /** Null when the manifest cannot be used; `problem` says why. */
  manifest: Manifest | null;
  /** What differs from what was published, as far as sizes and the manifest's sum show; null when nothing does. */
  problem: string | null;
}

export interface VersionList {
  /** The version that is served; null when nothing was published yet, or when `problem` says what is wrong. */
  current: string | null;
  /** What is wrong with CURRENT or with the note of a hold, and how to mend it; else null. */
  problem: string | null;
  /** Every directory with a version's name, newest first. */
  snapshots: SnapshotSummary[];
  /** Versions that gc removed and whose manifests are kept, newest first. */
  removed: string[];
}

export async function list(snapshotsDir: string): Promise<VersionList> {
  const problems: string[] = [];
  const noted = (error: unknown): null => {
    if (!(error instanceof SnapshotFault)) throw error;
    problems.push(error.message);
    return null;
  };
  const current = (await readCurrentManifest(snapshotsDir).catch(noted))?.version ?? null;
  const snapshots = await summariesOf(snapshotsDir, current, (await readState(snapshotsDir).catch(noted)) ?? {});
  const removed = (await versionsIn(join(snapshotsDir, REMOVED_DIR))).filter((version) =>
    snapshots.every((one) => one.version !== version),
  );
  return { current, problem: problems[0] ?? null, snapshots, removed };
}

async function summariesOf(
  snapshotsDir: string,
  current: string | null,
  { pins = [], hold, lastCheck }: State,
): Promise<SnapshotSummary[]> {
  const summaries: SnapshotSummary[] = [];
  for (const version of await versionsIn(snapshotsDir)) {
    const isCurrent = version === current;
    const head = {
      version,
      current: isCurrent,
      pinned: pins.includes(version),
      heldSince: isCurrent && hold?.version === version ? hold.since : null,
      checkedAt: lastCheck?.version === version ? lastCheck.checkedAt : null,
    };
    try {
      const dir = snapshotPath(snapshotsDir, version);
      const manifest = await readManifest(dir);
      const { registries } = asChecked(manifest, lastCheck ?? null);
      const degraded = registries.filter((one) => one.degraded).map(({ registry }) => registry);
      summaries.push({ ...head, degraded, manifest, problem: await quickDamage(dir) });
    } catch (error) {
      if (!(error instanceof SnapshotFault)) throw error;
      summaries.push({ ...head, degraded: [], manifest: null, problem: error.message });
    }
  }
  return summaries;
}

/** A manifest, whether and when gc has removed its snapshot, when a run last found its content unchanged, and its hold. */
export type StatedManifest = Manifest & {
  removed?: true;
  removedAt?: string | null;
  checkedAt?: string;
  /** Since when `pipeline current` holds it, although a newer version is sound. */
  heldSince?: string;
};

/** The manifest of one snapshot, also of a removed one. Throws SnapshotFault when it is absent or unusable. */
export async function show(snapshotsDir: string, version: string): Promise<StatedManifest> {
  try {
    const manifest = await readManifest(snapshotPath(snapshotsDir, version));
    const check = await readLastCheck(snapshotsDir, version);
    const hold = (await isServed(snapshotsDir, version)) ? await readHold(snapshotsDir, version) : null;
    return {
      ...manifest,
      ...(check === null ? {} : { checkedAt: check.checkedAt }),
      ...(hold === null ? {} : { heldSince: hold.since }),
    };
  } catch (error) {
    if (!(error instanceof SnapshotFault && error.code === 'missing')) throw error;
    const dir = removedPath(snapshotsDir, version);
    const removed = await readManifest(dir).catch(() => null);
    if (removed === null) throw error;
    return { ...removed, removed: true, removedAt: await readRemovedAt(dir) };
  }
}
