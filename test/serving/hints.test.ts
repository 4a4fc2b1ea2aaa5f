import { describe, expect, it } from 'vitest';
import type { HintQuery } from '../../index-server/search/hints/hint.ts';
import { imageOfStudies } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { hinted } from '../support/hinted.ts';
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
    { id: 'D008', heading: 'Metforman' },
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
  ...Array.from({ length: 20 }, () => 'metformin'),
  'metformine at night',
  ...Array.from({ length: 19 }, () => 'gliclazide'),
  'gliclazid at night',
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

/** Of one cause: parameters of the call, and the trials that it brings. */
const of = async (cause: string, query: HintQuery, more = 0) => {
  const { hints = [] } = await hinted(built.image, query, more);
  return hints
    .filter((hint) => hint.cause === cause)
    .map(({ call, total }) => [decodeURIComponent(call.split('?')[1]!.replaceAll('+', ' ')), total]);
};
/** More trials than an answer of few has. */
const MANY = 10;

describe('what words may mean instead', () => {
  it('is said in words, with the count and the call', async () => {
    expect((await hinted(built.image, { q: 'MI', match: 'concepts' }, MANY)).hints).toEqual([
      {
        ...{
          cause: 'other-name',
          sentence: '“MI” was matched as a word and may mean “heart attack”: 2 trials by concepts.',
        },
        ...{ total: 2, call: '/search?q=heart+attack&match=concepts' },
      },
      {
        ...{
          cause: 'other-name',
          sentence: '“MI” was matched as a word and may mean “interviewing”: 1 trial by concepts.',
        },
        ...{ total: 1, call: '/search?q=interviewing&match=concepts' },
      },
    ]);
  });

  it.each<[string, [string, number][]]>([
    [
      'mi',
      [
        ['heart attack', 2],
        ['interviewing', 1],
      ],
    ],
    [
      '(MI OR zoo)',
      [
        ['((heart attack) OR zoo)', 2],
        ['(interviewing OR zoo)', 1],
      ],
    ],
    ['mi Rome', []],
    ['MIX', []],
    ['"MI"', []],
    ['LB', [['long bone', 0]]],
    // The nearest broader concept has no trial, the one above it has.
    [
      'ECZ',
      [
        ['Skin Diseases', 2],
        ['Prurigo', 1],
      ],
    ],
    ['ECZ Rome', [['Skin Diseases Rome', 1]]],
    // What is narrower is found already, and what finds nothing is not offered.
    ['skin diseases', []],
    ['prurigo', [['Skin Diseases', 2]]],
    ['heart attack', []],
  ])('%s', async (q, expected) => {
    const found = expected.map(([value, total]) => [`q=${value}&match=concepts`, total]);
    expect(await of('other-name', { q, match: 'concepts' })).toEqual(found);
  });

  it('by words is named for few trials alone, and of a condition as of q', async () => {
    expect(await of('other-name', { q: 'ECZ' })).toHaveLength(2);
    expect(await of('other-name', { q: 'MI' }, MANY)).toEqual([]);
    expect(await of('other-name', { q: 'ECZ', match: 'concepts' }, MANY)).toEqual([['q=Prurigo&match=concepts', 1]]);
    expect((await of('other-name', { condition: 'ECZ' }))[0]).toEqual(['condition=Skin Diseases&match=concepts', 2]);
  });
});

describe('a near spelling', () => {
  it.each<[string, string[]]>([
    // A word that one record has is offered the near word that 20 times as many have, and no other.
    ['metformine', ['metformin']],
    ['night metformine', ['night metformin']],
    ['gliclazid', []],
    // A name that a concept has is no slip, however near it lies to a word of many trials.
    ['metforman', []],
    ['metformon', ['metformin']],
    ['etformin', ['metformin']],
  ])('%s', async (q, near) => {
    expect(await of('spelling', { q })).toEqual(near.map((value) => [`q=${value}`, undefined]));
  });

  it('is not sought where many trials are found, and a word near to none is named', async () => {
    expect(await of('spelling', { q: 'metformine' }, MANY)).toEqual([]);
    expect((await hinted(built.image, { q: 'xyzzyq' })).notices).toEqual([
      'No trial has “xyzzyq” in its titles, acronym, conditions, interventions or sponsor, and no known word is near.',
    ]);
  });
});

describe('a word or a filter less', () => {
  it('is counted, the most trials first', async () => {
    expect(await of('fewer', { q: 'heart attack in Rome gliclazide' })).toEqual([['q=heart attack in Rome', 1]]);
    expect(await of('fewer', { q: 'which metformin is there' })).toEqual([['q=metformin', 20]]);
    expect(await of('fewer', { q: 'Prurigo', country: 'France' })).toEqual([['q=Prurigo', 1]]);
    expect(await of('fewer', { q: 'zyzzyva' })).toEqual([]);
  });

  it('by concepts is read with its operators', async () => {
    const q = '(MI OR zoo) interviewing -gliclazide';
    expect(await of('fewer', { q, match: 'concepts' })).toEqual([['q=( MI OR zoo ) -gliclazide&match=concepts', 1]]);
  });
});
