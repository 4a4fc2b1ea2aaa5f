import { expect, test } from 'vitest';
import { endpointsNamed } from './endpoint-names.ts';

test('names of any door mean a catalogue id; the answer says which where another name was sent', () => {
  expect(endpointsNamed(['get_trial_coverage', 'trials-coverage', 'world_trial_search', 'searchTrials'])).toEqual({
    ids: ['trials-coverage', 'trials-search'],
    meant: {
      get_trial_coverage: 'trials-coverage',
      world_trial_search: 'trials-search',
      searchTrials: 'trials-search',
    },
  });
  expect(endpointsNamed(['nonsense'])).toEqual({ ids: [], meant: {} });
});
