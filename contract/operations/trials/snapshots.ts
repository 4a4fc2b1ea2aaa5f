import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { defineOperation } from '../../operation.ts';
import { enumParameter, integerParameter, textParameter } from '../../parameters.ts';
import { snapshotSchema, snapshotSummarySchema, unreadableSnapshotSchema } from '../../schemas/trials/snapshot.ts';
import { DIFF_KINDS, snapshotDiffSchema } from '../../schemas/trials/snapshot-diff.ts';

/** Beside the pages of the versions, so that an address of a file can be kept for good. */

const VERSION_MAX_CHARACTERS = 25;
const NAME_MAX_CHARACTERS = 80;
const ID_MAX_CHARACTERS = 80;
const FIELD_MAX_CHARACTERS = 80;
const PAGE_MAX = 1_000_000;
const LIST_MAX = 100;
const DIFF_MAX = 100;

const version = (description: string) =>
  textParameter(VERSION_MAX_CHARACTERS, description, {
    test: /^(?:current|\d{8}T\d{6}Z-[0-9a-f]{8})$/,
    words: 'a version such as 20261121T031500Z-0a1b2c3d, or current',
  });

const paging = (most: number, fallback: number, what: string) => ({
  page: integerParameter(1, PAGE_MAX, 'Page, from 1.').default(1),
  pageSize: integerParameter(1, most, `${what} a page.`).default(fallback),
});

const KEPT_VERSION =
  'A version of GET /api/v1/snapshots, or one that was removed and whose manifest is kept; current is the one that is served.';
const VERSION = 'A version of GET /api/v1/snapshots; current is the one that is served.';

export const getSnapshots = defineOperation({
  id: 'snapshots',
  method: 'GET',
  path: '/api/v1/snapshots',
  summary: 'List the published versions',
  description:
    'Every version of the index that is still held, newest first: when it was published, what it holds, how it differs from its parent, and how large it is. Versions are never changed; old ones are removed by the operator, and are not listed or counted here any more: GET /api/v1/snapshots/{version} still tells what they were.',
  whenToUse: 'To see how the index grew, or to pick two versions to compare.',
  next: ['snapshot', 'snapshot-diff'],
  server: 'index',
  names: { mcp: 'snapshots_list', a2a: 'world_snapshots', sdk: 'getSnapshots' },
  tool: {
    title: 'Published versions of the index',
    description:
      'The published versions of the trial index, newest first: when each came out, how many trials it holds, and how many were added, changed, merged or removed.',
  },
  bucket: 'read',
  query: paging(LIST_MAX, 20, 'Versions'),
  output: z.object({
    current: z.string().nullable().describe('the version that CURRENT names'),
    snapshots: z.array(snapshotSummarySchema),
    unreadable: z.array(unreadableSnapshotSchema).describe('versions of this page that exist and cannot be shown'),
  }),
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'revalidate',
});

export const getSnapshot = defineOperation({
  id: 'snapshot',
  method: 'GET',
  path: '/api/v1/snapshots/{version}',
  summary: 'Read the manifest of a version',
  description:
    'Everything that a published version states of itself: inputs with the hashes of their bytes, rules, accepted breaches of the publication gate, counts, each table with its root, and every file with its bytes, SHA-256 and address. Of a version that was removed (state removed) it tells when, and the same figures, and how the version differed from its parent; no table can be downloaded any more, but its manifest, list of files, record of the run and stored changes can.',
  whenToUse: 'To verify a number back to its source, or to download the tables behind it.',
  next: ['snapshot-file', 'snapshot-folder-file', 'snapshot-diff'],
  server: 'index',
  names: { mcp: 'snapshots_get', a2a: 'world_snapshot', sdk: 'getSnapshot' },
  tool: {
    title: 'Details of one version of the index',
    description:
      'What one version of the index was made of: inputs with their hashes, rules, counts, tables and files to download. version=current is the served one.',
  },
  bucket: 'read',
  params: { version: version(KEPT_VERSION) },
  output: snapshotSchema,
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE'],
  cache: 'revalidate',
  example: '/api/v1/snapshots/current',
});

