import { z } from 'zod';
import type { ErrorCode } from '../errors/errors.ts';
import { defineOperation, type ParameterShape } from '../operation.ts';
import { getTrialResultsGap } from '../operations/trials/trial-results-gap.ts';
import { searchTrials } from '../operations/trials/trials.ts';
import { textParameter } from '../parameters.ts';
import { trialFilterParameters } from '../trial-filters.ts';
import { chartFileParameter, chartParameters, headerParameter } from './charts.ts';

/**
 * Files of whole results, for people to take away. Each is declared like an operation, so that parameters are read and refused as
 * those of a search are; it is a door, though, and no tool: an agent reads pages of a search instead.
 */

const VERSION_MAX_CHARACTERS = 25;

/** Which version a file is made from. */
const snapshot = textParameter(
  VERSION_MAX_CHARACTERS,
  'The version to answer from, of GET /api/v1/snapshots; without it, the one that is served. With it the address is permanent: the same bytes for as long as the version is held here.',
  {
    test: /^\d{8}T\d{6}Z-[0-9a-f]{8}$/,
    words: 'a version such as 20261121T031500Z-0a1b2c3d',
  },
).optional();

const { page: _page, pageSize: _pageSize, ...everyTrial } = searchTrials.query;

/** Parameters of a page of results that say nothing about a file, which has all of them. */
export const PAGE_PARAMETERS: readonly string[] = ['page', 'pageSize'];

const file = {
  method: 'GET',
  server: 'index',
  bucket: 'export',
  output: z.string(),
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE', 'RATE_LIMITED'],
  envelope: false,
} as const;

export const trialsCsv = defineOperation({
  ...file,
  id: 'trials-csv',
  path: '/trials.csv',
  summary: 'Every trial of a result as CSV',
  description:
    'Every trial that a search finds, in its order, one a row. Takes the parameters of the search. RFC 4180 in UTF-8 with a byte order mark; the heading of the last column says what the file is: snapshot, query, number of trials, licences, and the address that makes it again. A text that a spreadsheet would read as a formula begins with an apostrophe.',
  query: { ...everyTrial, snapshot, header: headerParameter },
  streams: ['text/csv'],
});

export const trialsJsonLines = defineOperation({
  ...file,
  id: 'trials-jsonl',
  path: '/trials.jsonl',
  summary: 'Every trial of a result as JSON Lines',
  description:
    'Every trial that a search finds, in its order, one a line and as the search shows it. The first line is an object whose field about says what the file is. Takes the parameters of the search.',
  query: { ...everyTrial, snapshot },
  streams: ['application/jsonl'],
});

export const trialsRis = defineOperation({
  ...file,
  id: 'trials-ris',
  path: '/trials.ris',
  summary: 'Every trial of a result as references',
  description:
    'Every trial that a search finds, in its order, as a reference in RIS, which Zotero, EndNote and Mendeley read. Takes the parameters of the search.',
  query: { ...everyTrial, snapshot },
  streams: ['application/x-research-info-systems'],
});

export const trialsCsvMetadata = defineOperation({
  ...file,
  id: 'trials-csv-metadata',
  path: '/trials.csv-metadata.json',
  summary: 'The columns of the CSV file of a result',
  description:
    'What the CSV file at the same query holds, in the form of CSV on the Web: each column with its stable name, heading, type and meaning, the snapshot, the licences.',
  query: { ...everyTrial, snapshot, header: headerParameter },
  streams: ['application/csvm+json'],
});

export const TRIAL_FILES = [trialsCsv, trialsJsonLines, trialsRis, trialsCsvMetadata] as const;

/** What the gateway makes of reads: shorter files, feeds and charts. */
interface TakenDoor {
  readonly id: string;
  readonly path: string;
  readonly mediaType: string;
  readonly furtherMediaTypes?: readonly string[];
  readonly summary: string;
  readonly bucket: 'read' | 'export';
  readonly params?: ParameterShape;
  readonly query: ParameterShape;
  /** A picture or feed cannot say in itself what was ignored, so that it refuses by name what it does not know. */
  readonly unknownParameters?: 'named';
  readonly errors: readonly ErrorCode[];
}

const ATOM = 'application/atom+xml';
const INDEX_ERRORS = ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE'] as const;

const { page: _gapPage, pageSize: _gapPageSize, text: _gapText, ...gapFilters } = getTrialResultsGap.query;

export const TAKEN_DOORS = [
  {
    id: 'chart',
    path: '/charts/{file}',
    mediaType: 'image/svg+xml',
    furtherMediaTypes: ['text/csv'],
    summary: 'A picture of the pages as SVG (.svg) or as its numbers (.csv), with the parameters of its page',
    bucket: 'read',
    params: { file: chartFileParameter },
    query: { ...chartParameters, snapshot, header: headerParameter },
    unknownParameters: 'named',
    errors: [
      ...INDEX_ERRORS,
      'TRIAL_NOT_FOUND',
      'FINDING_NOT_FOUND',
      'LINKS_UNAVAILABLE',
      'run_rejected',
      'DATASET_UNAVAILABLE',
      'MIND_DEPENDENCY_UNAVAILABLE',
      'MIND_INTEGRITY_UNVERIFIED',
      'TRENDS_DEPENDENCY_UNAVAILABLE',
      'TRENDS_INTEGRITY_UNVERIFIED',
    ],
  },
  {
    id: 'results-gap-csv',
    path: '/results-gap.csv',
    mediaType: 'text/csv',
    summary: 'Shares of completed trials without posted results, of all and of every group, as CSV',
    bucket: 'read',
    query: { ...gapFilters, snapshot, header: headerParameter },
    errors: INDEX_ERRORS,
  },
  {
    id: 'trials-atom',
    path: '/trials.atom',
    mediaType: ATOM,
    summary: 'The newest changes of the trials that a query finds, as an Atom feed',
    bucket: 'read',
    query: trialFilterParameters,
    unknownParameters: 'named',
    errors: INDEX_ERRORS,
  },
  {
    id: 'board-atom',
    path: '/board.atom',
    mediaType: ATOM,
    summary: 'The newest events of the board as an Atom feed: texts of agents, not verified',
    bucket: 'read',
    query: {},
    unknownParameters: 'named',
    errors: ['INVALID_PARAM', 'CHANGES_UNAVAILABLE'],
  },
  {
    id: 'snapshots-atom',
    path: '/snapshots.atom',
    mediaType: ATOM,
    summary: 'The newest published versions as an Atom feed',
    bucket: 'read',
    query: {},
    unknownParameters: 'named',
    errors: INDEX_ERRORS,
  },
] as const satisfies readonly TakenDoor[];
