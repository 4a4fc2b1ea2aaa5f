import { expect } from 'vitest';
import type { Cases } from './case.ts';

const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);

/** Facts of the one version of the sample corpus. */
export const SNAPSHOT_CASES: Cases = {
  'a version is listed with what it holds, and no registry is added to another': {
    operation: 'snapshots',
    data: {
      current: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/),
      snapshots: [
        {
          current: true,
          parent: null,
          changes: null,
          corpus: 'sample',
          counts: { trials: 766 },
          registries: [
            { registry: 'clinicaltrials_gov', state: 'answered' },
            { registry: 'isrctn', state: 'answered' },
          ],
        },
      ],
      unreadable: [],
    },
    meta: { pagination: { page: 1, pageSize: 20, totalItems: 1, returned: 1, hasMore: false, nextUrl: null } },
  },
  'the manifest of a version states the hash of every file and of itself': {
    operation: 'snapshot',
    given: { version: 'current' },
    data: {
      current: true,
      state: 'held',
      removedAt: null,
      accepted: [],
      manifest: { name: 'manifest.json', sha256: SHA256 },
      tables: expect.arrayContaining([
        expect.objectContaining({
          table: 'trials',
          rows: 766,
          root: SHA256,
          files: [expect.objectContaining({ name: 'trials.parquet', path: 'trials.parquet', sha256: SHA256 })],
        }),
      ]),
    },
  },
  'a version differs from itself in nothing': {
    operation: 'snapshot-diff',
    given: { from: 'current', to: 'current', kind: 'links-gained' },
    data: {
      totals: { trials: { from: 766, added: 0, changed: 0, removed: 0, merged: 0, split: 0, to: 766 } },
      kind: 'links-gained',
      entries: [],
      now: [],
    },
    meta: { pagination: { totalItems: 0, returned: 0, hasMore: false } },
  },
  'a file of a version comes as it was published': {
    operation: 'snapshot-file',
    given: { version: 'current', name: 'manifest.json' },
    data: { formatVersion: 6, corpus: 'sample', bound: expect.objectContaining({ parent: null }) },
  },
  'the log of publications holds the served version, unsigned, and proves it': {
    operation: 'snapshot-log',
    given: { from: 1 },
    data: {
      origin: 'unsigned.invalid/trial-board',
      size: 1,
      root: SHA256,
      signed: false,
      signedBy: [],
      checkpoint: expect.stringMatching(/^unsigned\.invalid\/trial-board\n1\n[A-Za-z0-9+/]{43}=\n$/),
      keys: [],
      identities: [
        { index: 0, identity: SHA256, version: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/), state: 'held' },
      ],
      consistency: { from: 1, to: 1, path: [] },
    },
    meta: { signed: false, pagination: { totalItems: 1, hasMore: false } },
  },
  'a file of the log comes as it is on disk': {
    operation: 'snapshot-log-file',
    given: { name: 'checkpoint' },
    data: expect.stringMatching(/^unsigned\.invalid\/trial-board\n1\n[A-Za-z0-9+/]{43}=\n$/),
  },
  'an earlier checkpoint comes as it is on disk': {
    operation: 'snapshot-log-checkpoint',
    given: { size: 1 },
    data: expect.stringMatching(/^unsigned\.invalid\/trial-board\n1\n[A-Za-z0-9+/]{43}=\n$/),
  },
  'a file in a folder of a version comes as it was published': {
    operation: 'snapshot-folder-file',
    given: { version: 'current', folder: 'proofs', name: 'trials.tree' },
    data: expect.any(String),
  },
};
