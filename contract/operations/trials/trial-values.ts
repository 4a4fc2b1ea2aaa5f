import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { enumParameter, integerParameter, textParameter } from '../../parameters.ts';

export const VALUE_FIELDS = ['condition', 'country', 'topic'] as const;
const TEXT_MAX_CHARACTERS = 200;
const VALUES_MAX_ITEMS = 100;

export const listTrialValues = defineOperation({
  id: 'trials-values',
  method: 'GET',
  path: '/api/v1/trials/values',
  summary: 'List the values that a filter of trials takes',
  description:
    'The conditions, countries or topics that trials of the index have, most trials first, all or those with a text in them. Each can be sent as it stands to the filter of that name. A trial can have several, so that their counts are never to be added. An addition to the interface.',
  whenToUse: 'To see how registries write a condition before filtering by it, or which countries and topics there are.',
  next: ['trials-search', 'trials-facets', 'trials-coverage'],
  server: 'index',
  tool: {
    title: 'List which conditions, countries or topics trials have',
    description:
      'List the names of conditions, the countries or the topics that trials are filtered by, most trials first, all or those with a word in them: how do registries spell a condition, which countries are there.',
  },
  names: { mcp: 'trials_values', sdk: 'listTrialValues' },
  bucket: 'read',
  costly: true,
  query: {
    field: enumParameter(VALUE_FIELDS, 'The filter whose values are listed.'),
    text: textParameter(
      TEXT_MAX_CHARACTERS,
      'Only values that have this text at the start of a word, in any case; of a topic its title counts too.',
    )
      .meta({ examples: ['diabetes'] })
      .optional(),
    limit: integerParameter(1, VALUES_MAX_ITEMS, 'At most so many values.').default(20),
  },
  output: z.object({
    field: z.enum(VALUE_FIELDS),
    total: z.int().describe('values that have the text'),
    values: z
      .array(z.object({ value: z.string(), trials: z.int().describe('by words, as the filter reads it by default') }))
      .describe('most trials first, then by name'),
  }),
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
  example: '/api/v1/trials/values?field=condition&text=diabetes',
});

export const VALUE_OPERATIONS = [listTrialValues] as const;
