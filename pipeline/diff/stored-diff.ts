import { join } from 'node:path';
import type { StoredChange } from '../../snapshot/format/versions/change.ts';
import { type ChainLink, pathBetween } from '../../snapshot/format/versions/change-chain.ts';
import { readManifest, SnapshotFault, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { changeFiles, type Manifest } from '../../snapshot/format/versions/manifest.ts';
import { removedPath } from '../../snapshot/format/versions/removed.ts';
import type { DiffTotals } from '../../snapshot/sql/compare.ts';
import { type ComposedChanges, composeChanges, undone } from '../../snapshot/sql/compose-changes.ts';
import { damagedFiles } from '../publish/verify/damage.ts';
import { changesIn, changesOf } from '../publish/write-changes.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';

interface KeptVersion extends ChainLink {
  dir: string;
  manifest: Manifest;
}

export interface AddedUp extends ComposedChanges {
  from: Manifest;
  to: Manifest;
  totals: DiffTotals;
}

/**
 * The comparison of two versions from the changes that are stored of those between, held or removed. Throws SnapshotFault where
 * one is unknown, a file of changes is damaged, or the stored changes do not lead from one to the other.
 */
export async function addUp(snapshotsDir: string, versionA: string, versionB: string): Promise<AddedUp> {
  const find = (version: string): Promise<KeptVersion | null> => findKept(snapshotsDir, version);
  const [from, to] = [await known(find, versionA), await known(find, versionB)];
  const path = await pathBetween(versionA, versionB, find);
  if (path === null) {
    throw new SnapshotFault(
      'missing',
      `no stored changes lead from ${versionA} to ${versionB}: a version between them has none, as those published by older programs`,
    );
  }
  const versions: StoredChange[][] = [];
  for (const version of path.undone) versions.push((await changesOfVersion(version)).map(undone));
  for (const version of path.made) versions.push(await changesOfVersion(version));
  const composed = composeChanges(versions);
  return { ...composed, from, to, totals: totalsOf(composed, from, to) };
}

async function known(find: (version: string) => Promise<KeptVersion | null>, version: string): Promise<Manifest> {
  const kept = await find(version);
  if (kept === null)
    throw new SnapshotFault(
      'missing',
      `nothing is kept of a snapshot ${version}; \`pipeline list\` names those that are there`,
    );
  return kept.manifest;
}

/** A held version, or what gc left of a removed one; null for neither. */
async function findKept(snapshotsDir: string, version: string): Promise<KeptVersion | null> {
  for (const dir of [snapshotPath(snapshotsDir, version), removedPath(snapshotsDir, version)]) {
    try {
      const manifest = await readManifest(dir);
      return { version, parent: manifest.parent, hasChanges: Boolean(manifest.storedChanges), dir, manifest };
    } catch (error) {
      if (!(error instanceof SnapshotFault && error.code === 'missing')) throw error;
    }
  }
  return null;
}

async function changesOfVersion({ dir, version, manifest }: KeptVersion): Promise<StoredChange[]> {
  const [damaged] = await damagedFiles(dir, changeFiles(manifest));
  if (damaged !== undefined)
    throw new SnapshotFault(
      'malformed',
      `${join(dir, damaged)} is damaged, so that the changes of ${version} are not known`,
    );
  return withScratchDatabase((db) => Array.fromAsync(changesOf(db, changesIn(dir))));
}

/** Exact totals, as a comparison counts them. */
function totalsOf(composed: ComposedChanges, from: Manifest, to: Manifest): DiffTotals {
  const { trials, registrations, links, signals } = composed;
  const rows = (table: 'trials' | 'registrations' | 'links' | 'signals') => ({
    from: from.tables[table].rows,
    to: to.tables[table].rows,
  });
  return {
    trials: { ...rows('trials'), ...lengthsOf(trials) },
    registrations: { ...rows('registrations'), ...lengthsOf(registrations) },
    links: { ...rows('links'), ...lengthsOf(links) },
    signals: { ...rows('signals'), ...lengthsOf(signals) },
  };
}

function lengthsOf<Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Record<keyof Lists, number> {
  const lengths = Object.entries(lists).map(([name, list]) => [name, list.length]);
  return Object.fromEntries(lengths) as Record<keyof Lists, number>;
}
