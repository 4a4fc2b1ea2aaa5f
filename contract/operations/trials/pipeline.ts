import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { enumParameter, integerParameter, textParameter } from '../../parameters.ts';
import { RECORDED_COMMANDS, RUN_OUTCOME_CODES } from '../../run-outcomes.ts';
import { pipelineRunDetailSchema, pipelineRunSchema, RUN_ID_PATTERN } from '../../schemas/trials/pipeline-run.ts';

/** Additions to the interface: the record of the runs that made the index. */

const PAGE_MAX = 1_000_000;
const LIST_MAX = 100;
const RUN_ID_CHARACTERS = 23;

export const getPipelineRuns = defineOperation({
  id: 'pipeline-runs',
  method: 'GET',
  path: '/api/v1/pipeline/runs',
  summary: 'List the runs of the pipeline',
  description:
    'The recorded runs that made, refused or failed to make a version of the index, newest first: outcome in a code and in words, duration of each stage, records read, checks of the publication gate by verdict, and what the operator does next. Read only.',
  whenToUse:
    'To see why the data are as old as they are: whether the last run published, found nothing new, was refused or failed.',
  next: ['pipeline-run', 'freshness', 'snapshots'],
  server: 'index',
  names: { mcp: 'snapshots_list_runs', a2a: 'pipeline_runs', sdk: 'getPipelineRuns' },
  tool: {
    title: 'Updates of the index',
    description:
      'Runs that updated the index, or did not: published, unchanged, refused or failed, and why, newest first.',
  },
  bucket: 'read',
  query: {
    outcome: enumParameter(RUN_OUTCOME_CODES, 'Only runs with this outcome.').optional(),
    command: enumParameter(RECORDED_COMMANDS, 'Only runs of this command.').optional(),
    page: integerParameter(1, PAGE_MAX, 'Page, from 1.').default(1),
    pageSize: integerParameter(1, LIST_MAX, 'Runs a page.').default(20),
  },
  output: z.object({
    state: z
      .enum(['recorded', 'no-run-recorded'])
      .describe('no-run-recorded: there is no record of runs here, so nothing is known of any run'),
    runs: z.array(pipelineRunSchema),
    unreadableLines: z
      .int()
      .describe('lines of the record that tell nothing: cut by a kill, or written by a newer program'),
    olderLeftOut: z.boolean().describe('whether the record has older runs than are read here'),
  }),
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'revalidate',
});

export const getPipelineRun = defineOperation({
  id: 'pipeline-run',
  method: 'GET',
  path: '/api/v1/pipeline/runs/{run}',
  summary: 'Read one run of the pipeline',
  description:
    'One recorded run with every check of the publication gate: its figure, its limit and its verdict, the breaches that the operator accepted, and why. Read only.',
  whenToUse: 'To see which checks a run passed, and by which figures it was refused.',
  next: ['pipeline-runs', 'snapshot'],
  server: 'index',
  names: { mcp: 'snapshots_get_run', sdk: 'getPipelineRun' },
  tool: {
    title: 'Read one update of the index',
    description: 'One run of the pipeline with every check before publication: its figure, its limit and its verdict.',
  },
  bucket: 'read',
  params: {
    run: textParameter(RUN_ID_CHARACTERS, 'A run of GET /api/v1/pipeline/runs; latest is the newest one.', {
      test: new RegExp(`^latest$|${RUN_ID_PATTERN.source}`),
      words: 'a run such as 20261121T031500Z-0a1b2c, or latest',
    }),
  },
  output: pipelineRunDetailSchema,
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'TRIALS_UNAVAILABLE'],
  cache: 'revalidate',
  example: '/api/v1/pipeline/runs/latest',
});

export const PIPELINE_OPERATIONS = [getPipelineRuns, getPipelineRun] as const;
