import { stat } from 'node:fs/promises';
import { readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { compareSnapshots, type DiffTotals } from '../../snapshot/sql/compare.ts';
import { type DiffLists, LIST_SPECS, type ListSpec } from '../../snapshot/sql/lists.ts';
import type { Database, JsonRow } from '../store/database.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { addUp } from './stored-diff.ts';

export type DiffSide = Pick<Manifest, 'version' | 'createdAt' | 'contentHash' | 'asOf' | 'corpus'>;

export interface DiffHead {
  from: DiffSide;
  to: DiffSide;
  totals: DiffTotals;
  /** Most entries that each list holds; null: every list is complete. */
  limit: number | null;
}

export interface SnapshotDiff extends DiffHead, DiffLists {}

/**
 * Changes from snapshot `versionA` to `versionB`, with at most `limit` entries in each list (null: all; for two full
 * snapshots use `diffJson`, which keeps no list in memory). Where one was removed, the stored changes between them are added up.
 * Throws SnapshotFault for a missing snapshot, and Error if the totals do not add up.
 */
export async function diff(
  snapshotsDir: string,
  versionA: string,
  versionB: string,
  limit: number | null = 100,
): Promise<SnapshotDiff> {
  if (!(await bothHeld(snapshotsDir, versionA, versionB))) return addedUp(snapshotsDir, versionA, versionB, limit);
  return withComparison(snapshotsDir, versionA, versionB, limit, async (db, head) => {
    const lists: Record<string, Record<string, unknown[]>> = {};
    for (const spec of LIST_SPECS) {
      const entries: unknown[] = [];
      for await (const entry of listEntries(db, spec, limit)) entries.push(JSON.parse(entry));
      lists[spec.group] = { ...lists[spec.group], [spec.name]: entries };
    }
    return { ...head, ...(lists as unknown as DiffLists) };
  });
}

/** Writes the diff with complete lists as one JSON object in pieces; its value equals that of `diff` without a limit. */
export async function diffJson(
  snapshotsDir: string,
  versionA: string,
  versionB: string,
  write: (text: string) => Promise<void> | void,
): Promise<void> {
  if (!(await bothHeld(snapshotsDir, versionA, versionB))) {
    await write(`${JSON.stringify(await addedUp(snapshotsDir, versionA, versionB, null))}\n`);
    return;
  }
  await withComparison(snapshotsDir, versionA, versionB, null, async (db, head) => {
    await write(JSON.stringify(head).slice(0, -1));
    let group = '';
    for (const spec of LIST_SPECS) {
      const opening = spec.group === group ? ',' : `${group === '' ? '' : '}'},${JSON.stringify(spec.group)}:{`;
      group = spec.group;
      await write(`${opening}${JSON.stringify(spec.name)}:[`);
      let separator = '\n';
      for await (const entry of listEntries(db, spec, null)) {
        await write(`${separator}${entry}`);
        separator = ',\n';
      }
      await write(']');
    }
    await write('}}\n');
  });
}

/** Entries of one list as JSON texts, ordered by key, at most `limit` (null: all). */
async function* listEntries(db: Database, { sql }: ListSpec, limit: number | null): AsyncGenerator<string> {
  const query = `SELECT entry FROM (${sql}) ORDER BY k ${limit === null ? '' : `LIMIT ${limit}`}`;
  for await (const rows of db.stream(query)) {
    for (const row of rows as (JsonRow & { entry: string })[]) yield row.entry;
  }
}

async function withComparison<T>(
  snapshotsDir: string,
  versionA: string,
  versionB: string,
  limit: number | null,
  work: (db: Database, head: DiffHead) => Promise<T>,
): Promise<T> {
  assertLimit(limit);
  const [dirA, dirB] = [snapshotPath(snapshotsDir, versionA), snapshotPath(snapshotsDir, versionB)];
  const [from, to] = [
    { dir: dirA, manifest: await readManifest(dirA) },
    { dir: dirB, manifest: await readManifest(dirB) },
  ];
  return withScratchDatabase(async (db) => {
    const totals = await compareSnapshots(db, from, to);
    return work(db, { from: sideOf(from.manifest), to: sideOf(to.manifest), totals, limit });
  });
}

async function bothHeld(snapshotsDir: string, ...versions: string[]): Promise<boolean> {
  const dirs = versions.map((version) => snapshotPath(snapshotsDir, version));
  return (await Promise.all(dirs.map((dir) => stat(dir).catch(() => null)))).every((found) => found !== null);
}

async function addedUp(
  snapshotsDir: string,
  versionA: string,
  versionB: string,
  limit: number | null,
): Promise<SnapshotDiff> {
  assertLimit(limit);
  const { from, to, totals, trials, registrations, links } = await addUp(snapshotsDir, versionA, versionB);
  const cut = <Lists extends object>(lists: Lists): Lists =>
    Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, (list as unknown[]).slice(0, limit ?? undefined)]),
    ) as Lists;
  const head = { from: sideOf(from), to: sideOf(to), totals, limit };
  return { ...head, trials: cut(trials), registrations: cut(registrations), links: cut(links) };
}

function assertLimit(limit: number | null): void {
  if (limit !== null && (!Number.isInteger(limit) || limit < 0))
    throw new Error(`limit must be a whole number from 0, not ${limit}`);
}

function sideOf({ version, createdAt, contentHash, asOf, corpus }: Manifest): DiffSide {
  return { version, createdAt, contentHash, asOf, corpus };
}
