import { type Case, one } from './case.ts';

/** Facts of the sample corpus: the values of a search, and the shares of trials without results. */

export const FACET_CASES: readonly Case[] = [
  one(
    'a facet has the number of trials of each value and the filters that find them',
    'trials-facets',
    { q: 'diabetes', facet: 'phase' },
    { data: { trials: 86, facets: [{ facet: 'phase', own: ['phase', 'phaseMatch'], trials: 86 }] } },
  ),
  one(
    'the share of trials without results has its denominator, its definition and the filters of both lists',
    'trials-results-gap',
    { q: 'diabetes', by: 'phase' },
    {
      data: {
        ...{ clock: 'primaryCompletion', months: 18, registry: 'clinicaltrials_gov' },
        ...{ numerator: 17, denominator: 25 },
        queries: { numerator: { q: 'diabetes', resultsGap: 'true' } },
        groups: { by: 'phase', exclusive: true, own: ['phase', 'phaseMatch'] },
      },
    },
  ),
];
