import { makeTerminology } from '../../snapshot/terminology/make-terminology.ts';
import type { ReviewedTable, SourceFile, SourceRow } from '../../snapshot/terminology/sources.ts';
import { readTerminology, type Terminology } from '../../snapshot/terminology/terminology.ts';

/** A small terminology of every kind of name, for tests. */

function mesh(descriptor: string, heading: string, trees: string, ...names: string[]): SourceRow {
  return { descriptor, heading, treeNumbers: trees === '' ? [] : trees.split('|'), names };
}

function ontology(descriptor: string, ...names: string[]): SourceRow {
  return { descriptor, heading: '', treeNumbers: [], names };
}

export const TINY_MESH: SourceFile = {
  statement: { id: 'mesh', name: 'MeSH', year: '2021', licence: 'public domain' },
  rows: [
    mesh('D009369', 'Neoplasms', 'C04'),
    mesh('D008175', 'Lung Neoplasms', 'C04.588.894.797.520|C08.381.540'),
    mesh('D009370', 'Neoplasms by Site', 'C04.588'),
    mesh('D003560', 'Cysts', 'C04.182'),
    mesh('D010048', 'Ovarian Cysts', 'C04.182.612|C19.391.630'),
    mesh('D003922', 'Diabetes Mellitus, Type 1', 'C18.452.394.750.124', 'IDDM', 'ER'),
    mesh('D003920', 'Diabetes Mellitus', 'C18.452.394.750'),
    mesh('D008171', 'Lung Diseases', 'C08.381'),
    mesh('D007372', 'Interferons', 'D12.644'),
    mesh('D016898', 'Interferon-alpha', 'D12.644.100'),
    mesh('D001132', 'Arm', 'A01.378.800.075'),
    mesh('D008875', 'Brachium', 'A01.378.800.076', 'Middle Arm'),
    mesh('D000690', 'Amyotrophic Lateral Sclerosis', 'C10.574'),
    mesh('D000544', 'Alzheimer Disease', 'C10.228'),
    mesh('D005764', 'Gastroesophageal Reflux', 'C06.405'),
    mesh('D012128', 'Distress, Acute', 'C08.618', 'cold', 'Twofold Name'),
    mesh('D029424', 'Obstruction, Chronic', 'C08.619', 'Twofold Name'),
  ],
};

export const TINY_ONTOLOGY: SourceFile = {
  statement: { id: 'disease-ontology', name: 'Human Disease Ontology', year: '2016', licence: 'CC BY 3.0' },
  rows: [
    ontology('D008175', 'lung cancer', 'malignant tumor of lung (disorder)'),
    ontology('D003922', 'juvenile diabetes', 'brittle diabetes'),
    ontology('D029424', 'COLD', 'COPD'),
    ontology('D999999', 'disease without a descriptor'),
  ],
};

export const TINY_TABLE: ReviewedTable = {
  id: 'synonyms-test',
  reviewedOn: '2026-11-23',
  entries: [
    { heading: 'Diabetes Mellitus, Type 1', mesh: 'D003922', terms: ['T1D', 'type 1 diabetes'] },
    { heading: 'Amyotrophic Lateral Sclerosis', mesh: 'D000690', terms: [], caseSensitive: ['ALS'] },
    { heading: 'Brittle Diabetes', mesh: null, terms: ['labile diabetes', 'brittle diabetes'] },
    { heading: 'Obstruction, Chronic', mesh: null, terms: ['smoker lung'] },
  ],
  leftOut: [
    { term: 'cold', why: 'an ordinary word' },
    { term: 'LD', why: 'lung disease or diabetes', means: ['lung diseases', 'diabetes'] },
  ],
  ordinaryWords: [{ heading: 'Arm', why: 'single arm' }],
  cuts: [{ parent: 'Neoplasms', without: ['Cysts'] }],
  kinds: [
    { parent: 'Lung Diseases', of: ['Obstruction, Chronic', 'Heading of another year'] },
    { parent: 'Obstruction, Chronic', of: ['Brittle Diabetes'] },
  ],
  related: [
    { of: ['Brittle Diabetes', 'Diabetes Mellitus, Type 1'], why: 'taken for one another' },
    { of: ['Neoplasms', 'Heading of another year'], why: 'one of them is not held' },
  ],
  sameWords: [],
};

export function tinyTerminology(): Terminology {
  return readTerminology(makeTerminology({ mesh: TINY_MESH, ontology: TINY_ONTOLOGY, reviewed: TINY_TABLE }));
}
