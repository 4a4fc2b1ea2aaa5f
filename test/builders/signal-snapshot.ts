import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServingImage } from '../../pipeline/publish/serving/build-serving-image.ts';
import { CURRENT_FILE } from '../../snapshot/format/versions/current-file.ts';
import {
  type Manifest,
  type ManifestFeed,
  type ManifestRegistry,
  SNAPSHOT_TABLES,
  type SnapshotTable,
} from '../../snapshot/format/versions/manifest.ts';
import { emptyManifest, identified, manifestRegistry, versionAt, writeManifest } from './manifest.ts';
import { quietEffects } from './serving-image.ts';
import { type SignalRow, writeSignalTable } from './signals.ts';
import { type CorpusTrial, writeSnapshotTables } from './snapshot-tables.ts';

const TIME = '20261001T031500Z';
const HASH = '0'.repeat(64);
const READ_AT = '2026-10-02T03:15:00.000Z';

/** A snapshots directory with one published snapshot, whose signal files have true sums. */
export interface SignalSnapshot extends Disposable {
  snapshotsDir: string;
  /** Path of a file of the snapshot. */
  path: (file: string) => string;
}

export interface SignalSnapshotContent {
  rows?: readonly SignalRow[];
  trials?: CorpusTrial[];
  feeds?: ManifestFeed[];
  unanswered?: ManifestRegistry['registry'][];
  /** When the data of a registry is from, where not from the day it was read. */
  dataTimestamps?: Partial<Record<ManifestRegistry['registry'], string>>;
  /** What the manifest says of a registry otherwise. */
  registries?: Partial<Record<ManifestRegistry['registry'], Partial<ManifestRegistry>>>;
}

export function feed(id: string, given: Partial<ManifestFeed> = {}): ManifestFeed {
  return {
    feed: id,
    publisher: 'Sample Publisher',
    state: 'answered',
    items: 1,
    lastSuccessAt: READ_AT,
    lastAttemptAt: READ_AT,
    sha256: HASH,
    stale: false,
    reason: null,
    refused: 0,
    undated: 0,
    future: 0,
    ...given,
  };
}

export async function publishSignals(content: SignalSnapshotContent): Promise<SignalSnapshot> {
  const snapshotsDir = mkdtempSync(join(tmpdir(), 'signal-snapshot-'));
  const made = join(snapshotsDir, 'made');
  const { rows = [], trials = [] } = content;
  await writeSnapshotTables({ trials, identifiers: [], links: [], relations: [] }, made);
  await writeSignalTable(rows, made);
  await buildServingImage({ snapshotDir: made, outDir: join(made, 'serving') }, quietEffects);
  const unnamed = manifest(made, content);
  const version = versionAt(TIME, unnamed);
  const dir = join(snapshotsDir, version);
  renameSync(made, dir);
  writeManifest(dir, { ...unnamed, version });
  writeFileSync(join(snapshotsDir, CURRENT_FILE), `${version}\n`);
  return {
    snapshotsDir,
    path: (file) => join(dir, file),
    [Symbol.dispose]: () => rmSync(snapshotsDir, { recursive: true, force: true }),
  };
}

function manifest(dir: string, content: SignalSnapshotContent): Manifest {
  const { rows = [], feeds = [feed('sample-news')], unanswered = [], dataTimestamps = {}, registries = {} } = content;
  const empty: Manifest['tables'][SnapshotTable] = { rows: 0, bytes: 0, files: [], root: HASH };
  const serving = readdirSync(join(dir, 'serving')).map((file) => sumOf(dir, `serving/${file}`));
  const registry = (id: ManifestRegistry['registry']): ManifestRegistry => {
    const answered = !unanswered.includes(id);
    const count = answered ? 0 : null;
    return manifestRegistry(id, {
      state: answered ? 'answered' : 'unanswered',
      registrations: count,
      quarantined: count,
      superseded: count,
      complete: answered,
      lastSuccessAt: answered ? READ_AT : null,
      lastAttemptAt: READ_AT,
      dataTimestamp: dataTimestamps[id] ?? null,
      source: answered ? 'live' : null,
      ...registries[id],
    });
  };
  const none = { linksAccepted: 0, linksRejected: 0, conflicts: 0, unresolved: 0 };
  return identified({
    ...emptyManifest(''),
    createdAt: READ_AT,
    asOf: '2026-10-01',
    registries: [registry('clinicaltrials_gov'), registry('isrctn')],
    feeds,
    tables: {
      ...(Object.fromEntries(SNAPSHOT_TABLES.map((name) => [name, empty])) as Manifest['tables']),
      signals: { ...empty, rows: rows.length, files: [sumOf(dir, 'signals.parquet')] },
    },
    serving: { imageVersion: 1, files: serving },
    counts: { trials: 0, registrations: 0, inBoth: 0, ...none },
  });
}

function sumOf(dir: string, path: string): { path: string; bytes: number; sha256: string } {
  const bytes = readFileSync(join(dir, path));
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
