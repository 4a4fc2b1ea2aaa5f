import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TINY_MESH, TINY_ONTOLOGY, TINY_TABLE, tinyTerminology } from '../../test/support/terminology.ts';
import { textUnits } from '../format/words/tokens.ts';
import { makeTerminology } from './make-terminology.ts';
import { readTerminology } from './terminology.ts';

const terms = tinyTerminology();

/** Each concept found, as "words: heading < term (source)". */
function found(text: string): string[] {
  const words = text.split(/[ /]/);
  return terms.recognise(textUnits(text), text).map(({ from, to, concept, term, source }) => {
    return `${words.slice(from, to).join(' ')}: ${terms.concepts[concept]!.heading} < ${term} (${source})`;
  });
}

const headings = (concepts: readonly number[]): string[] => concepts.map((number) => terms.concepts[number]!.heading);
const named = (heading: string): number => terms.numberOfHeading(heading)!;

describe('a terminology file', () => {
  it('has every descriptor as a concept, and an own one where MeSH lacks the heading', () => {
    expect(terms.concepts).toHaveLength(18);
    expect(terms.concepts.at(-1)).toMatchObject({ id: 'R:brittle-diabetes', heading: 'Brittle Diabetes' });
    expect(terms.concepts[1]).toMatchObject({ id: 'D008175', heading: 'Lung Neoplasms' });
    expect([terms.numberOf('D008175'), terms.numberOf('R:brittle-diabetes'), terms.numberOf('D1')]).toEqual([
      1,
      17,
      undefined,
    ]);
  });

  it('names its bytes by their checksum, and equal sources make equal bytes', () => {
    const sources = { mesh: TINY_MESH, ontology: TINY_ONTOLOGY, reviewed: TINY_TABLE };
    const packed = makeTerminology(sources);
    expect(Buffer.compare(packed, makeTerminology(sources))).toBe(0);
    expect(readTerminology(packed).identity).toBe(createHash('sha256').update(packed).digest('hex'));
  });

  it('refuses other bytes and a cut file', () => {
    const packed = makeTerminology({ mesh: TINY_MESH, ontology: TINY_ONTOLOGY, reviewed: TINY_TABLE });
    expect(() => readTerminology(Buffer.from('{}\n'))).toThrow('the terminology has format undefined; expected 3');
    expect(() => readTerminology(Buffer.from('no terms'))).toThrow('the terminology cannot be read');
    expect(() => readTerminology(packed.subarray(0, packed.length - 8))).toThrow('the terminology cannot be read');
  });

  it('gives all ancestors of a concept by every place in the tree', () => {
    expect(headings(terms.broaderOf(named('Lung Neoplasms')))).toEqual([
      'Neoplasms',
      'Neoplasms by Site',
      'Lung Diseases',
    ]);
  });

  it('has the hints of the reviewed table, without headings that MeSH lacks', () => {
    expect([terms.meaningsOf('LD'), terms.meaningsOf('ld'), terms.meaningsOf('cold')]).toEqual([
      ['lung diseases', 'diabetes'],
      [],
      [],
    ]);
    expect(terms.meaningsOf('constructor')).toEqual([]);
    expect(headings(terms.relatedTo(named('Brittle Diabetes')))).toEqual(['Diabetes Mellitus, Type 1']);
    expect(headings(terms.relatedTo(named('Diabetes Mellitus, Type 1')))).toEqual(['Brittle Diabetes']);
    expect(terms.relatedTo(named('Neoplasms'))).toEqual([]);
  });

  it('knows the words of its names by their keys of search', () => {
    expect(['neoplasm', 'diabete', 'brachium'].map((key) => terms.hasWord(key))).toEqual([true, true, true]);
    expect(['neoplasms', 'plorfex'].map((key) => terms.hasWord(key))).toEqual([false, false]);
  });

  it('files concepts where the table does, with what is below them, and passes over headings that are not there', () => {
    expect(headings(terms.broaderOf(named('Obstruction, Chronic')))).toEqual(['Lung Diseases']);
    expect(headings(terms.broaderOf(named('Brittle Diabetes')))).toEqual(['Lung Diseases', 'Obstruction, Chronic']);
    expect(headings(terms.broaderOf(named('Alzheimer Disease')))).toEqual([]);
  });

  it('cuts the ancestors that the table cuts, for the heading and what is below it', () => {
    expect(headings(terms.broaderOf(named('Cysts')))).toEqual([]);
    expect(headings(terms.broaderOf(named('Ovarian Cysts')))).toEqual(['Cysts']);
  });

  it('finds a heading by its text in any case, turned, or by another name', () => {
    expect(named('diabetes mellitus, type 1')).toBe(5);
    expect(named('Type 1 Diabetes Mellitus')).toBe(5);
    expect(named('juvenile diabetes')).toBe(5);
    expect(named('Arm')).toBe(10);
    expect(terms.numberOfHeading('Diabetes Mellitus of the Arm')).toBeUndefined();
  });
});

