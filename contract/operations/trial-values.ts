import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { enumParameter, integerParameter, textParameter } from '../parameters.ts';

export const VALUE_FIELDS = ['condition', 'country', 'topic'] as const;
const BEGINNING_MAX_CHARACTERS = 200;
const VALUES_MAX_ITEMS = 100;

export const listTrialValues = defineOperation({
  id: 'trials-values',
  method: 'GET',
  path: '/api/v1/trials/values',
  summary: 'List the values that a filter of trials takes',
  description:
    'The conditions, countries or topics that trials of the index have, most trials first, all or those that begin with a text. Each can be sent as it stands to the filter of that name. A trial can have several, so that their counts are never to be added. An addition to the interface.',
  whenToUse: 'To see how registries write a condition before filtering by it, or which countries and topics there are.',
  next: ['trials-search', 'trials-coverage'],
  server: 'index',
  names: { mcp: 'trials_values', sdk: 'listTrialValues' },
  tool: {
    title: 'Values of a filter: conditions, countries, topics',
    description:
      'How the registries write a condition or a country, and which topics exist: the values that a filter of the search takes, most trials first, all or those that begin with your text.',
  },
  bucket: 'read',
  query: {
    field: enumParameter(VALUE_FIELDS, 'The filter whose values are listed.'),
    begins: textParameter(
      BEGINNING_MAX_CHARACTERS,
      'Only values that begin with this text, in any case; of a topic also those whose title does.',
    )
      .meta({ examples: ['diabetes'] })
      .optional(),
    limit: integerParameter(1, VALUES_MAX_ITEMS, 'At most so many values.').default(20),
  },
  output: z.object({
    field: z.enum(VALUE_FIELDS),
    total: z.int().describe('values that begin so'),
    values: z
      .array(z.object({ value: z.string(), trials: z.int().describe('by words, as the filter reads it by default') }))
      .describe('most trials first, then by name'),
  }),
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
  example: '/api/v1/trials/values?field=condition&begins=diabetes',
});

export const VALUE_OPERATIONS = [listTrialValues] as const;
