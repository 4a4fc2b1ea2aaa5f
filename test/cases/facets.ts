import type { Cases } from './case.ts';

/** Facts of the sample corpus: the values of a search, and the shares of trials without results. */

export const FACET_CASES: Cases = {
  'a facet has the number of trials of each value and the filters that find them': {
    operation: 'trials-facets',
    given: { q: 'diabetes', facet: 'phase' },
    data: { trials: 86, facets: [{ facet: 'phase', own: ['phase', 'phaseMatch'], trials: 86 }] },
  },
  'the share of trials without results has its denominator, its definition and the filters of both lists': {
    operation: 'trials-results-gap',
    given: { q: 'diabetes', by: 'phase' },
    data: {
      ...{ clock: 'primaryCompletion', months: 18, registry: 'clinicaltrials_gov' },
      ...{ numerator: 17, denominator: 25 },
      queries: { numerator: { q: 'diabetes', resultsGap: 'true' } },
      groups: { by: 'phase', exclusive: true, own: ['phase', 'phaseMatch'] },
    },
  },
};
