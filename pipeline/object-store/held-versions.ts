import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { versionsIn } from '../../snapshot/format/versions/current.ts';
import { MANIFEST_FILE } from '../../snapshot/format/versions/manifest.ts';
import { REMOVED_DIR, removedPath } from '../../snapshot/format/versions/removed.ts';
import type { Effects } from '../effects.ts';
import { sync } from '../publish/durable.ts';
import { discardVersion, removeVersion } from '../publish/retention/gc.ts';
import { readPins } from '../publish/retention/pins.ts';
import { type Release, wantedBy } from './layout.ts';
import type { StoreReader } from './store-source.ts';

/** The manifest and changes that are kept of a version after its removal. */
interface RemovedVersion {
  version: string;
  files: Release['beside'];
}

function removedIn({ beside }: Release): RemovedVersion[] {
  const byVersion = new Map<string, RemovedVersion>();
  for (const file of beside) {
    const [dir, version = ''] = file.path.split('/');
    if (dir !== REMOVED_DIR) continue;
    const known = byVersion.get(version);
    if (known === undefined) byVersion.set(version, { version, files: [file] });
    else known.files.push(file);
  }
  return [...byVersion.values()];
}

/**
 * Brings what is kept of versions that the publisher removed, so that the chain of changes is whole here too. Each comes into its place in
 * one step. The caller holds the pipeline lock.
 */
export async function bringRemoved(
  reader: StoreReader,
  snapshotsDir: string,
  release: Release,
  effects: Effects,
): Promise<void> {
  for (const { version, files } of removedIn(release)) {
    const target = removedPath(snapshotsDir, version);
    if (existsSync(join(target, MANIFEST_FILE))) continue;
    const dir = join(snapshotsDir, `.tmp-${process.pid}-removed`);
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir);
    for (const { path, bytes, sha256 } of files) {
      const place = join(dir, basename(path));
      await writeFile(place, await reader.object(sha256, bytes));
      await sync(place);
    }
    await sync(dir);
    await rm(target, { recursive: true, force: true });
    await mkdir(join(target, '..'), { recursive: true });
    await rename(dir, target);
    await sync(join(target, '..'));
    effects.checkpoint(`removed:${version}`);
  }
}

/**
 * Removes versions that the store named before and names no more; never one that it did not bring, a pinned one or the served one. The
 * caller holds the pipeline lock.
 */
export async function removeUnwanted(
  snapshotsDir: string,
  { named, release, served }: { named: readonly string[]; release: Release; served: string | null },
  effects: Effects,
): Promise<void> {
  const kept = new Set([...wantedBy(release), ...(await readPins(snapshotsDir)), served]);
  const here = new Set(await versionsIn(snapshotsDir));
  for (const version of named.filter((one) => here.has(one) && !kept.has(one))) {
    const isKept = existsSync(join(removedPath(snapshotsDir, version), MANIFEST_FILE));
    if (isKept) await discardVersion(snapshotsDir, version);
    else await removeVersion(snapshotsDir, version, effects);
    effects.checkpoint(`discarded:${version}`);
  }
}
