import { defineOperation } from '../../operation.ts';
import { enumParameter, listParameter } from '../../parameters.ts';
import { TREND_MAX_SERIES, TREND_PERIODS, TREND_SPLITS, trendSchema } from '../../schemas/trials/trend.ts';
import { trialFilterParameters } from '../../trial-filters.ts';
import { SHOWN_FOR_COUNTS } from './trials.ts';

export const getTrialTrend = defineOperation({
  id: 'trials-trend',
  method: 'GET',
  path: '/api/v1/trials/trend',
  summary: 'Count trials by their start',
  description: `Distinct trials by year or quarter of their start, of one query with every filter of the search, and where asked for split by phase, status, country or inferred modality: the ${TREND_MAX_SERIES} values with the most trials, and the others together. Trials that state no start are counted apart. Starts after asOf are planned, and the youngest periods grow as sponsors register late. An addition to the interface.`,
  whenToUse: 'To see how a field developed over time in one call, with the filters of the search.',
  next: ['trials-landscape', 'trials-coverage'],
  server: 'index',
  names: { mcp: 'trials_trend', a2a: 'world_trial_trend', sdk: 'getTrialTrend' },
  tool: {
    title: 'New trials per year',
    description:
      'How the number of new trials changed over the years: distinct trials per year or quarter of their start, with all filters of the search, also split by phase, status, country or modality.',
    shown: [...SHOWN_FOR_COUNTS, 'by', 'split'],
  },
  bucket: 'read',
  costly: true,
  query: {
    ...trialFilterParameters,
    by: enumParameter(TREND_PERIODS, 'Length of a period.').default('year'),
    split: enumParameter(
      TREND_SPLITS,
      'Adds a series for each value. A trial can have several countries and modalities; modality is inferred.',
    ).optional(),
    include: listParameter(['explain'], 'explain shows how match=concepts read q.').optional(),
  },
  output: trendSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
  example: '/api/v1/trials/trend?q=diabetes&by=year&split=phase',
});

export const TREND_OPERATIONS = [getTrialTrend] as const;
