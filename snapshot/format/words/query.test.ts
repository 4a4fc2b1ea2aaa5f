import { describe, expect, test } from 'vitest';
import { listOf } from '../../../test/builders/pairs.ts';
import { matchesQuery } from '../../../test/support/plain/plain-query.ts';
import { parseQuery } from './query.ts';
import { textHasPhrase } from './sequence.ts';
import { textUnits } from './tokens.ts';

const word = (key: string) => ({ kind: 'word', key });
const phrase = (...keys: string[]) => ({ kind: 'phrase', units: keys.map(word) });

describe('a query is read as clauses', () => {
  test.each([
    ['', []],
    ['  "" - ?! ', []],
    ['tumours', [word('tumor')]],
    ['tumour Tumors "tumor"', [word('tumor')]],
    ['"breast cancer" trial', [phrase('breast', 'cancer'), word('trial')]],
    ['trial “breast cancer”', [word('trial'), phrase('breast', 'cancer')]],
    ['„breast cancer“', [phrase('breast', 'cancer')]],
    ['«breast cancer»', [phrase('breast', 'cancer')]],
    ['"heart failure" "Heart Failures"', [phrase('heart', 'failure')]],
    ['breast "cancer trial', [word('breast'), word('cancer'), word('trial')]],
    ['"heart failure" 5" lesion', [phrase('heart', 'failure'), word('5'), word('lesion')]],
    ['"aspirin"', [word('aspirin')]],
    ['"covid-19"', [{ kind: 'compound', joined: 'covid19', parts: ['covid', '19'] }]],
    [
      '"covid-19 vaccine"',
      [{ kind: 'phrase', units: [{ kind: 'compound', joined: 'covid19', parts: ['covid', '19'] }, word('vaccine')] }],
    ],
  ])('%s', (q, clauses) => {
    expect(parseQuery(q)).toEqual(clauses);
  });
});

describe('a query matches the fields of a trial', () => {
  const fields = ['Gastro-oesophageal reflux in women', 'Heart failure', 'COVID-19'];
  test.each(
    listOf(`
    reflux heart | gastroesophageal | gastro-esophageal | esophageal | covid19 | covid 19 | heart-woman
    "heart failure" | "gastroesophageal reflux" | "gastro oesophageal reflux" | "oesophageal reflux"
    "reflux in woman"
  `),
  )('%s matches', (q) => expect(matchesQuery(parseQuery(q), fields)).toBe(true));

  test.each(
    listOf('reflux kidney | heart-kidney | "failure heart" | "women heart" | "gastro reflux" | "failure covid"'),
  )('%s does not match', (q) => expect(matchesQuery(parseQuery(q), fields)).toBe(false));
});

describe('a phrase reads compounds joined or part by part', () => {
  test.each([
    ['small cell lung', 'non-small-cell lung', true],
    ['non small', 'non-small-cell lung', true],
    ['non cell', 'non-small-cell lung', false],
    ['non-small-cell lung', 'non small cell lung', true],
    ['non-small cell lung', 'non-small-cell lung', true],
    ['a post-operative day', 'a postoperative day', true],
    ['post-operative', 'operative post', false],
    ['x small', 'x non-small', false],
  ])('"%s" in "%s": %s', (wanted, text, expected) => {
    expect(textHasPhrase([textUnits(text)], textUnits(wanted))).toBe(expected);
  });
});
