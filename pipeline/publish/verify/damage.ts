import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  quickDamage,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../../snapshot/format/versions/current.ts';
import { type Manifest, SNAPSHOT_TABLES, snapshotFiles } from '../../../snapshot/format/versions/manifest.ts';
import { type FileSum, sumFile } from '../durable.ts';

/** Paths of the files that are missing or do not have the listed bytes, in the order of the list. Reads every file. */
export async function damagedFiles(dir: string, files: readonly FileSum[]): Promise<string[]> {
  const sizes = await Promise.all(files.map(({ path }) => stat(join(dir, path)).catch(() => null)));
  const whole = files.filter(({ bytes }, index) => sizes[index]?.size === bytes);
  const found = new Map<string, string>();
  for (const { path } of whole) found.set(path, (await sumFile(dir, path)).sha256);
  return files.filter(({ path, sha256 }) => found.get(path) !== sha256).map(({ path }) => path);
}

/** The tables that a run reads of its parent: all but the payloads, which are by far the largest and shared between versions. */
export function comparedFiles({ tables }: Pick<Manifest, 'tables'>): FileSum[] {
  return SNAPSHOT_TABLES.filter((table) => table !== 'raw').flatMap((table) => tables[table].files);
}

/**
 * The newest other version whose sizes are as published and whose files have their hashes; null when none has. By default every
 * file is read, as `pipeline current` does before it serves a version: part files are shared, so damage may be in several.
 */
export async function newestOtherSound(
  snapshotsDir: string,
  version: string,
  filesOf: (manifest: Manifest) => FileSum[] = snapshotFiles,
): Promise<Manifest | null> {
  for (const other of await versionsIn(snapshotsDir)) {
    if (other === version) continue;
    const manifest = await soundManifest(snapshotPath(snapshotsDir, other), filesOf);
    if (manifest !== null) return manifest;
  }
  return null;
}

async function soundManifest(dir: string, filesOf: (manifest: Manifest) => FileSum[]): Promise<Manifest | null> {
  try {
    if ((await quickDamage(dir)) !== null) return null;
    const manifest = await readManifest(dir);
    return (await damagedFiles(dir, filesOf(manifest))).length === 0 ? manifest : null;
  } catch (error) {
    if (error instanceof SnapshotFault) return null;
    throw error;
  }
}
