import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { SourceFile, SourceRow } from '../../snapshot/terminology/sources.ts';

/** Reads NLM's yearly file of MeSH descriptors, 300 MB of XML, one record at a time. */

/** A file that is not NLM's, or not all of it. Its message is for the operator. */
export class TermsFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TermsFault';
  }
}

const ROOT = '<DescriptorRecordSet';
const ROOT_END = '</DescriptorRecordSet>';
const RECORD = /<DescriptorRecord[\s>]/;
const RECORD_END = '</DescriptorRecord>';
/** Characters; the longest record of MeSH has less than a million. */
const RECORD_MAX = 16_000_000;
/** Anatomy, organisms, diseases, drugs, procedures, psychology and processes; the others name places, jobs and publications. */
const BRANCHES = /^[A-G]/;
const LISTS = ['TreeNumber', 'Concept', 'Term'];

/** Numbers stay text, and a text with attributes keeps its name. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => LISTS.includes(name),
});

interface DescriptorRecord {
  DescriptorUI?: string;
  DescriptorName?: { String?: string };
  TreeNumberList?: { TreeNumber?: string[] };
  ConceptList?: { Concept?: { TermList?: { Term?: { String?: string; '@IsPermutedTermYN'?: string }[] } }[] };
}

/** `name` is the file's name, which tells the year as NLM names it: desc2026.xml. Throws TermsFault. */
export async function readMeshXml(chunks: AsyncIterable<Buffer>, name: string): Promise<SourceFile> {
  const decoder = new TextDecoder();
  const rows: SourceRow[] = [];
  let head: string | null = null;
  let text = '';
  for await (const chunk of chunks) {
    const records = (text + decoder.decode(chunk, { stream: true })).split(RECORD_END);
    text = records.pop()!;
    head ??= records[0] ?? null;
    for (const record of records) rows.push(rowOf(record, rows.length + 1));
    if (text.length > RECORD_MAX) throw new TermsFault(`${name}: a record is longer than ${RECORD_MAX} characters`);
  }
  head ??= text;
  if (!head.includes(ROOT))
    throw new TermsFault(`${name}: it is not NLM's file of MeSH descriptors, which has a DescriptorRecordSet`);
  if (!text.includes(ROOT_END))
    throw new TermsFault(`${name}: it ends after ${rows.length} records, before its XML is closed`);
  const usable = rows.filter(({ treeNumbers }) => treeNumbers.length > 0);
  if (usable.length === 0) throw new TermsFault(`${name}: it has no descriptor of branches A to G`);
  const statement = {
    id: 'mesh' as const,
    name: 'MeSH, courtesy of the U.S. National Library of Medicine',
    year: yearOf(name, head),
    licence: 'public domain; may not be the newest MeSH',
  };
  return { statement, rows: usable };
}

/** `text` ends with a record, without its end tag. */
function rowOf(text: string, number: number): SourceRow {
  const start = text.search(RECORD);
  const xml = start < 0 ? '' : text.slice(start) + RECORD_END;
  const record: DescriptorRecord = XMLValidator.validate(xml) === true ? parser.parse(xml).DescriptorRecord : {};
  const descriptor = record.DescriptorUI ?? '';
  const heading = record.DescriptorName?.String ?? '';
  if (!/^D\d+$/.test(descriptor) || heading === '')
    throw new TermsFault(`record ${number} is damaged: it has no whole descriptor with an id and a name`);
  const terms = (record.ConceptList?.Concept ?? []).flatMap((concept) => concept.TermList?.Term ?? []);
  const names = terms.filter((term) => term['@IsPermutedTermYN'] !== 'Y').map((term) => term.String ?? '');
  const treeNumbers = record.TreeNumberList?.TreeNumber ?? [];
  return {
    descriptor,
    heading,
    treeNumbers: treeNumbers.filter((treeNumber) => BRANCHES.test(treeNumber)),
    names: [...new Set(names)].filter((term) => term !== '' && term !== heading),
  };
}

/** By the file's name, else by the day in the name of its document type. */
function yearOf(name: string, head: string): string {
  const year = /desc(\d{4})\.[a-z.]+$/i.exec(name)?.[1] ?? /nlmdescriptorrecordset_(\d{4})\d{4}\.dtd/.exec(head)?.[1];
  if (year === undefined)
    throw new TermsFault(`${name}: it does not tell its year; name it as NLM does, desc<year>.xml`);
  return year;
}
