import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCurrentManifest } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { REMOVAL_FILE, removedPath } from '../../../snapshot/format/versions/removed.ts';
import { writeOwnFiles } from '../../builders/manifest.ts';

/** A version that gc removed from the snapshots of the sample corpus, as it did with its parent, the first one. */
export const REMOVED_VERSION = '20260901T031500Z-0a1b2c3d';
const PARENT = '20260831T031500Z-4d3c2b1a';
export const REMOVED_AT = '2026-09-30T03:15:00.000Z';

/** Leaves what gc leaves of these two versions, with the figures of the served one. */
export async function leaveRemovedVersions(snapshotsDir: string): Promise<void> {
  const served = (await readCurrentManifest(snapshotsDir))!;
  const first = { version: PARENT, parent: null, createdAt: '2026-08-31T03:15:00.000Z', changes: null };
  const changes = { added: 3, changed: 2, removed: 1, merged: 0, split: 0 };
  const second = { version: REMOVED_VERSION, parent: PARENT, createdAt: '2026-09-01T03:15:00.000Z', changes };
  for (const stated of [first, second]) await leave(snapshotsDir, { ...served, ...stated });
}

async function leave(snapshotsDir: string, manifest: Manifest): Promise<void> {
  const dir = removedPath(snapshotsDir, manifest.version);
  await mkdir(dir, { recursive: true });
  writeOwnFiles(dir, manifest);
  await writeFile(join(dir, REMOVAL_FILE), JSON.stringify({ removedAt: REMOVED_AT }));
}
