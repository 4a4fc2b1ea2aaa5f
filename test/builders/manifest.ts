import { REGISTRY_IDS } from '../../contract/ids.ts';
import {
  type Manifest,
  type ManifestRegistry,
  SNAPSHOT_FORMAT_VERSION,
  SNAPSHOT_TABLES,
  type SnapshotTable,
} from '../../snapshot/format/versions/manifest.ts';

const HASH = '0'.repeat(64);

/** A valid manifest of a snapshot with two registries that answered and no files. */
export function emptyManifest(version: string): Manifest {
  const table: Manifest['tables'][SnapshotTable] = { rows: 0, bytes: 0, files: [], root: HASH };
  const none = {
    trials: 0,
    registrations: 0,
    inBoth: 0,
    linksAccepted: 0,
    linksRejected: 0,
    conflicts: 0,
    unresolved: 0,
  };
  return {
    formatVersion: SNAPSHOT_FORMAT_VERSION,
    identity: HASH,
    bound: {
      ...{ parent: null, ledger: HASH, rules: [] },
      code: { version: 1, commit: null, node: 'v24', duckdb: 'v1' },
    },
    version,
    createdAt: '2026-11-21T03:15:00Z',
    parent: null,
    contentHash: HASH,
    corpus: 'registries',
    asOf: '2026-11-21',
    codeVersion: 'test',
    rules: { id: 'dedup-rules-2', sha256: HASH, count: 0 },
    registries: REGISTRY_IDS.map(answered),
    tables: Object.fromEntries(SNAPSHOT_TABLES.map((name) => [name, table])) as Manifest['tables'],
    serving: { imageVersion: 1, files: [] },
    counts: none,
    changes: null,
    accepted: [],
  };
}

function answered(registry: ManifestRegistry['registry']): ManifestRegistry {
  return {
    registry,
    state: 'answered',
    registrations: 0,
    quarantined: 0,
    superseded: 0,
    expectedRecords: null,
    complete: true,
    stale: false,
    degraded: false,
    degradedReason: null,
    lastSuccessAt: '2026-11-21T03:15:00Z',
    lastAttemptAt: '2026-11-21T03:15:00Z',
    dataTimestamp: null,
    source: 'live',
    inputs: [],
  };
}
