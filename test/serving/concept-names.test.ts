import { describe, expect, it } from 'vitest';
import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import { search } from '../../index-server/search/sort-order.ts';
import type { Registration } from '../../snapshot/format/registration.ts';
import { imageOfStudies } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { hinted } from '../support/hinted.ts';
import { ofFile } from '../support/of-file.ts';

const TERMINOLOGY = smallTerminology([
  { id: 'D006973', heading: 'Hypertension', terms: ['high blood pressure', 'HTN'] },
  { id: 'D006976', heading: 'Hypertension, Pulmonary', terms: ['pulmonary hypertension'] },
  {
    ...{ id: 'D000163', heading: 'Acquired Immunodeficiency Syndrome', caseSensitive: ['AIDS'] },
    terms: ['acquired immune deficiency'],
  },
  { id: 'D009103', heading: 'Multiple Sclerosis', caseSensitive: ['MS'] },
  { id: 'D001714', heading: 'Bipolar Disorder', terms: ['bipolar type 2'] },
  { id: 'D008175', heading: 'Lung Neoplasms' },
  { id: 'D055948', heading: 'Sarcopenia' },
]);
const described = (description: string) => [{ type: 'drug', name: 'zorvex', otherNames: [], description }];

/** One trial each, in the order of results. */
const TRIALS: Record<string, Partial<Registration>> = {
  hypertension: { title: 'Hypertension in adults' },
  pressure: { title: 'High blood pressure at home' },
  htn: { title: 'Diet in HTN' },
  pulmonary: { title: 'Pulmonary hypertension in children' },
  prose: { title: 'Salt', interventions: described('lowers high blood pressure') },
  apart: { title: 'High altitude and blood pressure' },
  without: { title: 'Beets without a history of hypertension', keywords: ['non-hypertension'] },
  either: { title: 'Beets with or without hypertension' },
  sponsor: { title: 'Sleep', sponsorName: 'Hypertension Foundation' },
  both: { title: 'Hypertension at work', sponsorName: 'Hypertension Foundation' },
  official: { title: 'Naps', officialTitle: 'Naps and portal hypertension', sponsorName: 'Hypertension Foundation' },
  aids: { title: 'Vaccines in AIDS' },
  hearing: { title: 'Hearing aids at school' },
  noise: { title: 'Noise and hearing aids' },
  sclerosis: { title: 'Yoga in multiple sclerosis' },
  ms: { title: 'Gait in MS', interventions: described('for MS') },
  msProse: { title: 'Walking', interventions: described('for people with MS') },
  bipolarI: { title: 'Bipolar disorder', officialTitle: null },
  bipolarText: { title: 'Mood', interventions: described('for bipolar type II') },
  lung: { title: 'Smoking', interventions: described('before cancer of the lung') },
  nyha3: { title: 'NYHA class 3 patients' },
  nyhaIII: { title: 'NYHA class III patients' },
  nyhaRange: { title: 'NYHA class II-III patients' },
  beta: { title: 'Receptor type beta in mice' },
  greek: { title: 'Receptor type β in rats' },
  progressive: { title: 'Progressive sarcopenia' },
  steady: { title: 'Non-progressive sarcopenia' },
  any: { title: 'Progressive and non-progressive sarcopenia' },
};
const NAMES = Object.keys(TRIALS);

const built = ofFile(() => imageOfStudies(Object.values(TRIALS), { terminology: TERMINOLOGY, topics: [] }));

const read = (q: string, match: 'words' | 'concepts') =>
  matchedFilters(built.image, compileFilters({ q }), { q, topic: undefined, match, year: '2026' })!;
const found = (q: string, match: 'words' | 'concepts' = 'concepts'): string[] =>
  [...search(built.image, read(q, match).compiled, { offset: 0, limit: 100 }).rows].map((row) => NAMES[row]!);
const meta = (q: string, match: 'words' | 'concepts' = 'concepts') => read(q, match).meta(true);

const HYPERTENSION = ['hypertension', 'pressure', 'htn', 'either', 'both', 'official'];

describe('the words beside the name of a concept', () => {
  it('are not those of a compound that begins with non', () => {
    expect(found('progressive sarcopenia')).toEqual(['progressive', 'any']);
    expect(found('"progressive" sarcopenia')).toContain('steady');
    expect(found('non-progressive sarcopenia')).toEqual(['steady', 'any']);
  });

  it.each([
    ['clinical trials of hypertension', ['clinical', 'trials', 'of']],
    ['What are the latest treatments for HTN?', ['What', 'are', 'the', 'latest', 'treatments', 'for']],
  ])('are left out where they are those of any request: %s', (q, leftOut) => {
    expect(found(q)).toEqual(HYPERTENSION);
    expect(meta(q).matching?.leftOut).toEqual(leftOut);
  });
});

