import { expect, it } from 'vitest';
import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { otherReadings } from '../../index-server/search/concepts/other-readings.ts';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import { imageOfStudies } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { ofFile } from '../support/of-file.ts';

const TERMINOLOGY = smallTerminology(
  [
    { id: 'D001', heading: 'Skin Diseases' },
    { id: 'D002', heading: 'Dermatitis', broader: ['D001'] },
    { id: 'D003', heading: 'Nummular Eczema', terms: ['ECZ'], broader: ['D002'] },
    { id: 'D004', heading: 'Prurigo', broader: ['D001'] },
    { id: 'D005', heading: 'Myocardial Infarction', terms: ['heart attack'] },
    { id: 'D006', heading: 'Interviewing' },
    { id: 'D007', heading: 'Pruritus' },
  ],
  {
    leftOut: [
      { term: 'MI', why: 'two things', means: ['heart attack', 'interviewing'] },
      { term: 'LB', why: 'no concept', means: ['long bone'] },
    ],
    related: [
      { of: ['Nummular Eczema', 'Prurigo'], why: 'taken for one another' },
      { of: ['Prurigo', 'Skin Diseases'], why: 'one is above the other' },
      { of: ['Prurigo', 'Pruritus'], why: 'one of them has no trial' },
    ],
  },
);
const TITLES = [
  'MI in adults',
  'Heart attack',
  'Heart attack in Rome',
  'Interviewing',
  'Prurigo',
  'Skin diseases in Rome',
];

const built = ofFile(() => {
  const trials = TITLES.map((title) => ({ title, conditions: [title] }));
  return imageOfStudies(trials, { topics: [], terminology: TERMINOLOGY });
});

type Asked = TrialFilters & { match?: 'words' | 'concepts' };

const readings = async (query: Asked, isFew = true) => {
  const { image } = built;
  const countOf = async ({ match = 'words', ...filters }: Asked) => {
    const { q, condition } = filters;
    const asked = { q, condition, topic: undefined, match, year: '2026' };
    return matchingRows(image, matchedFilters(image, compileFilters(filters), asked)!.compiled).count;
  };
  const sent = { path: '/search', applied: { ...(query as Record<string, string>), page: '2' } };
  return otherReadings({ ...sent, image, query, total: await countOf(query), isFew, countOf });
};
const shown = async (query: Asked, isFew = true) =>
  (await readings(query, isFew)).otherReadings?.map(({ words, relation, value, total }) => [
    ...[words, relation, value, total],
  ]);

it('an abbreviation of several meanings is told with each, its count and its address', async () => {
  expect(await readings({ q: 'MI', match: 'concepts' }, false)).toEqual({
    otherReadings: [
      {
        ...{ parameter: 'q', words: 'MI', relation: 'may-mean', concept: 'D005', heading: 'Myocardial Infarction' },
        ...{ value: 'heart attack', total: 2, call: '/search?q=heart+attack&match=concepts' },
      },
      {
        ...{ parameter: 'q', words: 'MI', relation: 'may-mean', concept: 'D006', heading: 'Interviewing' },
        ...{ value: 'interviewing', total: 1, call: '/search?q=interviewing&match=concepts' },
      },
    ],
    notices: [
      '“MI” has more than one meaning and was matched as a word alone. By concepts: “heart attack” (2 trials), “interviewing” (1 trial).',
    ],
  });
});

it.each([
  [
    'mi',
    [
      ['mi', 'may-mean', 'heart attack', 2],
      ['mi', 'may-mean', 'interviewing', 1],
    ],
  ],
  [
    '(MI OR zoo)',
    [
      ['MI', 'may-mean', '((heart attack) OR zoo)', 2],
      ['MI', 'may-mean', '(interviewing OR zoo)', 1],
    ],
  ],
  ['mi Rome', undefined],
  ['MIX', undefined],
  ['"MI"', undefined],
  ['LB', [['LB', 'may-mean', 'long bone', 0]]],
  // The nearest broader concept has no trial, the one above it has.
  [
    'ECZ',
    [
      ['ECZ', 'broader', 'Skin Diseases', 2],
      ['ECZ', 'related', 'Prurigo', 1],
    ],
  ],
  ['ECZ Rome', [['ECZ', 'broader', 'Skin Diseases Rome', 1]]],
  // What is narrower is found already, and what finds nothing is not offered.
  ['skin diseases', undefined],
  ['prurigo', [['prurigo', 'broader', 'Skin Diseases', 2]]],
  ['heart attack', undefined],
])('%s', async (q, expected) => expect(await shown({ q, match: 'concepts' })).toEqual(expected));

it('by words, only few trials are given other readings, and a condition is read as q is', async () => {
  expect(await shown({ q: 'ECZ' })).toEqual([
    ['ECZ', 'broader', 'Skin Diseases', 2],
    ['ECZ', 'related', 'Prurigo', 1],
  ]);
  expect(await shown({ q: 'MI' }, false)).toBeUndefined();
  expect(await shown({ q: 'ECZ', match: 'concepts' }, false)).toEqual([['ECZ', 'related', 'Prurigo', 1]]);
  expect((await readings({ condition: 'ECZ' })).otherReadings?.[0]).toMatchObject({
    ...{ parameter: 'condition', value: 'Skin Diseases', total: 2 },
    call: '/search?condition=Skin+Diseases&match=concepts',
  });
});
