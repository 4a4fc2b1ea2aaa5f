import { beforeAll, describe, expect, it } from 'vitest';
import { bundledTerminology } from '../../../../snapshot/terminology/bundled.ts';
import { readTerminology, type Terminology } from '../../../../snapshot/terminology/terminology.ts';
import { loadTopics, type Topic } from './topics.ts';
import { TopicReader } from './trial-terms.ts';

let terminology: Terminology;
let topics: Topic[];
let reader: TopicReader;
beforeAll(async () => {
  [terminology, topics] = [readTerminology(await bundledTerminology()), await loadTopics()];
  reader = new TopicReader(topics, terminology);
});

const ATRIAL_FIBRILLATION = { id: 'D001281', term: 'Atrial Fibrillation' };

function read(title: string, conditions: string[] = [], mesh: { id: string | null; term: string }[] = []) {
  const attached = {
    condition_mesh: mesh,
    condition_mesh_ancestors: mesh.length === 0 ? [] : [{ id: 'D002318', term: 'Cardiovascular Diseases' }],
    ...{ intervention_mesh: [], intervention_mesh_ancestors: [], interventions: [], keywords: [] },
    ...{ official_title: null, acronym: null },
  };
  return reader.read([{ title, conditions, ...attached }]);
}

describe('the reviewed topics', () => {
  it('name concepts that the bundled terminology has, by their headings', () => {
    const named = topics.flatMap(({ concepts = {}, without = {} }) => Object.entries({ ...concepts, ...without }));
    const known = named.map(([id]) => [id, terminology.concepts[terminology.numberOf(id) ?? -1]?.heading]);
    expect(named).toEqual(known);
    expect(topics.filter(({ concepts = {} }) => Object.keys(concepts).length === 0)).toEqual([]);
  });
});

describe('a topic by concepts', () => {
  it.each([
    ['NSCLC', ['oncology']],
    ['Non-insulin dependent diabetes', ['diabetes']],
    ['Insulin dependent diabetes', ['diabetes', 'type-1-diabetes']],
    ['Pulmonary Arterial Hypertension', ['cardiovascular', 'respiratory']],
    ['Dyspnea', []],
    ['Kidney Cancer', ['nephrology', 'oncology']],
  ])('%s: %j', (condition, expected) => {
    expect(read('A study', [condition]).byConcepts.sort()).toEqual(expected);
  });

  it('is by words what it was: T2D is taken for type 1, and NSCLC for nothing', () => {
    expect(read('A study', ['Non-insulin dependent diabetes']).byWords.sort()).toEqual(['diabetes', 'type-1-diabetes']);
    expect(read('A study', ['NSCLC']).byWords).toEqual([]);
  });

  it('reads the title beside the conditions', () => {
    expect(read('Rest after NSCLC', ['Asthma']).byConcepts.sort()).toEqual(['oncology', 'respiratory']);
  });

  it('counts MeSH terms of the registry and their ancestors, as q by concepts does', () => {
    expect(read('A study', ['Asthma'], [ATRIAL_FIBRILLATION]).byConcepts.sort()).toEqual([
      'cardiovascular',
      'respiratory',
    ]);
    expect(read('A study', ['XYZ'], [{ id: 'D999999', term: 'Unheard of' }]).byConcepts).toEqual(['cardiovascular']);
  });
});
