import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readManifest, SnapshotFault, snapshotPath } from './current.ts';

/** In the snapshots directory: a folder for each version that gc removed, with its manifest, the manifest's sum and the stored changes. */
export const REMOVED_DIR = 'removed';
/** In the folder of a removed version: when it was removed. Absent where it was removed before this was recorded. */
export const REMOVAL_FILE = 'removal.json';

const removalSchema = z.strictObject({ removedAt: z.iso.datetime() });
export type Removal = z.infer<typeof removalSchema>;

/** Where the manifest of a removed version is kept. Throws SnapshotFault for any name but a version. */
export function removedPath(snapshotsDir: string, version: string): string {
  return snapshotPath(join(snapshotsDir, REMOVED_DIR), version);
}

/** Says of a version that it was removed, and when. */
export function removedWords({ version, removedAt }: { version: string; removedAt: string | null }): string {
  return `The version ${version} was removed${removedAt === null ? '' : ` on ${removedAt}`}`;
}

/** Throws SnapshotFault where the version is not there; says of one that gc removed when, and what is kept. */
export async function assertHeld(snapshotsDir: string, version: string): Promise<void> {
  const isThere = await stat(snapshotPath(snapshotsDir, version)).catch(() => null);
  if (isThere !== null) return;
  const dir = removedPath(snapshotsDir, version);
  const kept = await readManifest(dir).catch(() => null);
  if (kept === null)
    throw new SnapshotFault(
      'missing',
      `there is no snapshot ${version} in ${snapshotsDir}; \`pipeline list\` names those that are there`,
    );
  const removed = removedWords({ version, removedAt: await readRemovedAt(dir) });
  throw new SnapshotFault(
    'missing',
    `${removed} by gc; its manifest and its changes are kept: \`pipeline show ${version}\` prints them, and \`pipeline list\` names the versions whose files are there`,
  );
}

/** When the version was removed whose manifest `dir` keeps; null when that is not recorded, or not readable. */
export async function readRemovedAt(dir: string): Promise<string | null> {
  const text = await readFile(join(dir, REMOVAL_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return removalSchema.parse(JSON.parse(text)).removedAt;
  } catch {
    return null;
  }
}
