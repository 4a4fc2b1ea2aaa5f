import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { integerParameter, textParameter } from '../../parameters.ts';
import { snapshotLogSchema } from '../../schemas/trials/snapshot-log.ts';
import { FILE_HEADERS } from './snapshots.ts';

/** The log of publications (docs/log.md), and its files for monitors and witnesses. */

const PAGE_MAX = 1_000_000;
const LIST_MAX = 100;
const SIZE_MAX = 1_000_000_000;
const NAMES = ['checkpoint', 'identities', 'keys'] as const;

const getSnapshotLog = defineOperation({
  id: 'snapshot-log',
  method: 'GET',
  path: '/api/v1/snapshots/log',
  summary: 'Read the log of publications',
  description:
    'The identity of every snapshot that was ever published, in order, with the newest checkpoint over them: the root of their Merkle tree, signed by the operator where there is a key. Nothing is ever taken out of it. Whoever keeps a checkpoint can check later that the log still continues it, so that no published snapshot was replaced or denied.',
  whenToUse: 'To check that a snapshot is one that the operator published, or to follow the log as a monitor.',
  next: ['snapshot-log-file', 'snapshot'],
  server: 'index',
  names: { mcp: 'snapshots_log', a2a: 'world_snapshot_log', sdk: 'getSnapshotLog' },
  tool: {
    title: 'Log of all published versions',
    description:
      'The log of every version that was ever published, with its signed checkpoint: shows that no version was replaced or denied later.',
  },
  bucket: 'read',
  query: {
    page: integerParameter(1, PAGE_MAX, 'Page, from 1.').default(1),
    pageSize: integerParameter(1, LIST_MAX, 'Identities a page.').default(LIST_MAX),
    identity: textParameter(64, 'Also prove that this identity is under the newest checkpoint.', {
      test: /^[0-9a-f]{64}$/,
      words: 'an identity of 64 lower-case hex digits',
    }).optional(),
    from: integerParameter(
      1,
      SIZE_MAX,
      'Also prove that the newest checkpoint continues the one over so many identities.',
    ).optional(),
  },
  output: snapshotLogSchema,
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE'],
  cache: 'revalidate',
});

/** What both addresses of files of the log have in common. */
const LOG_FILE = {
  headers: FILE_HEADERS,
  output: z.string(),
  statuses: [200, 206, 412, 416],
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE'],
  streams: ['text/plain'],
  cache: 'revalidate',
  envelope: false,
} as const;

const getSnapshotLogFile = defineOperation({
  id: 'snapshot-log-file',
  method: 'GET',
  path: '/snapshots/log/{name}',
  summary: 'Download a file of the log of publications',
  description:
    'A file of the log as it is on disk: checkpoint, the newest one; identities, one in hex a line, oldest first; keys, the public keys, one a line, newest first, empty where nothing signs.',
  whenToUse: 'To keep a checkpoint, or to recompute its root from the identities.',
  next: ['snapshot-log', 'snapshot-log-checkpoint'],
  server: 'index',
  bucket: 'read',
  params: {
    name: textParameter(20, 'checkpoint, identities or keys.', {
      test: new RegExp(`^(?:${NAMES.join('|')})$`),
      words: `one of ${NAMES.join(', ')}`,
    }).meta({ examples: ['checkpoint'] }),
  },
  ...LOG_FILE,
  example: '/snapshots/log/checkpoint',
});

const getSnapshotLogCheckpoint = defineOperation({
  id: 'snapshot-log-checkpoint',
  method: 'GET',
  path: '/snapshots/log/checkpoint/{size}',
  summary: 'Download an earlier checkpoint',
  description:
    'The checkpoint over the first so many identities, as it was written; after a change of keys with further signatures over the same text.',
  whenToUse: 'To compare what was signed on an earlier day with what you kept.',
  next: ['snapshot-log', 'snapshot-log-file'],
  server: 'index',
  bucket: 'read',
  params: { size: integerParameter(1, SIZE_MAX, 'Number of identities that it counts.') },
  ...LOG_FILE,
  example: '/snapshots/log/checkpoint/1',
});

export const SNAPSHOT_LOG_OPERATIONS = [getSnapshotLog, getSnapshotLogFile, getSnapshotLogCheckpoint] as const;
