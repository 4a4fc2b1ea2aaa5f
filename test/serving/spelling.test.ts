import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFilters } from '../../index-server/search/filters.ts';
import { search } from '../../index-server/search/matching.ts';
import { parseQuery } from '../../snapshot/format/words/query.ts';
import { registration } from '../builders/registration.ts';
import { type BuiltImage, buildImage } from '../builders/serving-image.ts';
import { nct } from '../support/live-records.ts';
import { read } from '../support/tree.ts';

/** British and American spellings of one word. A search for either must find both in the image as served. */
const PAIRS = read('snapshot/format/testdata/spelling-pairs.tsv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t').slice(0, 2) as [string, string]);

let built: BuiltImage;
beforeAll(async () => {
  const registrations = PAIRS.flatMap(([british, american], index) => [
    registration(nct(2 * index), { title: `Trial of ${british} in adults` }),
    registration(nct(2 * index + 1), { title: `Trial of ${american} in adults` }),
  ]);
  const trials = registrations.map((one) => ({
    canonicalId: `wt_${one.id.slice(3).padStart(12, '0')}`,
    aliases: [],
    registrations: [one],
  }));
  built = await buildImage({ trials, identifiers: [], links: [], relations: [] });
});
afterAll(() => built[Symbol.asyncDispose]());

const found = (q: string): number[] => {
  const { rows } = search(built.image, compileFilters({ q }), { offset: 0, limit: 1000 });
  return [...rows];
};

describe('search', () => {
  it('has all 373 pairs to go by', () => expect(PAIRS).toHaveLength(373));

  it.each(PAIRS)('%s and %s find the same trials, each other among them', (british, american) => {
    expect(parseQuery(british)).toEqual(parseQuery(american));
    expect(found(british)).toEqual(found(american));
    expect(found(british).length).toBeGreaterThanOrEqual(2);
    expect(found(`"${british} in adults"`)).toEqual(found(`"${american} in adults"`));
    expect(found(`"${british} in adults"`).length).toBeGreaterThanOrEqual(2);
  });
});
