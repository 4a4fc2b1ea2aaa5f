import { expect, test } from 'vitest';
import { CATALOGUE_IDS } from '../ids.ts';
import { OPERATIONS } from '../operations.ts';
import { ENDPOINT_NAMES, endpointsNamed } from './endpoint-names.ts';

test('each endpoint of the catalogue has every name of the operations at its path', () => {
  for (const id of CATALOGUE_IDS) {
    const path = OPERATIONS.find(({ catalogueId }) => catalogueId === id)!.path;
    const names = OPERATIONS.filter((operation) => operation.path === path).flatMap((operation) => {
      const { mcp, a2a, sdk } = operation.names ?? {};
      return [operation.id, mcp, a2a, sdk].filter((name) => name !== undefined && name !== id);
    });
    expect([id, [...ENDPOINT_NAMES[id]].sort()]).toEqual([id, [...new Set(names)].sort()]);
  }
  const all = CATALOGUE_IDS.flatMap((id) => [id, ...ENDPOINT_NAMES[id]]);
  expect(new Set(all).size).toBe(all.length);
});

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
