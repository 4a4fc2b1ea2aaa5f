import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readManifest, SnapshotFault, snapshotPath, versionsIn } from '../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { type SnapshotFileSum, snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { linkOrCopy, sumFile, walk } from '../publish/durable.ts';

/**
 * A version that is being pulled lies in a folder of this name before it, which is laid out as a directory of snapshots: the version
 * and the log beside it. So everything that checks a snapshot in its place checks it there.
 */
const PULL_PREFIX = '.pull-';
/** Ends the name of a file whose bytes are not all there, or were not compared yet. */
export const PARTIAL_END = '.partial';

export function stagingPath(snapshotsDir: string, version: string): string {
  return join(snapshotsDir, `${PULL_PREFIX}${version}`);
}

/** Folders of pulls that have not ended; whoever asks holds the lock of the directory, so no pull is under way. */
export async function unfinishedPulls(snapshotsDir: string): Promise<string[]> {
  const names = await readdir(snapshotsDir).catch(() => []);
  return names
    .filter((name) => name.startsWith(PULL_PREFIX) && VERSION_PATTERN.test(name.slice(PULL_PREFIX.length)))
    .sort();
}

/** Makes the folders of these files, and removes every file that is none of them and no beginning of one. */
export async function prepare(dir: string, paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(join(dir, path))))) await mkdir(folder, { recursive: true });
  const wanted = new Set(paths.flatMap((path) => [path, `${path}${PARTIAL_END}`]));
  const { files, directories } = await walk(dir);
  for (const file of files) if (!wanted.has(file)) await rm(join(dir, file));
  const needed = new Set(paths.map((path) => dirname(path)));
  for (const directory of directories)
    if (!needed.has(directory)) await rm(join(dir, directory), { recursive: true, force: true });
}

/** Where files lie already, by SHA-256 as a manifest states it: in versions that are here, and in other pulls that have not ended. */
export async function heldFiles(snapshotsDir: string, staging: string): Promise<Map<string, string[]>> {
  const held = new Map<string, string[]>();
  const places = [snapshotsDir, ...(await unfinishedPulls(snapshotsDir)).map((name) => join(snapshotsDir, name))];
  for (const place of places.filter((one) => one !== staging)) {
    for (const version of await versionsIn(place)) {
      const dir = snapshotPath(place, version);
      const manifest = await readManifest(dir).catch((error: unknown) => {
        if (error instanceof SnapshotFault) return null;
        throw error;
      });
      if (manifest === null) continue;
      for (const { path, sha256 } of snapshotFiles(manifest))
        held.set(sha256, [...(held.get(sha256) ?? []), join(dir, path)]);
    }
  }
  return held;
}

/** Puts a file that lies at `source` into its place, if its bytes are those that are wanted; false where they are not. */
export async function takenOver(source: string, dir: string, file: SnapshotFileSum): Promise<boolean> {
  const target = join(dir, file.path);
  if (source !== target) {
    await rm(target, { force: true });
    const isThere = await linkOrCopy(source, target).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (!isThere) return false;
  }
  const found = await sumFile(dir, file.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found?.sha256 === file.sha256 && found.bytes === file.bytes) return true;
  await rm(target, { force: true });
  return false;
}
