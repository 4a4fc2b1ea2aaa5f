import { describe, expect, it } from 'vitest';
import { matchedFilters } from '../../index-server/search/concepts/answer.ts';
import { coverage } from '../../index-server/search/counting/coverage.ts';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import { search } from '../../index-server/search/sort-order.ts';
import type { Registration } from '../../snapshot/format/registration.ts';
import { imageOfStudies } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { ofFile } from '../support/of-file.ts';

const TERMINOLOGY = smallTerminology([
  { id: 'D003920', heading: 'Diabetes Mellitus', terms: ['diabetes'] },
  { id: 'D003922', heading: 'Diabetes Mellitus, Type 1', terms: ['type 1 diabetes', 'T1D'], broader: ['D003920'] },
  { id: 'D001249', heading: 'Asthma' },
  { id: 'D000544', heading: 'Alzheimer Disease', terms: ['alzheimer'] },
  { id: 'D010300', heading: 'Parkinson Disease', terms: ['parkinson'] },
  { id: 'D009203', heading: 'Myocardial Infarction', terms: ['heart attack'] },
]);
const TYPE_1 = { id: 'D003922', term: 'Diabetes Mellitus, Type 1' };
/** By words, what stands apart in a title of another disease counts too. */
const TYPE_1_TOPIC = {
  ...{ id: 'type-1', title: 'Type 1', why: 'x', reviewed: '2026-11-24' },
  ...{ anyOf: ['type 1', 'T1D'], concepts: { D003922: 'Diabetes Mellitus, Type 1' }, without: { D001249: 'Asthma' } },
};
const drug = (name: string, ...otherNames: string[]) => ({ type: 'drug', name, otherNames, description: null });

/** One trial each, in the order of results. */
const TRIALS: Record<string, Partial<Registration>> = {
  abbreviated: { title: 'Insulin in T1D' },
  attached: { title: 'Insulin pumps', conditionMesh: [TYPE_1] },
  scattered: { title: 'Type of diet in diabetes with 1 meal' },
  keyword: { title: 'Inhaled steroids', keywords: ['Asthma'] },
  described: { title: 'Pollen', interventions: [{ ...drug('Zorvex', 'sabitril'), description: 'for asthma' }] },
  brand: { title: 'Zorvex in adults' },
  generic: { title: 'Sabitril in adults' },
  chained: { title: 'Lumo in adults', interventions: [drug('sabitril', 'lumo')] },
  unrelated: { title: 'Knee pain', conditionMesh: [{ id: 'D999999', term: 'Unknown' }] },
  memory: { title: 'Memory in Alzheimer disease' },
  gait: { title: "Gait in Parkinson's disease" },
  heart: { title: 'Rest after a heart attack' },
};
const NAMES = Object.keys(TRIALS);

const built = ofFile(() => imageOfStudies(Object.values(TRIALS), { terminology: TERMINOLOGY, topics: [TYPE_1_TOPIC] }));

const read = (filters: TrialFilters, match: 'words' | 'concepts') =>
  matchedFilters(built.image, compileFilters(filters), { q: filters.q, topic: filters.topic, match, year: '2026' })!;
const found = (q: string, match: 'words' | 'concepts' = 'concepts'): string[] => {
  const { rows } = search(built.image, read({ q }, match).compiled, { offset: 0, limit: 100 });
  return [...rows].map((row) => NAMES[row]!);
};

