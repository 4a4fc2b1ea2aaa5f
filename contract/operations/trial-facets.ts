import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { trialFilterParameters } from './trials.ts';

export const getTrialFacets = defineOperation({
  id: 'trials-facets',
  method: 'GET',
  path: '/api/v1/trials/facets',
  summary: 'temporary',
  description: 'temporary',
  server: 'index',
  bucket: 'read',
  query: { ...trialFilterParameters },
  output: z.object({
    facets: z.array(
      z.object({
        filter: z.string(),
        values: z.array(z.object({ value: z.string(), title: z.string(), trials: z.int() })),
        others: z.int(),
      }),
    ),
  }),
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
});
