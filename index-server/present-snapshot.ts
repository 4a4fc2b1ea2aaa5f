import { basename } from 'node:path';
import type { z } from 'zod';
import type { snapshotSchema, snapshotSummarySchema } from '../contract/schemas/trials/snapshot.ts';
import { basisOf } from '../snapshot/format/registry-answer.ts';
import {
  changeFiles,
  type Manifest,
  SNAPSHOT_TABLES,
  type SnapshotFileSum,
  snapshotFiles,
} from '../snapshot/format/versions/manifest.ts';
import { MANIFEST_FILE } from '../snapshot/format/versions/own-files.ts';
import type { LastCheck } from '../snapshot/format/versions/state.ts';
import type { KnownSnapshot, RemovedSnapshot } from '../snapshot/format/versions/version-list.ts';

/**
 * The files of a version that may be downloaded: while it is held, all that the manifest lists and what stands beside them; of a removed
 * one what is kept.
 */
export function downloadsOf({ manifest, unlisted, state }: KnownSnapshot | RemovedSnapshot): SnapshotFileSum[] {
  return [...unlisted, ...(state === 'held' ? snapshotFiles(manifest) : changeFiles(manifest))];
}

/** What else than its manifest an answer about a version goes by. */
export interface SnapshotMoment {
  /** The version that CURRENT names. */
  current: string | null;
  lastCheck: LastCheck | null;
  /** Whether a signed checkpoint of the log holds it. */
  signed: boolean;
}

export function presentSummary(
  { manifest }: KnownSnapshot,
  at: SnapshotMoment,
): z.output<typeof snapshotSummarySchema> {
  return {
    ...headOf(manifest, at),
    registries: registriesOf(manifest).map(({ registry, state, dataDay, registrations }) => ({
      ...{ registry, state, dataDay, registrations },
    })),
  };
}

export function presentSnapshot(
  known: KnownSnapshot | RemovedSnapshot,
  at: SnapshotMoment,
  baseUrl: string,
): z.output<typeof snapshotSchema> {
  const { manifest, version } = known;
  const { formatVersion, codeVersion, rules, accepted, feeds, tables, storedChanges, serving } = manifest;
  const files = downloadsOf(known).map((file) => ({
    name: basename(file.path),
    ...file,
    url: `${baseUrl}/snapshots/${version}/files/${file.path}`,
  }));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const addressed = (listed: readonly SnapshotFileSum[]) => listed.flatMap(({ path }) => byPath.get(path) ?? []);
  const listedTables = [
    ...SNAPSHOT_TABLES.map((table) => ({ table: table as string, ...tables[table] })),
    ...(storedChanges ? [{ table: 'changes', ...storedChanges }] : []),
  ];
  const ofTablesAndImage = new Set([...listedTables, serving].flatMap((one) => one.files.map(({ path }) => path)));
  return {
    ...headOf(manifest, at),
    state: known.state,
    removedAt: known.state === 'removed' ? known.removedAt : null,
    ...{ formatVersion, codeVersion, rules, accepted },
    registries: registriesOf(manifest),
    manifest: byPath.get(MANIFEST_FILE)!,
    statement: byPath.get(MANIFEST_FILE)!,
    feeds: feeds ?? null,
    tables: listedTables.map(({ table, rows, bytes, root, files: listed }) => ({
      ...{ table, rows, bytes, root },
      files: addressed(listed),
    })),
    serving: { imageVersion: serving.imageVersion, files: addressed(serving.files) },
    files: files.filter(({ path }) => !ofTablesAndImage.has(path)).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** The manifest's entries with what stands behind each. */
function registriesOf(manifest: Manifest) {
  return manifest.registries.map((held) => {
    const { answer, evidenceAt, dataDay, complete } = basisOf(held, manifest);
    return { ...held, state: answer, dataDay, lastSuccessAt: evidenceAt, complete };
  });
}

function headOf(manifest: Manifest, { current, lastCheck, signed }: SnapshotMoment) {
  const { version, createdAt, parent, corpus, asOf, identity, contentHash, counts, changes, tables, serving } =
    manifest;
  const bytesOf = (files: readonly { bytes: number }[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    ...{ version, publishedAt: createdAt },
    checkedAt: lastCheck?.version === version ? lastCheck.checkedAt : null,
    ...{ parent, current: version === current, corpus, asOf },
    ...{ identity, signed, contentHash, counts, changes },
    bytes: bytesOf(SNAPSHOT_TABLES.flatMap((table) => tables[table].files)),
    servingBytes: bytesOf(serving.files),
  };
}
