import type { RegistryId } from '../../contract/ids.ts';
import { CsvSlicer } from './csv.ts';
import type { RawFormat } from './fetch-log.ts';
import { JsonSlicer, PAGE_HEAD, TextSlicer } from './json-slicer.ts';
import { type Slicer, withoutMark } from './slice.ts';
import { XmlSlicer } from './xml-slicer.ts';

/** Formats that a stream slicer cuts; a zip is read by its directory instead. */
export type StreamFormat = Exclude<RawFormat, 'ctgov-zip'>;

/** Bytes of an unwrapped file that decide its format: more than the largest study seen. */
export const RECOGNISED_BYTES: number = 8 * 1024 * 1024;

interface Format {
  name: StreamFormat;
  registry: RegistryId;
  /** Recognises the beginning of a file, without white space and markup before it. The first format that does is taken. */
  begins: RegExp;
  slicer(): Slicer;
}

const CTGOV = 'clinicaltrials_gov';
const xmlSlicer = (): Slicer => new XmlSlicer();

const FORMATS: readonly Format[] = [
  {
    name: 'ctgov-array',
    registry: CTGOV,
    begins: /^\[(?:\s*\]\s*$|[\s\S]*?"protocolSection"\s*:)/,
    slicer: () => new JsonSlicer('array'),
  },
  { name: 'ctgov-page', registry: CTGOV, begins: PAGE_HEAD, slicer: () => new JsonSlicer('page') },
  {
    // Only lines of NDJSON begin with a brace at the left edge: a study that is laid out in lines is indented.
    name: 'ctgov-ndjson',
    registry: CTGOV,
    begins: /^\{(?=[\s\S]*?"protocolSection"\s*:)[\s\S]*?\n\{/,
    slicer: () => new TextSlicer('lines'),
  },
  {
    name: 'ctgov-study',
    registry: CTGOV,
    begins: /^\{[\s\S]*?"protocolSection"\s*:/,
    slicer: () => new TextSlicer('whole'),
  },
  { name: 'isrctn-xml', registry: 'isrctn', begins: /^<allTrials[\s/>]/, slicer: xmlSlicer },
  { name: 'isrctn-trial', registry: 'isrctn', begins: /^<(?:fullTrial|trial)[\s/>]/, slicer: xmlSlicer },
  { name: 'isrctn-csv', registry: 'isrctn', begins: /^"?ISRCTN"?,/, slicer: () => new CsvSlicer() },
];

/** The form of a registry's records, and the way to get them. */
const WANTED: Readonly<Record<RegistryId, { form: string; advice: string }>> = {
  clinicaltrials_gov: {
    form: 'ClinicalTrials.gov JSON',
    advice:
      'take its JSON: Download on a result page of clinicaltrials.gov, or `pipeline fetch --registry clinicaltrials_gov`',
  },
  isrctn: {
    form: 'ISRCTN XML',
    advice: 'take its XML: https://www.isrctn.com/api/query/format/default, or `pipeline fetch --registry isrctn`',
  },
};

const UNCOMMAED = ': send it separated by commas, as the registry exports it';

/** Files that people take for a registry's records; `of` names the registry whose records they are, in a form that is read. */
const FOREIGN: readonly { begins: RegExp; name: string; of?: RegistryId }[] = [
  { begins: /^(?:id\|)?nct_id\|/, name: 'a table of AACT' },
  { begins: /^PGDMP/, name: 'a dump of PostgreSQL, as AACT offers one' },
  {
    begins: /^"?(?:Rank"?[,;\t]"?)?NCT Number"?[,;\t]/,
    name: 'a CSV export of ClinicalTrials.gov, which lacks most fields',
  },
  { begins: /^<(?:clinical_study|search_results)[\s>]/, name: 'the XML that ClinicalTrials.gov made until 2024' },
  {
    // The export holds copies of both registries with few of their fields.
    begins: /^(?:<Trials_downloaded_from_ICTRP[\s>]|"?TrialID"?,|[^\n<{]{0,300}"?Last Refreshed on"?,)/i,
    name: "an export of WHO's ICTRP, which holds copies",
  },
  {
    begins: /^"?ISRCTN"?;/,
    name: `a CSV of ISRCTN separated by semicolons, as a spreadsheet saves it${UNCOMMAED}`,
  },
  { begins: /^"?ISRCTN"?\t/, name: `a table of ISRCTN separated by tabs${UNCOMMAED}` },
  { begins: /^"?ISRCTN"?,/, name: 'a CSV export of ISRCTN: give it with --isrctn', of: 'isrctn' },
  { begins: /^(?:<!doctype html|<html[\s>])/i, name: 'a web page' },
  { begins: /^<(?:allTrials|fullTrial)[\s>]/, name: 'ISRCTN XML: give it with --isrctn', of: 'isrctn' },
  {
    begins: /^[[{][\s\S]*"protocolSection"\s*:/,
    name: 'ClinicalTrials.gov JSON: give it with --ctgov',
    of: 'clinicaltrials_gov',
  },
];
/** A head line of a table, or a root element behind a prolog. */
const FOREIGN_BYTES = 8192;

/** The wrapping of a file by its first four bytes. */
export function wrappingOf(head: Buffer): 'zip' | 'gzip' | 'plain' {
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head.toString('latin1', 0, 4))) return 'zip';
  return head[0] === 0x1f && head[1] === 0x8b ? 'gzip' : 'plain';
}

/**
 * The format of an unwrapped file by its first RECOGNISED_BYTES, never by its name; or why it holds no records of the
 * registry, and what to take instead.
 */
export function formatOf(registry: RegistryId, bytes: Buffer): { format: StreamFormat } | { leftOut: string } {
  if (/^(?:\xfe\xff|\xff\xfe)/.test(bytes.toString('latin1', 0, 2))) {
    return { leftOut: 'UTF-16 text; convert it to UTF-8' };
  }
  const body = withoutMark(bytes);
  const wrapping = wrappingOf(body);
  if (wrapping !== 'plain') return { leftOut: `a ${wrapping} file inside another compressed file` };
  const head = body.toString('latin1').replace(/^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/, '');
  if (head === '') return { leftOut: 'empty file' };
  const { form, advice } = WANTED[registry];
  const foreign = FOREIGN.find(({ begins }) => begins.test(head.slice(0, FOREIGN_BYTES)));
  if (foreign !== undefined && foreign.of !== registry) {
    return { leftOut: foreign.of === undefined ? `${foreign.name}; ${advice}` : foreign.name };
  }
  const format = FORMATS.find((one) => one.registry === registry && one.begins.test(head));
  return format === undefined ? { leftOut: `${kindOf(head)}, not ${form}` } : { format: format.name };
}

export function slicerFor(format: StreamFormat): Slicer {
  return FORMATS.find(({ name }) => name === format)!.slicer();
}

/** True when a JSON object begins here. */
export function isJsonObject(content: Buffer): boolean {
  return /^\s*\{/.test(withoutMark(content).toString('latin1', 0, 1024));
}

function kindOf(head: string): string {
  const root = /^<([^\s/>!?]+)[\s/>]/.exec(head)?.[1];
  if (root !== undefined) return `XML with the root <${root.slice(0, 60)}>`;
  if (/^[[{]/.test(head)) return 'JSON without study records';
  return head.startsWith('<') ? 'XML or HTML' : 'text or data of another kind';
}