describe('the names of a concept', () => {
  it('do not count inside a longer name, behind non or without, or in prose', () => {
    expect(found('hypertension', 'words')).toEqual(
      expect.arrayContaining(['pulmonary', 'without', 'either', 'sponsor', 'official']),
    );
    expect(found('pulmonary hypertension')).toEqual(['pulmonary']);
    expect(found('high blood pressure', 'words')).toEqual(['pressure', 'prose', 'apart']);
    expect(meta('high blood pressure').matching).toMatchObject({ strict: 3, expanded: 6, strictOnly: 2 });
  });

  it("find a sponsor's trials where the words beside them name the sponsor too", () => {
    expect(found('Hypertension Foundation')).toEqual(['sponsor', 'both', 'official']);
    expect(found('foundation for hypertension')).toEqual(['sponsor', 'both', 'official']);
    expect(found('sleep Hypertension Foundation')).toEqual(['sponsor']);
    expect(found('sleep hypertension')).toEqual([]);
    const { meta: metaOf } = read('trials of the Hypertension Foundation', 'concepts');
    expect(metaOf(true).matching?.because).toMatchObject([{ sponsorWords: 'Hypertension Foundation' }]);
  });

  it('count in their own case alone where that is asked for', () => {
    expect(found('acquired immune deficiency')).toEqual(['aids']);
    expect(found('AIDS')).toEqual(['aids']);
    expect(found('multiple sclerosis')).toEqual(['sclerosis', 'ms']);
    expect(found('MS')).toEqual(['sclerosis', 'ms']);
  });
});

describe('numbers and Greek letters', () => {
  it.each(['NYHA class 3', 'NYHA class III', 'nyha class iii'])('%s finds both writings', (q) => {
    expect(found(q)).toEqual(['nyha3', 'nyhaIII', 'nyhaRange']);
  });

  it.each(['NYHA class II-III', 'NYHA class 2-3'])('%s is read part by part', (q) => {
    expect(found(q)).toEqual(['nyhaRange']);
  });

  it('count as they are written by words, which say what concepts add', () => {
    expect(found('NYHA class 3', 'words')).toEqual(['nyha3']);
    expect(meta('NYHA class 3', 'words').alsoMatching).toEqual({
      ...{ distinct: 2, total: 3 },
      because: [
        {
          ...{ words: '3', concept: null, heading: '3, iii', year: '2026' },
          source: 'numbers as Roman numerals and Greek letters by their names, as match=concepts reads them',
        },
      ],
    });
    expect(meta('NYHA class III').matching?.query).toEqual({
      all: [{ words: 'NYHA' }, { words: 'class' }, { words: 'III', writings: ['3', 'iii'] }],
    });
  });
});

describe('words of a question', () => {
  it('are not asked for by concepts, and are named', () => {
    expect(found('trials of hypertension')).toEqual(HYPERTENSION);
    expect(meta('which trials of HTN are there').matching?.leftOut).toEqual(['which', 'trials', 'of', 'are', 'there']);
    expect(found('"trials" of hypertension')).toEqual([]);
    expect(found('trials of hypertension', 'words')).toEqual([]);
  });

  it('are asked for where they are all there is, and WHO is an organisation', () => {
    expect(meta('trials').matching?.leftOut).toEqual([]);
    expect(meta('WHO hypertension').matching?.leftOut).toEqual([]);
  });
});

describe('trials by words that concepts leave out', () => {
  it('are named in one hint, with the ways in which they have the words and the call that leaves them out', async () => {
    const longer = async (q: string) =>
      (await hinted(built.image, { q })).hints?.filter(({ cause }) => cause === 'longer-name');
    expect(await longer('high blood pressure')).toEqual([
      {
        cause: 'longer-name',
        sentence:
          "2 of these 3 trials have the words of “high blood pressure” only inside a longer name, behind a word such as non or without, in the description of an intervention, apart, or in the sponsor's name: match=concepts leaves them out.",
        call: '/search?q=high+blood+pressure&match=concepts',
      },
    ]);
    expect((await longer('multiple sclerosis')) ?? []).toEqual([]);
  });
});

describe('what looks like an operator', () => {
  it.each(['NOT hypertension', '-hypertension', 'sleep OR NOT hypertension', '-(htn OR sleep)'])(
    '%s by words has no complement as what concepts would add',
    (q) => {
      expect(meta(q, 'words').alsoMatching).toBeUndefined();
    },
  );

  it('is named where it is why concepts would add trials', () => {
    const operators = { concept: null, heading: null, source: 'operators of q under match=concepts', year: '2026' };
    expect(meta('sleep OR altitude', 'words').alsoMatching).toEqual({
      ...{ distinct: 2, total: 2 },
      because: [{ ...operators, words: 'OR' }],
    });
    expect(meta('salt NOT sleep', 'words').alsoMatching).toEqual({
      ...{ distinct: 1, total: 1 },
      because: [{ ...operators, words: '- or NOT' }],
    });
  });
});
