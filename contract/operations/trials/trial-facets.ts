import { defineOperation } from '../../operation.ts';
import { integerParameter, listParameter, textParameter } from '../../parameters.ts';
import { FACETS, trialFacetsSchema } from '../../schemas/trials/trial-facets.ts';
import { trialFilterParameters } from '../../trial-filters.ts';
import { SHOWN_FOR_COUNTS } from './trials.ts';

/** Values of a facet that are shown at once. */
export const FACET_VALUES = 20;
const VALUES_MAX_ITEMS = 300;
const PAGE_MAX = 100_000;
const TEXT_MAX_CHARACTERS = 200;

export const getTrialFacets = defineOperation({
  id: 'trials-facets',
  method: 'GET',
  path: '/api/v1/trials/facets',
  summary: 'List the values that the trials of a search have',
  description: `By country, status, phase, year of start, condition, class of the sponsor, sponsor, results, registry and modality: which values the trials of a query have, and how many trials a search finds with each in place of the facet's own filter. Each value has the filters that ask for it. Of conditions and sponsors the ${FACET_VALUES} with the most trials are shown, and of countries all; facet with page or text reads on. Phases are exact: a trial of phases 1 and 2 counts as 1-2 alone (phaseMatch=exact). An addition to the interface.`,
  whenToUse: 'To narrow a search: which values there are, and how many trials each would leave.',
  next: ['trials-search', 'trials-coverage', 'trials-values'],
  server: 'index',
  names: { mcp: 'trials_facets', a2a: 'world_trial_facets', sdk: 'getTrialFacets' },
  tool: {
    title: 'Break trials down by country, phase, sponsor, ...',
    description:
      'Breaks the trials of a search down by country, status, phase, start year, condition, sponsor, results, registry or modality: the values, the number of trials of each, and the filters that list exactly these.',
    shown: [...SHOWN_FOR_COUNTS.filter((name) => name !== 'include'), 'facet', 'page', 'text'],
  },
  bucket: 'read',
  costly: true,
  query: {
    ...trialFilterParameters,
    facet: listParameter(FACETS, 'Only these facets.').optional(),
    page: integerParameter(1, PAGE_MAX, 'Page of the values of a facet, from 1; with one facet.').default(1),
    pageSize: integerParameter(
      1,
      VALUES_MAX_ITEMS,
      `Values a page; ${FACET_VALUES} as without it, and all countries; with one facet.`,
    ).optional(),
    text: textParameter(
      TEXT_MAX_CHARACTERS,
      'Only values that have this text at the start of a word, in any case; with one facet.',
    ).optional(),
  },
  output: trialFacetsSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
  example: '/api/v1/trials/facets?q=diabetes&facet=phase',
});

export const FACET_OPERATIONS = [getTrialFacets] as const;
