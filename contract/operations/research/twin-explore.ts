import { EXPLORE_AGE_BANDS, EXPLORE_STAGES } from '../../declared/research.ts';
import { QUERY_MAX_CHARACTERS } from '../../limits/limits.ts';
import { EXPLORE_EXAMPLES, EXPLORE_MARKER_MAX_CHARACTERS, EXPLORE_MAX_MARKERS } from '../../limits/research.ts';
import { defineOperation } from '../../operation.ts';
import { enumParameter, integerParameter, textListParameter, textParameter } from '../../parameters.ts';
import { explorationSchema } from '../../schemas/trials/exploration.ts';

const exploreRegistry = defineOperation({
  id: 'twin-explore',
  method: 'GET',
  path: '/api/v1/twin/explore',
  summary: 'Explore what is registered for a condition',
  description:
    'How many trials the index holds for a condition, by status, by phase and with results, and how a stage of disease, an age band and markers narrow them. Each is a search in the texts of trials, which the answer states. Counts are descriptive and examples alphabetical: nothing is scored, and the answer says what the index does not hold instead of guessing.',
  whenToUse: 'To see what is registered around an assumption of a model; it does not say what works.',
  next: ['trials-search', 'trials-coverage', 'patient-model'],
  server: 'index',
  names: { mcp: 'twin_explore_condition', sdk: 'exploreConditionRegistry' },
  tool: {
    title: 'What is registered for a condition',
    description:
      'What trials are registered for a condition, and how a stage of disease, an age band and markers narrow them: counts by status and phase, with examples.',
  },
  bucket: 'read',
  query: {
    condition: textParameter(QUERY_MAX_CHARACTERS, 'A condition exactly as a registry names it, in any case.'),
    stage: enumParameter(EXPLORE_STAGES, 'Stage of disease, by words of the texts.').optional(),
    ageBand: enumParameter(EXPLORE_AGE_BANDS, 'Age band, by words of the texts.').optional(),
    markers: textListParameter(
      { items: EXPLORE_MAX_MARKERS, max: EXPLORE_MARKER_MAX_CHARACTERS },
      'Markers, genes or words, each searched for on its own; trials that match any of them are counted.',
    ).optional(),
    examples: integerParameter(EXPLORE_EXAMPLES.min, EXPLORE_EXAMPLES.max, 'Examples to show.').default(
      EXPLORE_EXAMPLES.max,
    ),
  },
  output: explorationSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
  example: '/api/v1/twin/explore?condition=Type%201%20Diabetes&stage=early&examples=2',
});

export const EXPLORE_OPERATIONS = [exploreRegistry] as const;
