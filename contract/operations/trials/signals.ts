import { z } from 'zod';
import {
  HOPE_DEFAULT_ITEMS,
  HOPE_MAX_ITEMS,
  MIND_DEFAULT_DAYS,
  MIND_MAX_DAYS,
  MIND_MIN_DAYS,
  OFFSET_MAX_ITEMS,
  QUERY_MAX_CHARACTERS,
} from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { pageParameters } from '../../paging.ts';
import { booleanParameter, integerParameter, listParameter, textParameter } from '../../parameters.ts';
import { errorSchema, metaSchema } from '../../schemas/envelope.ts';
import { hopeSignalSchema, mindSignalSchema, trendsSignalSchema } from '../../schemas/trials/signals.ts';

const days = integerParameter(MIND_MIN_DAYS, MIND_MAX_DAYS, 'Days of the trailing window of mind.').default(
  MIND_DEFAULT_DAYS,
);
const disease = textParameter(
  QUERY_MAX_CHARACTERS,
  'Only items and trials that contain every word of this keyword; words match as in the trial search.',
).optional();
const series = booleanParameter('false drops the daily series of trends.').default(true);

const HOPE_PARTS = ['trials', 'research', 'stats'] as const;
const TRENDS_PARTS = ['signal', 'crypto'] as const;
const BATCH_PARTS = ['mind', 'hope', 'trends'] as const;

export const getMind = defineOperation({
  id: 'mind',
  method: 'GET',
  path: '/api/v1/mind',
  summary: 'Read the mind signal',
  description:
    'What the feeds published, sorted into four capitals (Material, Intelligence, Network, Diversity) by published lexicons: count, share, direction and newest items of each, a daily sparkline, how even the four are, and how much of it is about research or treatment. Attention and announced capital, not trials.',
  whenToUse: 'To read what is published and announced; it never replaces the trial counts.',
  next: ['trends', 'trials-coverage'],
  server: 'index',
  catalogueId: 'mind',
  names: { mcp: 'get_mind_signal', a2a: 'mind_signal', sdk: 'getMind' },
  tool: {
    title: 'Research news, by kind',
    description:
      'Research news about a disease or in general, of the last days: counts, shares and the newest items, sorted into four kinds (material, intelligence, network, diversity).',
  },
  bucket: 'read',
  query: { days, disease },
  output: mindSignalSchema,
  errors: ['INVALID_PARAM', 'MIND_DEPENDENCY_UNAVAILABLE', 'MIND_INTEGRITY_UNVERIFIED'],
  cache: 'snapshot',
  example: '/api/v1/mind?days=30',
});

export const getHope = defineOperation({
  id: 'hope',
  method: 'GET',
  path: '/api/v1/hope',
  summary: 'Read the hope signal',
  description:
    'Running trials by a census of ClinicalTrials.gov alone, in total and for each curated disease; the multi-registry index beside it in `world`, never added to it; curated research items; what the platform holds.',
  whenToUse: 'To see how much is running and what curated research reports; quote totals from the coverage of trials.',
  next: ['trials-coverage', 'trials-landscape'],
  server: 'index',
  catalogueId: 'hope',
  names: { mcp: 'get_hope_signal', a2a: 'hope_signal', sdk: 'getHope' },
  tool: {
    title: 'Running trials by disease, and curated research',
    description:
      'How much is running now: active trials of ClinicalTrials.gov in total and by disease, and curated research items. Numbers to quote come from get_trial_coverage.',
  },
  bucket: 'read',
  query: {
    include: listParameter(HOPE_PARTS, 'Blocks to read beside `world`; all by default.').optional(),
    disease,
    ...pageParameters('Research items', HOPE_DEFAULT_ITEMS),
    limit: integerParameter(1, HOPE_MAX_ITEMS, 'Research items a page.').default(HOPE_DEFAULT_ITEMS),
    offset: integerParameter(0, OFFSET_MAX_ITEMS, 'Research items to skip; ignored where cursor is given.').default(0),
  },
  output: hopeSignalSchema,
  errors: ['INVALID_PARAM', 'HOPE_UNAVAILABLE'],
  cache: 'snapshot',
  example: '/api/v1/hope?limit=2',
});

export const getTrends = defineOperation({
  id: 'trends',
  method: 'GET',
  path: '/api/v1/trends',
  summary: 'Read the trends signal',
  description:
    'How much the feeds published in 30 days, this week against the week before, and how concentrated it is by kind of feed and by web domain; token-generation events read by how their supply was shared out.',
  whenToUse: 'To see whether attention grows or narrows; it does not say what is true or promising.',
  next: ['mind', 'batch'],
  server: 'index',
  catalogueId: 'trends',
  names: { mcp: 'get_trends_signal', a2a: 'trends_signal', sdk: 'getTrends' },
  tool: {
    title: 'Whether attention is growing',
    description:
      'Is attention to a disease growing: what the news feeds published this week against the week before, and how concentrated it is on few of them.',
  },
  bucket: 'read',
  query: {
    include: listParameter(TRENDS_PARTS, 'Blocks to read; all by default.').optional(),
    series,
    disease,
  },
  output: trendsSignalSchema,
  errors: ['INVALID_PARAM', 'TRENDS_DEPENDENCY_UNAVAILABLE', 'TRENDS_INTEGRITY_UNVERIFIED'],
  cache: 'snapshot',
});

const part = <Data extends z.ZodType>(data: Data) =>
  z.union([
    z.object({ status: z.literal(200), data, _meta: metaSchema }),
    z.object({ status: z.literal(503), error: errorSchema }),
  ]);

export const getBatch = defineOperation({
  id: 'batch',
  method: 'GET',
  path: '/api/v1/batch',
  summary: 'Read all signals in one request',
  description:
    'mind, hope and trends, each in its own envelope. A signal that fails shows its error with status 503 in place of its data; the other signals and the request itself still succeed.',
  whenToUse: 'To read several signals for one request of the rate limit.',
  next: ['mind', 'hope', 'trends'],
  server: 'index',
  catalogueId: 'batch',
  names: { mcp: 'get_batch_signals', sdk: 'getBatch' },
  tool: {
    title: 'All signals at once',
    description:
      'All signals in one call: research news (mind), running trials (hope) and attention (trends), each with its own answer or error.',
  },
  bucket: 'read',
  query: {
    include: listParameter(BATCH_PARTS, 'Signals to read; all by default.').optional(),
    days,
    series,
    disease,
  },
  output: z.object({
    mind: part(mindSignalSchema).optional(),
    hope: part(hopeSignalSchema).optional(),
    trends: part(trendsSignalSchema).optional(),
  }),
  errors: ['INVALID_PARAM'],
});

export const SIGNAL_OPERATIONS = [getMind, getHope, getTrends, getBatch] as const;
