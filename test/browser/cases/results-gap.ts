import type { PageCase } from '../case.ts';

export const RESULTS_GAP_CASES: readonly PageCase[] = [
  {
    name: 'results-gap',
    path: () => '/results-gap',
    shows: () => ['trials in the population', 'Two clocks', 'registry_linked', 'A trial that nobody reported on yet'],
  },
];
