import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { snapshotPath } from './current.ts';

/** In the snapshots directory: a folder for each version that gc removed, with its manifest and the manifest's sum. */
export const REMOVED_DIR = 'removed';
/** In the folder of a removed version: when it was removed. Absent where it was removed before this was recorded. */
export const REMOVAL_FILE = 'removal.json';

const removalSchema = z.strictObject({ removedAt: z.iso.datetime() });
export type Removal = z.infer<typeof removalSchema>;

/** Where the manifest of a removed version is kept. Throws SnapshotFault for any name but a version. */
export function removedPath(snapshotsDir: string, version: string): string {
  return snapshotPath(join(snapshotsDir, REMOVED_DIR), version);
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
