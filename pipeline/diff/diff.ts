import { DIFF_KINDS, type DiffKind } from '../../contract/schemas/trials/snapshot-diff.ts';
import { readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { assertHeld } from '../../snapshot/format/versions/removed.ts';
import { compareSnapshots, type DiffEntry, type DiffTotals, diffLists } from '../../snapshot/sql/compare.ts';
import type { Database } from '../store/database.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';

export type DiffSide = Pick<Manifest, 'version' | 'createdAt' | 'contentHash' | 'asOf' | 'corpus'>;

type EntriesWith<Member extends string> = Extract<DiffEntry, Record<Member, unknown>>[];

/** All differences of two snapshots, with the lists of the service by group and name, each ordered by key. */
export interface SnapshotDiff {
  from: DiffSide;
  to: DiffSide;
  totals: DiffTotals;
  /** Most entries that each list holds; null: every list is complete. */
  limit: number | null;
  trials: Record<'added' | 'removed' | 'changed' | 'merged' | 'split', EntriesWith<'canonicalId'>>;
  registrations: Record<'added' | 'removed' | 'changed', EntriesWith<'registry'>>;
  links: Record<'gained' | 'lost' | 'changed', EntriesWith<'linkId'>>;
}

/**
 * Changes from snapshot `versionA` to `versionB`, with at most `limit` entries in each list (null: all; for two full
 * snapshots use `writeDiff`, which keeps no list in memory). Throws as `writeDiff` does.
 */
export async function diff(
  snapshotsDir: string,
  versionA: string,
  versionB: string,
  limit: number | null = 100,
): Promise<SnapshotDiff> {
  const pieces: string[] = [];
  await writeDiff(snapshotsDir, [versionA, versionB], limit, (piece) => void pieces.push(piece));
  return JSON.parse(pieces.join('')) as SnapshotDiff;
}

/**
 * Writes the differences of two snapshots as one JSON object in pieces. Throws SnapshotFault for a missing or removed snapshot,
 * and Error if the totals do not add up.
 */
export async function writeDiff(
  snapshotsDir: string,
  versions: readonly [string, string],
  limit: number | null,
  write: (text: string) => void,
): Promise<void> {
  for (const version of versions) await assertHeld(snapshotsDir, version);
  const [dirA, dirB] = [snapshotPath(snapshotsDir, versions[0]), snapshotPath(snapshotsDir, versions[1])];
  const [from, to] = [sideOf(await readManifest(dirA)), sideOf(await readManifest(dirB))];
  await withScratchDatabase(async (db) => {
    const totals = await compareSnapshots(db, dirA, dirB);
    await db.run(`CREATE TEMP TABLE lists AS ${await diffLists()}`);
    write(JSON.stringify({ from, to, totals, limit }).slice(0, -1));
    let group = '';
    for (const kind of DIFF_KINDS) {
      const [next = '', name] = kind.split('-');
      const opening = next === group ? ',' : `${group === '' ? '' : '}'},${JSON.stringify(next)}:{`;
      group = next;
      write(`${opening}${JSON.stringify(name)}:[`);
      await writeList(db, kind, limit, write);
      write(']');
    }
    write('}}\n');
  });
}

async function writeList(
  db: Database,
  kind: DiffKind,
  limit: number | null,
  write: (text: string) => void,
): Promise<void> {
  const most = limit === null ? '' : `LIMIT ${limit}`;
  let separator = '\n';
  for await (const rows of db.stream(`SELECT entry FROM lists WHERE list = '${kind}' ORDER BY k ${most}`)) {
    for (const { entry } of rows) {
      write(`${separator}${entry}`);
      separator = ',\n';
    }
  }
}

function sideOf({ version, createdAt, contentHash, asOf, corpus }: Manifest): DiffSide {
  return { version, createdAt, contentHash, asOf, corpus };
}
