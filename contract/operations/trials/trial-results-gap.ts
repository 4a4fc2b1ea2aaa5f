import { RESULTS_GAP_MONTHS } from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { enumParameter, integerParameter, textParameter } from '../../parameters.ts';
import { GAP_GROUPS, GAP_SORTS, trialResultsGapSchema } from '../../schemas/trials/trial-results-gap.ts';
import { trialFilterParameters } from '../../trial-filters.ts';
import { SHOWN_FOR_COUNTS } from './trials.ts';

const PAGE_MAX = 100_000;
const GROUPS_MAX_ITEMS = 100;
const TEXT_MAX_CHARACTERS = 200;

/** What is counted here decides these two; a caller narrows by every other filter. */
const { resultsGap, resultsDue, ...filters } = trialFilterParameters;

export const getTrialResultsGap = defineOperation({
  id: 'trials-results-gap',
  method: 'GET',
  path: '/api/v1/trials/results-gap',
  summary: 'Share of completed trials without posted results',
  description: `How many completed interventional trials of ClinicalTrials.gov have no results posted ${RESULTS_GAP_MONTHS} months after completion, among how many whose results were due, with the days overdue: of any query, and in groups by disease, condition, sponsor, class of the sponsor, year in which results fell due, phase or country. gapClock and gapMonths choose the clock, and the answer has the same numbers by each. Every number has the filters whose search lists exactly its trials. ISRCTN is not covered and never added. It says nothing about any duty to post. An addition to the interface.`,
  whenToUse: 'To quote a share of trials without posted results, with its denominator and its definition.',
  next: ['results-gap', 'results-gap-next'],
  server: 'index',
  names: { mcp: 'trials_results_gap', a2a: 'world_trial_results_gap', sdk: 'getTrialResultsGap' },
  tool: {
    title: 'Share of trials whose results are missing',
    description:
      'What share of completed trials of a disease, sponsor, country or phase never posted results, out of how many, how long overdue, in groups by sponsor, disease, year and more, with the filters that list each.',
    shown: [...SHOWN_FOR_COUNTS.filter((name) => name !== 'include'), 'sponsor', 'by', 'gapClock', 'gapMonths', 'page'],
  },
  bucket: 'read',
  costly: true,
  query: {
    ...filters,
    by: enumParameter(
      GAP_GROUPS,
      'Adds the same numbers for each group. disease: the curated topics; condition: as registries write it; year: in which the results fell due.',
    ).optional(),
    page: integerParameter(1, PAGE_MAX, 'Page of the groups, from 1; with by.').default(1),
    pageSize: integerParameter(1, GROUPS_MAX_ITEMS, 'Groups a page.').default(20),
    sort: enumParameter(
      GAP_SORTS,
      'Order of the groups: numerator, largest first, or name. Phases, classes and years keep their own order.',
    ).default('numerator'),
    text: textParameter(
      TEXT_MAX_CHARACTERS,
      'Only groups that have this text at the start of a word, in any case; with by.',
    ).optional(),
  },
  output: trialResultsGapSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
  example: '/api/v1/trials/results-gap?q=diabetes&by=phase',
});

export const RESULTS_GAP_SHARE_OPERATIONS = [getTrialResultsGap] as const;
