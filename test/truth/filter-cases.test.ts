import { expect, test } from 'vitest';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { FILTERS, SORTS } from './filter-cases.ts';
import { MODALITIES } from './measures/filters.ts';

// What the cases and the second reading of records give is held by docs/truth.md, where every row of them must be exact.
test('the cases ask every filter of a search and every order by a value; natural queries measure how words match', () => {
  const asked = [...Object.keys(FILTERS), ...MODALITIES.map((ids) => `modality=${ids}`)];
  const names = new Set(asked.flatMap((query) => [...new URLSearchParams(query).keys()]));
  expect(Object.keys(trialFilterParameters).filter((name) => name !== 'match' && !names.has(name))).toEqual([]);
  const sorts = new Set(Object.keys(SORTS).map((query) => new URLSearchParams(query).get('sort')));
  expect([...sorts]).toEqual(['updated', 'start', 'completion', 'enrollment', 'daysOverdue']);
});
