import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { textUnits } from '../../snapshot/format/words/tokens.ts';
import { readTerminology } from '../../snapshot/terminology/terminology.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { importMeshFile, termsFile, termsInUse } from './terms.ts';

function term(name: string, permuted = 'N'): string {
  return `<Term  ConceptPreferredTermYN="N"  IsPermutedTermYN="${permuted}"  LexicalTag="NON"  RecordPreferredTermYN="N">
    <TermUI>T000001</TermUI><String>${name}</String></Term>`;
}

function record(id: string, heading: string, trees: string[], ...terms: string[]): string {
  const list = trees.map((tree) => `<TreeNumber>${tree}</TreeNumber>`).join('\n');
  return `<DescriptorRecord DescriptorClass = "1">
  <DescriptorUI>${id}</DescriptorUI>
  <DescriptorName><String>${heading}</String></DescriptorName>
  <DateCreated><Year>1999</Year><Month>01</Month><Day>01</Day></DateCreated>
  ${list === '' ? '' : `<TreeNumberList>${list}</TreeNumberList>`}
  <ConceptList>
   <Concept PreferredConceptYN="Y"><ConceptUI>M1</ConceptUI><ConceptName><String>${heading}</String></ConceptName>
    <TermList>${term(heading)}${terms.join('')}</TermList></Concept>
   <Concept PreferredConceptYN="N"><ConceptUI>M2</ConceptUI><ConceptName><String>other</String></ConceptName>
    <TermList>${term(`${heading} kind`)}</TermList></Concept>
  </ConceptList>
 </DescriptorRecord>`;
}

const HEAD = `<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20250101.dtd">
<DescriptorRecordSet LanguageCode = "eng">
`;
const XML = `${HEAD}${[
  record('D003920', 'Diabetes Mellitus', ['C18.452']),
  record(
    'D003922',
    'Diabetes Mellitus, Type 1',
    ['C18.452.124', 'C20.111'],
    term('Sugar &amp; Ketone Sickness'),
    term('Sickness, Sugar', 'Y'),
  ),
  record('D005842', 'Switzerland', ['Z01.542.883']),
  record('D008297', 'Male', []),
  record('D000086382', 'COVID-19', ['C01.748.214'], term('SARS Coronavirus Sickness')),
].join('\n')}
</DescriptorRecordSet>
`;

const folder = folderOfTest();
let dataDir: string;
beforeEach(() => {
  dataDir = folder.path;
});

async function given(name: string, content: string | Buffer): Promise<string> {
  const path = join(dataDir, name);
  await writeFile(path, content);
  return path;
}

async function named(text: string): Promise<string[]> {
  const terms = readTerminology((await termsInUse(dataDir)).terminology);
  return terms.recognise(textUnits(text), text).map(({ concept, term: found, source }) => {
    return `${terms.concepts[concept]!.id} ${found} (${source})`;
  });
}

describe("NLM's file of MeSH descriptors", () => {
  it('takes the place of the bundled names, with its entry terms and its year', async () => {
    expect((await termsInUse(dataDir)).file).toBeNull();
    await importMeshFile(await given('desc2026.xml', XML), dataDir);
    const { file, terminology } = await termsInUse(dataDir);
    expect(file).toBe(termsFile(dataDir));
    const terms = readTerminology(terminology);
    expect(terms.sources[0]).toMatchObject({ id: 'mesh', year: '2026' });
    expect(terms.concepts.filter(({ id }) => id.startsWith('D')).map(({ id, heading }) => `${id} ${heading}`)).toEqual([
      'D003920 Diabetes Mellitus',
      'D003922 Diabetes Mellitus, Type 1',
      'D000086382 COVID-19',
    ]);
    expect(terms.broaderOf(1)).toEqual([0]);
    expect(await named('sugar and ketone sickness, Sugar & Ketone Sickness')).toEqual([
      'D003922 Sugar & Ketone Sickness (mesh)',
    ]);
    expect(await named('diabetes mellitus, type 1 kind')).toEqual(['D003922 Diabetes Mellitus, Type 1 kind (mesh)']);
    expect(await named('sickness sugar')).toEqual([]);
    expect(await named('Switzerland')).toEqual([]);
  });

  it('keeps the reviewed table, whose own concept gives way to the heading of the newer MeSH', async () => {
    await importMeshFile(await given('desc2026.xml', XML), dataDir);
    expect(await named('T1D')).toEqual(['D003922 T1D (reviewed)']);
    expect(await named('SARS-CoV-2 infection')).toEqual(['D000086382 SARS-CoV-2 infection (reviewed)']);
  });

  it('is read gzipped, and by a year in its document type', async () => {
    await importMeshFile(await given('mesh.gz', gzipSync(XML)), dataDir);
    const terms = readTerminology((await termsInUse(dataDir)).terminology);
    expect(terms.sources[0]!.year).toBe('2025');
  });

  const ended = XML.slice(0, XML.lastIndexOf('</DescriptorRecord>'));
  const damaged = 'is damaged: it has no whole descriptor with an id and a name';
  const html = '<html><body>Not found</body></html>';
  const rome = `${HEAD}${record('D1', 'Rome', ['Z01.5'])}</DescriptorRecordSet>`;
  const cases: [string, string, string | Buffer, string][] = [
    ['a cut file', 'desc2026.xml', ended, 'desc2026.xml: it ends after 4 records, before its XML is closed'],
    ['a cut gzip file', 'd.gz', gzipSync(XML).subarray(0, 400), 'd.gz: the gzip data ends early'],
    ['a record without an id', 'desc2026.xml', XML.replace('D003922', ''), `record 2 ${damaged}`],
    ['a record with broken markup', 'desc2026.xml', XML.replace('</TermList>', ''), `record 1 ${damaged}`],
    ['another file', 'd.xml', html, "d.xml: it is not NLM's file of MeSH descriptors, which has a DescriptorRecordSet"],
    [
      'a file without a year',
      'mesh.xml',
      XML.replace('_20250101', ''),
      'mesh.xml: it does not tell its year; name it as NLM does, desc<year>.xml',
    ],
    ['a file of other branches', 'desc2026.xml', rome, 'desc2026.xml: it has no descriptor of branches A to G'],
  ];
  it.each(cases)('refuses %s and keeps what was imported before', async (_, name, content, message) => {
    await importMeshFile(await given('desc2026.xml', XML), dataDir);
    const before = await readFile(termsFile(dataDir));
    await expect(importMeshFile(await given(name, content), dataDir)).rejects.toThrow(message);
    expect(Buffer.compare(await readFile(termsFile(dataDir)), before)).toBe(0);
  });
});
