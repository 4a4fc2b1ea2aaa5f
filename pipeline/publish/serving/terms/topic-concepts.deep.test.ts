import { beforeAll, describe, expect, it } from 'vitest';
import { POSTING } from '../../../../snapshot/format/serving-columns.ts';
import { bundledTerminology } from '../../../../snapshot/terminology/make-terminology.ts';
import { readTerminology, type Terminology } from '../../../../snapshot/terminology/terminology.ts';
import { loadTopics, type Topic } from './topics.ts';
import { TrialTerms } from './trial-terms.ts';

let terminology: Terminology;
let topics: Topic[];
beforeAll(async () => {
  [terminology, topics] = [readTerminology(await bundledTerminology()), await loadTopics()];
});

const ATRIAL_FIBRILLATION = { id: 'D001281', term: 'Atrial Fibrillation' };

/** The topics of a trial in the index. */
function read(title: string, conditions: string[] = [], mesh: { id: string | null; term: string }[] = []) {
  const stated = {
    condition_mesh: mesh,
    condition_mesh_ancestors: mesh.length === 0 ? [] : [{ id: 'D002318', term: 'Cardiovascular Diseases' }],
    ...{ intervention_mesh: [], intervention_mesh_ancestors: [], interventions: [], keywords: [] },
    ...{ official_title: null, acronym: null, sponsor_name: null, countries: [], sites: [], organisations: [] },
    ...{ registry: 'isrctn' as const, status: 'completed', sex: 'all', healthy_volunteers: null },
  };
  const merged = {
    ...{ status: 'completed', recruitment_status: 'completed', phase: '1', study_type: 'interventional' },
    ...{ sponsor_class: 'other', results_available: false },
  };
  const terms = new TrialTerms(topics, terminology);
  terms.add({ row: 0, merged, registrations: [{ title, conditions, ...stated }] });
  const keys = Array.from(terms.index.sorted(), ({ key }) => Buffer.from(key).toString());
  const after = (prefix: string) => keys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  return { byWords: after(POSTING.topic), byConcepts: after(POSTING.topicByConcepts) };
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
