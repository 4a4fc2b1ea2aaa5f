import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import { PAYLOAD_INDEX_FILE } from '../../snapshot/format/payload-index.ts';
import {
  type Manifest,
  type ManifestRegistry,
  SNAPSHOT_FORMAT_VERSION,
  SNAPSHOT_TABLES,
  type SnapshotTable,
} from '../../snapshot/format/versions/manifest.ts';
import { type Draft, identityOf, OWN_FILES, ownTexts } from '../../snapshot/format/versions/own-files.ts';

const HASH = '0'.repeat(64);

/** A valid manifest of a snapshot with two registries that answered and no files; one that began with another `ledger` has another identity. */
export function emptyManifest(version: string, ledger = HASH): Manifest {
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
  const code = { version: 1, commit: null, node: 'v24', duckdb: 'v1' };
  return identified({
    formatVersion: SNAPSHOT_FORMAT_VERSION,
    version,
    createdAt: '2026-11-21T03:15:00Z',
    parent: null,
    bound: { parent: null, ledger, rules: [], code },
    contentHash: HASH,
    corpus: 'registries',
    asOf: '2026-11-21',
    codeVersion: 'test',
    rules: { id: 'dedup-rules-2', sha256: HASH, count: 0 },
    registries: REGISTRY_IDS.map((registry) => manifestRegistry(registry)),
    tables: Object.fromEntries(SNAPSHOT_TABLES.map((name) => [name, table])) as Manifest['tables'],
    serving: { imageVersion: 1, files: [] },
    ...NO_MORE_FILES,
    counts: none,
    changes: null,
    storedChanges: null,
    accepted: [],
    checks: { rules: { id: 'publication-checks-1', sha256: HASH }, results: [] },
  });
}

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** What a manifest lists beside tables and image, with an empty index of payloads. */
const NO_MORE_FILES = {
  proofs: [],
  payloadIndex: { path: PAYLOAD_INDEX_FILE, bytes: 0, sha256: EMPTY_SHA256 },
  superseded: { rows: 0, bytes: 0, files: [] },
  descriptions: [],
};

/** The manifest with the identity that follows from it. */
export function identified(draft: Draft & Pick<Manifest, 'version'>): Manifest {
  return { ...draft, identity: identityOf(ownTexts(draft)) };
}

/** The name that a snapshot of this content has when it was published at a time (basic form, to the second). */
export function versionAt(time: string, { identity }: Pick<Manifest, 'identity'> = emptyManifest('')): string {
  return `${time}-${identity.slice(0, 8)}`;
}

/** Writes the own files of a snapshot into its folder, so that they agree with one another. */
export function writeOwnFiles(dir: string, draft: Draft): void {
  const texts = ownTexts(draft);
  for (const name of OWN_FILES) writeFileSync(join(dir, name), texts[name]);
}

/** Writes the own files of a snapshot and an empty index of payloads into its folder. */
export function writeManifest(dir: string, manifest: Manifest): void {
  writeOwnFiles(dir, manifest);
  writeFileSync(join(dir, PAYLOAD_INDEX_FILE), '');
}

/** A registry of a manifest that answered without records. */
export function manifestRegistry(
  registry: ManifestRegistry['registry'],
  more: Partial<ManifestRegistry> = {},
): ManifestRegistry {
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
    ...more,
  };
}