describe('match=concepts', () => {
  it.each([
    ['type 1 diabetes', ['abbreviated', 'attached']],
    ['"type 1 diabetes"', []],
    ['diabetes', ['abbreviated', 'attached', 'scattered']],
    ['diabetes -T1D', ['scattered']],
    ['T1D OR asthma', ['abbreviated', 'attached', 'keyword']],
    ['(T1D OR asthma) pumps', ['attached']],
    ['adults with asthma', []],
    ['pollen and asthma', []],
    // One step: sabitril stands beside zorvex and beside lumo, which do not stand beside each other.
    ['Zorvex', ['described', 'brand', 'generic', 'chained']],
    ['lumo', ['described', 'generic', 'chained']],
    ['diabetse', ['abbreviated', 'attached', 'scattered']],
    // Of two slips: neighbours exchanged and a letter left out or put elsewhere.
    ['athsma', ['keyword']],
    ['Alzhiemers diseese', ['memory']],
    ['parkinsens disease', ['gait']],
    ['heartattack', ['heart']],
    ['hert atack', ['heart']],
    ['hert', []],
  ])('%s', (q, expected) => expect(found(q)).toEqual(expected));

  it('asks for what is repeated once, and tries four words of a query for a slip', () => {
    const repeated = read({ q: '"knee pain" OR "knee pain" OR "knee pain" -asthma -asthma' }, 'concepts').compiled;
    const once = read({ q: '"knee pain" OR "knee pain" -asthma' }, 'concepts').compiled;
    expect(JSON.stringify(repeated.requirements).match(/"pain"/g)).toHaveLength(2);
    expect(JSON.stringify(repeated.requirements).match(/"not"/g)).toHaveLength(1);
    expect(repeated.requirements).toEqual(once.requirements);
    const respelt = (q: string) => read({ q }, 'concepts').meta(false).matching?.respelt;
    expect(respelt('xzqv OR xzqw OR xzqy OR diabetse')).toEqual([{ from: 'diabetse', to: 'diabetes' }]);
    expect(respelt('xzqv OR xzqw OR xzqy OR xzqx OR diabetse')).toEqual([]);
  });

  it('gives the strict count beside the expanded one, with the sources', () => {
    const { compiled, meta } = read({ q: 'type 1 diabetes of zorvx' }, 'concepts');
    expect(coverage(built.image, matchingRows(built.image, compiled)).distinct).toBe(0);
    expect(meta(false).matching).toEqual({
      strict: 0,
      expanded: 0,
      strictOnly: 0,
      because: [
        {
          words: 'type 1 diabetes',
          concept: 'D003922',
          heading: 'Diabetes Mellitus, Type 1',
          source: 'Reviewed table of synonyms (small-1)',
          year: '2026',
          topic: 'type-1',
        },
      ],
      sources: [
        { id: 'mesh', name: 'Small mesh', year: '2021', licence: 'none' },
        { id: 'disease-ontology', name: 'Small disease-ontology', year: '2021', licence: 'none' },
        { id: 'reviewed', name: 'Reviewed table of synonyms (small-1)', year: '2026', licence: 'part of this project' },
      ],
      leftOut: ['of'],
      respelt: [],
    });
    expect(read({ q: 'type 1 diabetes' }, 'concepts').meta(false).matching).toMatchObject({
      strict: 1,
      expanded: 2,
      strictOnly: 1,
    });
    expect(read({ q: 'type 1 diabetes vs zorvx' }, 'concepts').meta(false).matching).toMatchObject({ leftOut: ['vs'] });
    expect(read({ q: 'diabetse' }, 'concepts').meta(false).matching).toMatchObject({
      respelt: [{ from: 'diabetse', to: 'diabetes' }],
    });
  });

  it('reads a topic by its concepts, and says how beside both counts', () => {
    const topic = {
      ...{ id: 'type-1', words: ['type 1', 'T1D'] },
      ...{
        concepts: [{ id: 'D003922', heading: 'Diabetes Mellitus, Type 1' }],
        without: [{ id: 'D001249', heading: 'Asthma' }],
      },
    };
    const { matching } = read({ topic: 'type-1' }, 'concepts').meta(true);
    expect(matching).toMatchObject({ strict: 2, expanded: 3, strictOnly: 0, topic, leftOut: [], respelt: [] });
    expect(matching?.sources.map(({ id }) => id)).toEqual(['mesh', 'disease-ontology', 'reviewed']);
    expect(read({ topic: 'type-1' }, 'words').meta(false)).toEqual({
      alsoMatching: {
        ...{ distinct: 1, total: 3 },
        because: [
          {
            ...{ words: 'type-1', concept: null, heading: 'Diabetes Mellitus, Type 1' },
            ...{ source: 'Curated topics of this index', year: '2026' },
          },
        ],
      },
    });
  });

  it('explains the query on request', () => {
    expect(read({ q: '(T1D OR zorvex) -"knee pain"' }, 'concepts').meta(true).matching?.query).toEqual({
      all: [
        {
          any: [
            {
              words: 'T1D',
              concept: 'D003922',
              heading: 'Diabetes Mellitus, Type 1',
              term: 'T1D',
              source: 'reviewed',
              names: [
                { term: 'Diabetes Mellitus, Type 1', source: 'mesh' },
                { term: 'type 1 diabetes', source: 'reviewed' },
                { term: 'T1D', source: 'reviewed' },
              ],
              moreNames: 0,
            },
            { words: 'zorvex', otherNames: [{ name: 'sabitril', trials: 1, example: 'wt_000000000005' }] },
          ],
        },
        { not: { phrase: 'knee pain' } },
      ],
    });
  });
});

describe('match=words', () => {
  it('says what concepts would find besides, and because of what', () => {
    expect(read({ q: 'type 1 diabetes' }, 'words').meta(false)).toEqual({
      alsoMatching: {
        ...{ distinct: 2, total: 2 },
        because: [
          {
            words: 'type 1 diabetes',
            concept: 'D003922',
            heading: 'Diabetes Mellitus, Type 1',
            source: 'Reviewed table of synonyms (small-1)',
            year: '2026',
            topic: 'type-1',
          },
        ],
      },
    });
    expect(read({ q: 'lumo', studyType: ['unknown'] }, 'words').meta(false).alsoMatching).toEqual({
      ...{ distinct: 2, total: 3 },
      because: [
        {
          words: 'lumo',
          concept: null,
          heading: 'sabitril',
          source: 'other names that the registry records state for interventions',
          year: '2026',
        },
      ],
    });
    expect(read({ q: 'lumo', studyType: ['observational'] }, 'words').meta(false).alsoMatching?.distinct).toBe(0);
    expect(read({ q: 'knee' }, 'words').meta(false)).toEqual({ alsoMatching: { distinct: 0, total: 1, because: [] } });
    expect(read({}, 'words').meta(false)).toEqual({});
  });
});
