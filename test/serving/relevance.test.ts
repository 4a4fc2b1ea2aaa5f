import { expect, it } from 'vitest';
import { compileFilters } from '../../index-server/search/filters.ts';
import { search } from '../../index-server/search/matching.ts';
import { partsOfText } from '../../index-server/search/relevance.ts';
import { registration } from '../builders/registration.ts';
import { buildImage } from '../builders/serving-image.ts';

const drug = (name: string) => [{ type: 'drug', name, otherNames: [], description: null }];
const RECORDS = [
  registration('NCT00000001', { title: 'Walking', officialTitle: 'Asthma and walking' }),
  registration('NCT00000002', { title: 'Walking', interventions: drug('asthma inhaler') }),
  registration('NCT00000003', { title: 'Walking', conditions: ['Asthma'] }),
  registration('NCT00000004', { title: 'Asthma' }),
  registration('NCT00000005', { title: 'Walking', acronym: 'ASTHMA' }),
  // The same text in two fields, and as the condition of the other registration.
  registration('NCT00000006', { title: 'Running', conditions: ['Running'] }),
  registration('NCT00000007', { title: 'Nothing', acronym: 'Running', conditions: ['Running', 'Asthma'] }),
];
const TRIALS = RECORDS.map((one) => ({ canonicalId: `wt_${one.id.slice(3)}aaaa`, aliases: [], registrations: [one] }));

async function openCorpus() {
  return buildImage({ trials: TRIALS, identifiers: [], links: [], relations: [] }, { topics: [] });
}

it('a word counts by the best of title or acronym, conditions, interventions, and all else', async () => {
  await using built = await openCorpus();
  const scored = (q: string): [number, number][] => {
    const compiled = compileFilters({ q });
    const sort = { relevantTo: partsOfText(compiled.text) };
    const { rows, scores } = search(built.image, compiled, { offset: 0, limit: 10, sort });
    // Rows are in the order of canonical ids: no record says when it was updated.
    return [...rows].map((row, place) => [row + 1, scores![place]!]);
  };
  expect(scored('asthma')).toEqual([
    [4, 4],
    [5, 4],
    [3, 3],
    [7, 3],
    [2, 2],
    [1, 1],
  ]);
  expect(scored('running')).toEqual([
    [6, 4],
    [7, 4],
  ]);
  expect(scored('asthma running')).toEqual([[7, 7]]);
  expect(scored('"asthma inhaler"')).toEqual([[2, 2]]);
});
