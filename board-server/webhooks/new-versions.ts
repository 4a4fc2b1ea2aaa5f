import { readManifest, SnapshotFault, snapshotPath } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { removedPath } from '../../snapshot/format/versions/removed.ts';
import type { Board } from '../store/board.ts';
import { knownVersion, knowsAnyVersion, noteVersion } from './news-store.ts';

/** A board that was down longer than so many versions announces the newest of them alone. */
const CAUGHT_UP_MAX = 400;

/**
 * Notes a version that is served now, and those that it comes from and that were published while this board was down,
 * oldest first: each once, in one write, so that a kill leaves none half announced. A version that is served again is
 * not announced again.
 */
export async function noteVersions(board: Board, snapshotsDir: string, served: string): Promise<void> {
  if (await knownVersion(board.read, served)) return;
  const isFirst = !(await knowsAnyVersion(board.read));
  const unknown = isFirst
    ? [await manifestOf(snapshotsDir, served)]
    : await unknownVersions(board, snapshotsDir, served);
  await board.write(async (tx) => {
    for (const manifest of unknown) {
      if (manifest === null) throw new Error(`the manifest of ${served} is missing`);
      const { version, parent, storedChanges } = manifest;
      const data = JSON.stringify(announcementOf(manifest));
      await noteVersion(tx, { version, parent, data, hasChanges: Boolean(storedChanges) }, !isFirst);
    }
  });
}

/** Manifests from after the newest version that is known, oldest first; that of the served one alone where they lead to none. */
async function unknownVersions(board: Board, snapshotsDir: string, served: string): Promise<(Manifest | null)[]> {
  const newest = await manifestOf(snapshotsDir, served);
  const chain: Manifest[] = [];
  for (let one = newest; one !== null && chain.length < CAUGHT_UP_MAX; ) {
    chain.unshift(one);
    if (one.parent === null) return [newest];
    if (await knownVersion(board.read, one.parent)) return chain;
    one = await manifestOf(snapshotsDir, one.parent);
  }
  return [newest];
}

/** Of a held version, or of a removed one; null where nothing of it is kept. */
async function manifestOf(snapshotsDir: string, version: string): Promise<Manifest | null> {
  for (const dir of [snapshotPath(snapshotsDir, version), removedPath(snapshotsDir, version)]) {
    try {
      return await readManifest(dir);
    } catch (error) {
      if (!(error instanceof SnapshotFault && error.code === 'missing')) throw error;
    }
  }
  return null;
}

function announcementOf({
  version,
  parent,
  createdAt,
  asOf,
  corpus,
  identity,
  counts,
  changes,
  storedChanges,
}: Manifest) {
  const hasChanges = Boolean(storedChanges) && parent !== null;
  return {
    ...{ version, parent, publishedAt: createdAt, asOf, corpus, identity: identity ?? null },
    trials: counts.trials,
    changes,
    snapshot: `/api/v1/snapshots/${version}`,
    changed: hasChanges ? `/api/v1/trials/changes?since=${parent}&until=${version}` : null,
  };
}
