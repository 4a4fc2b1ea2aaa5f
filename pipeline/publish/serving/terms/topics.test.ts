import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from '../../../../snapshot/format/words/query.ts';
import { textUnits, unitKeys } from '../../../../snapshot/format/words/tokens.ts';
import { matchesQuery } from '../../../../test/support/plain/plain-query.ts';
import { TopicMatcher } from './topics.ts';

const QUERIES = [
  'zoster',
  '"type 1"',
  '"type-1 diabetes"',
  'gastro-oesophageal',
  '"healthy aging" frailty',
  '"1 type"',
];
const topics = QUERIES.map((query, at) => ({ id: `t${at}`, title: query, anyOf: [query], why: '', reviewed: '' }));
const words = [
  'type',
  '1',
  'type-1',
  'type1',
  'diabetes',
  'gastro',
  'oesophageal',
  'gastrooesophageal',
  'healthy',
  'ageing',
];

it('finds the topics that a trial meets by reading each query against its texts', () => {
  const matcher = new TopicMatcher(topics);
  const text = fc.array(fc.constantFrom(...words, 'frailty', 'zoster'), { maxLength: 4 }).map((some) => some.join(' '));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
      const found = matcher.topicsOf(texts.map(textUnits).map((units) => ({ units, keys: unitKeys(units) })));
      const met = topics.filter(({ title }) => matchesQuery(parseQuery(title), texts)).map(({ id }) => id);
      expect(found.sort()).toEqual(met);
    }),
    { numRuns: 1000, seed: 20_261_122 },
  );
});