export const getSnapshotDiff = defineOperation({
  id: 'snapshot-diff',
  method: 'GET',
  path: '/api/v1/snapshots/{from}/diff/{to}',
  summary: 'Compare two versions',
  description:
    'What differs between two versions that are held: exact totals of trials, registrations, links and feed items, which add up, and one paged list of entries; a changed entry shows each field with its old and new value. Identifiers and publications that a record gained or lost are no list of it: trials-changes has them. A pair is compared once, by hashes of all rows. Where that takes longer than a request may, the answer is 503 with Retry-After while the comparison goes on, so a repeat succeeds.',
  whenToUse: 'To see which trials were added, removed, changed, merged or split, and field by field how.',
  next: ['trials-detail', 'snapshots'],
  server: 'index',
  names: { mcp: 'snapshots_diff', a2a: 'world_snapshot_diff', sdk: 'getSnapshotDiff' },
  tool: {
    title: 'Compare two versions of the index',
    description:
      'What differs between two versions of the index: totals of trials added, changed, merged and removed, and one list by page. To follow a query from day to day, use trials_changes.',
  },
  bucket: 'read',
  costly: true,
  params: { from: version(VERSION), to: version(VERSION) },
  query: {
    kind: enumParameter(DIFF_KINDS, 'The list to show.').default('trials-changed'),
    field: textParameter(
      FIELD_MAX_CHARACTERS,
      'Only entries in which this column differs; for lists of changed ones.',
      {
        test: /^[a-z][A-Za-z0-9_.]*$/,
        words: 'the name of a column, such as recruitment_status',
      },
    ).optional(),
    registry: enumParameter(REGISTRY_IDS, 'Only entries about a registration of this registry.').optional(),
    q: textParameter(ID_MAX_CHARACTERS, 'Only entries with an id that contains this text, in any case.').optional(),
    ...paging(DIFF_MAX, 25, 'Entries'),
  },
  output: snapshotDiffSchema,
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE'],
  cache: 'revalidate',
  example: '/api/v1/snapshots/current/diff/current',
});

const fileName = (description: string) =>
  textParameter(NAME_MAX_CHARACTERS, description, {
    test: /^[A-Za-z0-9_][A-Za-z0-9._-]*$/,
    words:
      'part of the path of a file that GET /api/v1/snapshots/{version} lists, with the slash after its folder written as / and not as %2F',
  });

/** Headers that an operation reads whose answer is a file. */
export const FILE_HEADERS = {
  range: { header: 'range', description: 'One range of bytes, such as bytes=0-1023; several give the whole file.' },
  ifMatch: {
    header: 'if-match',
    description: 'The ETag of the file that you expect; where it is another, the answer is 412 without a body.',
  },
  ifRange: {
    header: 'if-range',
    description: 'The ETag of the part that you hold; where it differs, the answer is the whole file.',
  },
} as const;

/** What both addresses of files have in common. */
const FILE = {
  method: 'GET',
  next: ['snapshot'],
  server: 'index',
  bucket: 'read',
  headers: FILE_HEADERS,
  output: z.string(),
  statuses: [200, 206, 412, 416],
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE'],
  streams: [
    'application/vnd.apache.parquet',
    'application/vnd.apache.arrow.file',
    'application/json',
    'application/octet-stream',
    'text/plain',
  ],
  cache: 'revalidate',
  envelope: false,
} as const;

const getSnapshotFile = defineOperation({
  ...FILE,
  id: 'snapshot-file',
  path: '/snapshots/{version}/files/{name}',
  summary: 'Download a file of a version',
  description:
    'A file of a published version, byte by byte as published, with its length and its SHA-256 (ETag and Repr-Digest): a table, its manifest, list of files, record of the run and descriptions. Range requests resume an interrupted download. Only what the manifest names and what stands beside it is served; of a removed version only what is kept of it.',
  whenToUse: 'To read the tables yourself, for instance with DuckDB, or to check their hashes.',
  params: { version: version(KEPT_VERSION), name: fileName('Name of a file of the version, such as trials.parquet.') },
  example: '/snapshots/current/files/manifest.json',
});

const getSnapshotFolderFile = defineOperation({
  ...FILE,
  id: 'snapshot-folder-file',
  path: '/snapshots/{version}/files/{folder}/{name}',
  summary: 'Download a file in a folder of a version',
  description:
    'A file of a published version that is in a folder of it: a part of the payloads as received (raw/) or of the image that the index maps (serving/). Everything else is as for a file of the version itself.',
  whenToUse: 'To read payloads byte by byte as the registry sent them, or to hold a copy of the service.',
  params: {
    version: version(KEPT_VERSION),
    folder: fileName('Folder of the version, such as raw.'),
    name: fileName('Name of a file in the folder, such as part-0000.parquet.'),
  },
  example: '/snapshots/current/files/serving/rows.arrow',
});

export const SNAPSHOT_OPERATIONS = [
  getSnapshots,
  getSnapshot,
  getSnapshotDiff,
  getSnapshotFile,
  getSnapshotFolderFile,
] as const;