/** The headings that a record with this text is about. */
const stated = (text: string): string[] =>
  terms.statedIn(textUnits(text), text).map(({ concept }) => terms.concepts[concept]!.heading);

describe('what a text states', () => {
  it.each([
    ['lung cancer without a known Alzheimer disease', ['Lung Neoplasms']],
    ['lung cancer without Alzheimer disease or cysts', ['Lung Neoplasms']],
    ['non lung cancer, anti cancer, not cysts', []],
    ['non-lung cancer, anti-cancer', ['Neoplasms']],
    ['with or without cysts, with and without lung cancer', ['Cysts', 'Lung Neoplasms']],
    ['type2 smokers, Type1diabetes mellitus', ['Diabetes Mellitus, Type 1']],
    ['cysts-related pain, cysts-negative smokers', ['Cysts']],
  ])('%s: %j', (text, expected) => expect(stated(text)).toEqual(expected));

  it('is read with other words for the same and heads first', () => {
    const reviewed = {
      ...TINY_TABLE,
      sameWords: [{ of: ['lung', 'pulmonary'] }, { of: ['disease', 'trouble'], last: true }],
    };
    const read = readTerminology(makeTerminology({ mesh: TINY_MESH, ontology: TINY_ONTOLOGY, reviewed } as never));
    const headingOf = (text: string) =>
      read.recognise(textUnits(text), text).map(({ concept }) => read.concepts[concept]!.heading);
    expect(headingOf('pulmonary trouble')).toEqual(['Lung Diseases']);
    expect(headingOf('lung trouble')).toEqual(['Lung Diseases']);
    expect(headingOf('neoplasms, lung')).toEqual(['Lung Neoplasms']);
    expect(headingOf('cysts, ovarian')).toEqual(['Ovarian Cysts']);
    expect(headingOf('trouble')).toEqual([]);
  });

  it('is not above a concept where a reviewed cut says so, though a registry does', () => {
    expect(terms.isCut(named('Neoplasms'), [named('Ovarian Cysts')])).toBe(true);
    expect(terms.isCut(named('Neoplasms'), [named('Lung Neoplasms')])).toBe(false);
  });
});

describe('recognising concepts', () => {
  it('reads Roman numerals after words that number, Greek letters by name, hyphens and possessives', () => {
    expect(found('Type-I diabetes')).toEqual([
      'Type-I diabetes: Diabetes Mellitus, Type 1 < type 1 diabetes (reviewed)',
    ]);
    expect(found('I diabetes')).toEqual([]);
    expect(found('interferon α')).toEqual(['interferon α: Interferon-alpha < Interferon-alpha (mesh)']);
    expect(found('Interferon alfa')).toEqual(['Interferon alfa: Interferon-alpha < Interferon-alpha (mesh)']);
    expect(found("Alzheimer's disease")).toEqual(["Alzheimer's disease: Alzheimer Disease < Alzheimer Disease (mesh)"]);
    expect(found('Gastro-oesophageal reflux')).toEqual([
      'Gastro-oesophageal reflux: Gastroesophageal Reflux < Gastroesophageal Reflux (mesh)',
    ]);
  });

  it('takes case-sensitive terms in their case only, not in a shouted text and not as part of a code', () => {
    const als = (words: string) => [`${words}: Amyotrophic Lateral Sclerosis < ALS (reviewed)`];
    expect(found('Patients with ALS')).toEqual(als('ALS'));
    expect(found('ALS')).toEqual(als('ALS'));
    expect(found('als')).toEqual([]);
    expect(found('Als Ob')).toEqual([]);
    expect(found('ALS PATIENTS')).toEqual([]);
    expect(found('Dose of ALS-008176')).toEqual([]);
    expect(found('a tool that als ALS do')).toEqual(als('ALS'));
  });

  it('lets the reviewed table win, and names of two concepts count for neither', () => {
    expect(found('brittle diabetes')).toEqual(['brittle diabetes: Brittle Diabetes < Brittle Diabetes (reviewed)']);
    expect(found('twofold name')).toEqual([]);
  });

  it('takes no term that the table leaves out, nor a heading that is an ordinary word', () => {
    expect(found('cold COLD')).toEqual([]);
    expect(found('single arm')).toEqual([]);
    expect(found('middle arm')).toEqual(['middle arm: Brachium < Middle Arm (mesh)']);
  });

  it('gives an entry without descriptor the heading of MeSH that has its name', () => {
    expect(found('smoker lung')).toEqual(['smoker lung: Obstruction, Chronic < smoker lung (reviewed)']);
    expect(terms.numberOf('R:obstruction-chronic')).toBeUndefined();
  });
});
