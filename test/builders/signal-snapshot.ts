import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServingImage } from '../../pipeline/publish/serving/build-serving-image.ts';
import { CURRENT_FILE } from '../../snapshot/format/versions/current-file.ts';
import {
  MANIFEST_FILE,
  type Manifest,
  type ManifestFeed,
  type ManifestRegistry,
  SNAPSHOT_FORMAT_VERSION,
  SNAPSHOT_TABLES,
  type SnapshotTable,
} from '../../snapshot/format/versions/manifest.ts';
import { quietEffects } from './serving-image.ts';
import { type SignalRow, writeSignalTable } from './signals.ts';
import { type CorpusTrial, writeSnapshotTables } from './snapshot-tables.ts';

const VERSION = '20261001T031500Z-0a1b2c3d';
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
  const dir = join(snapshotsDir, VERSION);
  const { rows = [], trials = [] } = content;
  await writeSnapshotTables({ trials, identifiers: [], links: [], relations: [] }, dir);
  await writeSignalTable(rows, dir);
  await buildServingImage({ snapshotDir: dir, outDir: join(dir, 'serving') }, quietEffects);
  writeFileSync(join(dir, MANIFEST_FILE), JSON.stringify(manifest(dir, content)));
  writeFileSync(join(snapshotsDir, CURRENT_FILE), `${VERSION}\n`);
  return {
    snapshotsDir,
    path: (file) => join(dir, file),
    [Symbol.dispose]: () => rmSync(snapshotsDir, { recursive: true, force: true }),
  };
}

function manifest(dir: string, content: SignalSnapshotContent) {
  const { rows = [], feeds = [feed('sample-news')], unanswered = [], dataTimestamps = {}, registries = {} } = content;
  const empty: Manifest['tables'][SnapshotTable] = { rows: 0, bytes: 0, files: [], root: HASH };
  const serving = readdirSync(join(dir, 'serving')).map((file) => sumOf(dir, `serving/${file}`));
  const registry = (id: ManifestRegistry['registry']): ManifestRegistry => {
    const answered = !unanswered.includes(id);
    return {
      registry: id,
      state: answered ? 'answered' : 'unanswered',
      registrations: answered ? 0 : null,
      quarantined: answered ? 0 : null,
      superseded: answered ? 0 : null,
      expectedRecords: null,
      complete: answered,
      stale: false,
      degraded: false,
      degradedReason: null,
      lastSuccessAt: answered ? READ_AT : null,
      lastAttemptAt: READ_AT,
      dataTimestamp: dataTimestamps[id] ?? null,
      source: answered ? 'live' : null,
      inputs: [],
      ...registries[id],
    };
  };
  const none = { linksAccepted: 0, linksRejected: 0, conflicts: 0, unresolved: 0 };
  return {
    ...{ formatVersion: SNAPSHOT_FORMAT_VERSION, identity: HASH },
    bound: {
      ...{ parent: null, ledger: HASH, rules: [] },
      code: { version: 1, commit: null, node: 'v24', duckdb: 'v1' },
    },
    version: VERSION,
    createdAt: READ_AT,
    parent: null,
    contentHash: HASH,
    corpus: 'registries',
    asOf: '2026-10-01',
    codeVersion: 'test',
    rules: { id: 'dedup-rules-2', sha256: HASH, count: 0 },
    registries: [registry('clinicaltrials_gov'), registry('isrctn')],
    feeds,
    tables: {
      ...(Object.fromEntries(SNAPSHOT_TABLES.map((name) => [name, empty])) as Manifest['tables']),
      signals: { ...empty, rows: rows.length, files: [sumOf(dir, 'signals.parquet')] },
    },
    serving: { imageVersion: 1, files: serving },
    counts: { trials: 0, registrations: 0, inBoth: 0, ...none },
    changes: null,
    accepted: [],
  } satisfies Manifest;
}

function sumOf(dir: string, path: string): { path: string; bytes: number; sha256: string } {
  const bytes = readFileSync(join(dir, path));
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
