import { expect } from 'vitest';
import { REMOVED_AT, REMOVED_VERSION } from '../support/snapshots/removed-version.ts';
import { type Case, one } from './case.ts';

const NEVER = '20000101T000000Z-00000000';
const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);

/** Facts of the one version of the sample corpus. */
export const SNAPSHOT_CASES: readonly Case[] = [
  one(
    'a version is listed with what it holds, and no registry is added to another',
    'snapshots',
    {},
    {
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
  ),
  one(
    'the manifest of a version states the hash of every file and of itself',
    'snapshot',
    { version: 'current' },
    {
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
  ),
  one('a version that is not held is NOT_FOUND', 'snapshot', { version: NEVER }, { status: 404, code: 'NOT_FOUND' }),
  one(
    'a version that was removed answers with what is kept of it, and with no file but its manifest',
    'snapshot',
    { version: REMOVED_VERSION },
    {
      status: 200,
      data: {
        version: REMOVED_VERSION,
        state: 'removed',
        removedAt: REMOVED_AT,
        current: false,
        publishedAt: '2026-09-01T03:15:00.000Z',
        asOf: '2026-10-01',
        contentHash: SHA256,
        counts: { trials: 766 },
        changes: { added: 3, changed: 2, removed: 1, merged: 0, split: 0 },
        registries: [
          { registry: 'clinicaltrials_gov', state: 'answered' },
          { registry: 'isrctn', state: 'answered' },
        ],
        manifest: { name: 'manifest.json', sha256: SHA256 },
        tables: expect.arrayContaining([
          { table: 'trials', rows: 766, bytes: expect.any(Number), root: SHA256, files: [] },
        ]),
      },
    },
  ),
  one(
    'the manifest of a version that was removed can still be downloaded',
    'snapshot-file',
    { version: REMOVED_VERSION, name: 'manifest.json' },
    { data: { formatVersion: 4, version: REMOVED_VERSION } },
  ),
  one(
    'the statement of a version that was removed can still be downloaded',
    'snapshot-file',
    { version: REMOVED_VERSION, name: 'statement.json' },
    { data: { format: 'trial-board-snapshot/4', corpus: 'sample', parent: null } },
  ),
  one(
    'a table of a version that was removed is NOT_FOUND',
    'snapshot-file',
    { version: REMOVED_VERSION, name: 'trials.parquet' },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'a version that was removed cannot be compared',
    'snapshot-diff',
    { from: REMOVED_VERSION, to: 'current' },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'a version differs from itself in nothing',
    'snapshot-diff',
    { from: 'current', to: 'current', kind: 'links-gained' },
    {
      data: {
        totals: { trials: { from: 766, added: 0, changed: 0, removed: 0, merged: 0, split: 0, to: 766 } },
        kind: 'links-gained',
        entries: [],
        now: [],
      },
      meta: { pagination: { totalItems: 0, returned: 0, hasMore: false } },
    },
  ),
  one(
    'entries without fields cannot be asked for by field',
    'snapshot-diff',
    { from: 'current', to: 'current', kind: 'trials-added', field: 'title' },
    { status: 400, code: 'INVALID_PARAM', parameter: 'field' },
  ),
  one(
    'a file of a version comes as it was published',
    'snapshot-file',
    { version: 'current', name: 'manifest.json' },
    { data: { formatVersion: 4, corpus: 'sample', parent: null } },
  ),
  one(
    'a file in a folder of a version that was removed is NOT_FOUND',
    'snapshot-folder-file',
    { version: REMOVED_VERSION, folder: 'raw', name: 'part-0000.parquet' },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'a folder that no version has is NOT_FOUND',
    'snapshot-folder-file',
    { version: 'current', folder: 'log', name: 'identities' },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'the log of publications holds the served version, unsigned, and proves it',
    'snapshot-log',
    { from: 1 },
    {
      data: {
        origin: 'unsigned.invalid/trial-board',
        size: 1,
        root: SHA256,
        signed: false,
        signedBy: [],
        checkpoint: expect.stringMatching(/^unsigned\.invalid\/trial-board\n1\n[A-Za-z0-9+/]{43}=\n$/),
        keys: [],
        identities: [
          {
            index: 0,
            identity: SHA256,
            version: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/),
            state: 'held',
          },
        ],
        consistency: { from: 1, to: 1, path: [] },
      },
      meta: { signed: false, pagination: { totalItems: 1, hasMore: false } },
    },
  ),
  one(
    'a file of the log comes as it is on disk',
    'snapshot-log-file',
    { name: 'checkpoint' },
    { data: expect.stringMatching(/^unsigned\.invalid\/trial-board\n1\n[A-Za-z0-9+/]{43}=\n$/) },
  ),
  one(
    'an earlier checkpoint comes as it is on disk',
    'snapshot-log-checkpoint',
    { size: 1 },
    { data: expect.stringMatching(/^unsigned\.invalid\/trial-board\n1\n[A-Za-z0-9+/]{43}=\n$/) },
  ),
  one(
    'what the log does not hold cannot be proven',
    'snapshot-log',
    { identity: '0'.repeat(64) },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'a file in a folder of a version comes as it was published',
    'snapshot-folder-file',
    { version: 'current', folder: 'proofs', name: 'trials.tree' },
    { data: expect.any(String) },
  ),
  one(
    'a file that the manifest does not name is NOT_FOUND',
    'snapshot-file',
    { version: 'current', name: 'CURRENT' },
    { status: 404, code: 'NOT_FOUND' },
  ),
];
