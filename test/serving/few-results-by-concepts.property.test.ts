import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { fewResults } from '../../index-server/search/hints/few-results.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { registration } from '../builders/registration.ts';
import { imageOfTrials, trialOf } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { PlainConcepts, type PlainQuery, plainQueries, written } from '../support/plain/plain-concepts.ts';
import { amountOf } from '../support/runner/amount.ts';

const CONCEPTS = [
  { id: 'D001', heading: 'vora' },
  { id: 'D002', heading: 'vora kelt', terms: ['kv'], broader: ['D001'] },
  { id: 'D003', heading: 'milo', terms: ['mk'], broader: ['D001'] },
];
const WORDS = ['vora', 'kelt', 'milo', 'kv', 'mk', 'rilo', 'tuba'];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const corpus = fc.array(fc.record({ title: text, conditions: fc.array(text, { maxLength: 1 }) }), {
  minLength: 20,
  maxLength: 30,
});
const query = plainQueries(WORDS, { parts: 2, maxDepth: 2 });

/** The query without each of its words and phrases, from the left; null where nothing remains. */
function withoutEach(query: PlainQuery): { dropped: string; rest: PlainQuery | null }[] {
  if ('phrase' in query) return [{ dropped: written(query), rest: null }];
  if ('words' in query) {
    return query.words.map((dropped, place) => {
      const words = query.words.filter((_, other) => other !== place);
      return { dropped, rest: words.length === 0 ? null : { words } };
    });
  }
  if ('not' in query) {
    return withoutEach(query.not).map(({ dropped, rest }) => ({ dropped, rest: rest && { not: rest } }));
  }
  const parts = 'all' in query ? query.all : query.any;
  return parts.flatMap((part, place) =>
    withoutEach(part).map(({ dropped, rest }) => {
      const left = parts.flatMap((other, at) => (at === place ? (rest ?? []) : other));
      const joined = 'all' in query ? { all: left } : { any: left };
      return { dropped, rest: left.length === 0 ? null : joined };
    }),
  );
}

it('few results by concepts say what each word costs, as a plain reading counts without it', async () => {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(corpus, fc.array(query, { minLength: 60, maxLength: 60 }), async (fields, queries) => {
      const records = fields.map((one, place) => registration(`NCT${String(place + 1).padStart(8, '0')}`, one));
      const options = { topics: [], terminology: smallTerminology(CONCEPTS) };
      await using built = await imageOfTrials(records.map(trialOf), options);
      const { image } = built;
      const plain = new PlainConcepts(CONCEPTS, records);
      const countOf = async (asked: TrialFilters): Promise<number> => {
        const { q, topic } = asked;
        const both = { q, topic, match: 'concepts', year: '2026' } as const;
        return matchingRows(image, matchedFilters(image, compileFilters(asked), both)!.compiled).count;
      };
      for (const one of queries) {
        const q = written(one);
        const asked = { q, match: 'concepts' } as const;
        const total = await countOf(asked);
        const manifest = { registries: [] } as unknown as Manifest;
        const { fewResults: few } = await fewResults({
          image,
          manifest,
          query: asked,
          path: '/search',
          applied: { q },
          total,
          countOf,
        });
        if (few === undefined) continue;
        const each = withoutEach(one);
        const told = few.without.flatMap(({ call, ...one }) => (one.dropped === q ? [] : [one]));
        if (each.length === 1) continue;
        const expected = each.slice(0, 8).map(({ dropped, rest }) => ({
          ...{ parameter: 'q', dropped },
          total: records.filter((record) => rest === null || plain.meets(record, rest)).length,
        }));
        expect({ q, told }).toEqual({ q, told: expected });
        held += expected.filter((piece) => piece.total > total).length;
      }
    }),
    { numRuns: amountOf({ quick: 1, deep: 6 }), seed: 20_261_124, endOnFailure: true },
  );
  expect(held).toBeGreaterThan(amountOf({ quick: 10, deep: 100 }));
});
