import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CurrentFault,
  readCurrentManifest,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../../snapshot/format/versions/current.ts';
import { changeFiles, type Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { FILES_FILE, MANIFEST_FILE, RUN_FILE } from '../../../snapshot/format/versions/own-files.ts';
import { REMOVAL_FILE, REMOVED_DIR, type Removal, removedPath } from '../../../snapshot/format/versions/removed.ts';
import { readState } from '../../../snapshot/format/versions/state.ts';
import type { Effects } from '../../effects.ts';
import { unfinishedPulls } from '../../pull/gather.ts';
import { leftoversIn, updateState } from '../commit.ts';
import { sync } from '../durable.ts';
import { type Retention, retained, type StoredVersion } from './retention.ts';

/** Pins a version that exists, or removes its pin. Returns all pins. The caller holds the pipeline lock. */
export async function setPin(
  snapshotsDir: string,
  version: string,
  isPinned: boolean,
  effects: Effects,
): Promise<string[]> {
  const pins = new Set((await readState(snapshotsDir)).pins);
  if (isPinned) await readManifest(snapshotPath(snapshotsDir, version));
  else if (!pins.has(version))
    throw new SnapshotFault('missing', `${version} is not pinned; \`pipeline list\` shows what is`);
  if (isPinned) pins.add(version);
  else pins.delete(version);
  const sorted = [...pins].sort();
  await updateState(snapshotsDir, { pins: sorted }, effects);
  return sorted;
}

export interface GcReport {
  removed: string[];
  /** Unfinished folders and files of killed runs, removed too. */
  leftovers: string[];
  /** Newest first, with the reasons. */
  kept: { version: string; reasons: string[] }[];
}

/**
 * Removes old snapshots and leaves their manifests, and what killed runs left unfinished. Never removes CURRENT, what is pinned, or what has no manifest that
 * this program can read; leaves everything else whose name is not a version alone. The caller holds the pipeline lock. Throws
 * SnapshotFault, with nothing removed, when CURRENT or the pins do not say what to keep.
 */
export async function gc(
  snapshotsDir: string,
  retention: Retention,
  effects: Effects,
  { dryRun = false } = {},
): Promise<GcReport> {
  if (!Number.isInteger(retention.keep) || retention.keep < 1) {
    throw new Error(`keep must be a whole number from 1, not ${retention.keep}`);
  }
  const current = await servedVersion(snapshotsDir);
  const pins = new Set((await readState(snapshotsDir)).pins);
  const versions = await versionsIn(snapshotsDir);
  const stored: StoredVersion[] = [];
  const unusable: string[] = [];
  for (const version of versions) {
    const manifest = await usableManifest(snapshotPath(snapshotsDir, version));
    if (manifest === null) unusable.push(version);
    else stored.push({ version, contentHash: manifest.contentHash, parent: manifest.parent });
  }
  const reasons = retained(stored, { current, pins }, retention);
  for (const version of unusable) reasons.set(version, ['unusable: look at it, then remove it by hand']);
  const removed = versions.filter((version) => !reasons.has(version));
  const leftovers = [...(await leftoversIn(snapshotsDir)), ...(await unfinishedPulls(snapshotsDir))];
  if (!dryRun) {
    for (const name of leftovers) await rm(join(snapshotsDir, name), { recursive: true, force: true });
    for (const version of removed) await removeVersion(snapshotsDir, version, effects);
  }
  const kept = versions.flatMap((version) => {
    const why = reasons.get(version);
    return why === undefined ? [] : [{ version, reasons: why }];
  });
  return { removed, leftovers, kept };
}

async function servedVersion(snapshotsDir: string): Promise<string | null> {
  try {
    return (await readCurrentManifest(snapshotsDir))?.version ?? null;
  } catch (error) {
    if (!(error instanceof CurrentFault)) throw error;
    throw new SnapshotFault(error.code, `nothing was removed: ${error.message}`);
  }
}

async function usableManifest(dir: string): Promise<Manifest | null> {
  try {
    return await readManifest(dir);
  } catch (error) {
    if (error instanceof SnapshotFault) return null;
    throw error;
  }
}

/** Removes a version and keeps its manifest and changes. The caller holds the pipeline lock. */
export async function removeVersion(snapshotsDir: string, version: string, effects: Effects): Promise<void> {
  await keepManifest(snapshotsDir, version, { removedAt: effects.now().toISOString() });
  await discardVersion(snapshotsDir, version);
}

/** Removes a version with all that it has. */
export async function discardVersion(snapshotsDir: string, version: string): Promise<void> {
  // Renamed first, so that no reader finds a half deleted snapshot.
  const trash = join(snapshotsDir, `.trash-${version}`);
  await rename(snapshotPath(snapshotsDir, version), trash);
  await rm(trash, { recursive: true, force: true });
}

/**
 * Keeps the manifest and the stored changes, so that the chain of changes stays whole. Copied before the version goes; a kill in
 * between leaves both, and the next gc copies again.
 */
async function keepManifest(snapshotsDir: string, version: string, removal: Removal): Promise<void> {
  const source = snapshotPath(snapshotsDir, version);
  const target = removedPath(snapshotsDir, version);
  await mkdir(target, { recursive: true });
  const changes = changeFiles(await readManifest(source)).map(({ path }) => path);
  for (const name of [...changes, RUN_FILE, FILES_FILE, MANIFEST_FILE]) {
    await copyFile(join(source, name), join(target, name));
    await sync(join(target, name));
  }
  await writeFile(join(target, REMOVAL_FILE), `${JSON.stringify(removal)}\n`);
  await sync(join(target, REMOVAL_FILE));
  await sync(target);
  await sync(join(snapshotsDir, REMOVED_DIR));
}
