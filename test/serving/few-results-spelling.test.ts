import { expect, it } from 'vitest';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { fewResults } from '../../index-server/search/hints/few-results.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { imageOfStudies } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { ofFile } from '../support/of-file.ts';

/** Twenty trials have metformin, 19 have gliclazide and one trial each a slip of them. */
const TITLES = [
  ...Array.from({ length: 20 }, () => 'metformin'),
  'metformine at night',
  ...Array.from({ length: 19 }, () => 'gliclazide'),
  'gliclazid at night',
];

const built = ofFile(() => {
  const terminology = smallTerminology([
    { id: 'D001', heading: 'Diabetes' },
    { id: 'D002', heading: 'Metforman' },
  ]);
  return imageOfStudies(
    TITLES.map((title) => ({ title })),
    { topics: [], terminology },
  );
});

const spelling = async (query: TrialFilters) => {
  const { image } = built;
  const countOf = async (asked: TrialFilters) => matchingRows(image, compileFilters(asked)).count;
  const manifest = { registries: [] } as unknown as Manifest;
  const total = await countOf(query);
  const sent = { path: '/search', applied: query as Record<string, string> };
  return (await fewResults({ image, manifest, query, ...sent, total, countOf })).fewResults?.spelling;
};

it('a word that one record has is offered the near word that 20 times as many have, and no other', async () => {
  expect(await spelling({ q: 'metformine' })).toEqual([
    {
      ...{ parameter: 'q', word: 'metformine' },
      nearest: [{ word: 'metformin', edits: 1, trials: 20, call: '/search?q=metformin' }],
    },
  ]);
  expect(await spelling({ q: 'night metformine' })).toHaveLength(1);
  expect(await spelling({ q: 'gliclazid' })).toEqual([]);
  // A name that a concept has is no slip, however near it lies to a word of many trials.
  expect(await spelling({ q: 'metforman' })).toEqual([]);
  expect(await spelling({ q: 'metformon' })).toHaveLength(1);
});
