import type { RegistryId } from '../../contract/ids.ts';
import { isIsrctnCsv } from './csv-row.ts';
import { CsvSlicer } from './csv-slicer.ts';
import type { RawFormat } from './fetch-log.ts';
import { foreignKind } from './foreign-files.ts';
import { JsonSlicer, LineSlicer, valueAt } from './json-slicer.ts';
import { BYTE_ORDER_MARK, MAX_RECORD_BYTES, type Slicer, skipSpace } from './slice.ts';
import { XmlSlicer } from './xml-slicer.ts';

/** Formats that a stream slicer cuts; a zip is read by its directory instead. */
export type StreamFormat = Exclude<RawFormat, 'ctgov-zip'>;

export type Sniffed =
  | { kind: 'format'; format: StreamFormat }
  | { kind: 'left-out'; reason: string }
  /** More of the file is needed. */
  | { kind: 'more' };

export type Wrapping = 'zip' | 'gzip' | 'plain';

/** Most bytes of a file that are read to recognise it: one record of the largest size and a little more. */
export const MAX_SNIFF_BYTES: number = MAX_RECORD_BYTES + 4 * 1024 * 1024;

const OPEN_BRACE = 0x7b;
/** A head line of a table, or a root element behind a prolog. */
const FOREIGN_HEAD_BYTES = 8192;

/** An API page: only scalar fields precede `studies`, at any place in the object. */
const PAGE =
  /^\s*\{(?:\s*"[^"\\]{0,200}"\s*:\s*(?:"[^"\\]{0,4000}"|-?[\d.eE+-]{1,40}|true|false|null)\s*,)*\s*"studies"\s*:\s*\[/;
const STUDY_KEY = /"protocolSection"\s*:/;

/** The wrapping of a file by its first four bytes. */
export function wrappingOf(head: Buffer): Wrapping {
  if (head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5) && (head[3] === 4 || head[3] === 6))
    return 'zip';
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return 'plain';
}

/**
 * Recognises an unwrapped file by its content, never by its name. `whole` is true when `head` is the whole file.
 * Pure; returns `more` when these bytes do not decide.
 */
export function sniff(registry: RegistryId, head: Buffer, whole: boolean): Sniffed {
  const body = withoutMark(head);
  const start = skipSpace(body, 0);
  if (start === body.length) return whole ? leftOut('empty file') : { kind: 'more' };
  const first = String.fromCharCode(body[start]!);
  if ((head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0xff && head[1] === 0xfe)) {
    return leftOut('UTF-16 text; convert it to UTF-8');
  }
  const wrapping = wrappingOf(body);
  if (wrapping !== 'plain') return leftOut(`a ${wrapping} file inside another compressed file`);
  const foreign = foreignKind(registry, body.toString('latin1', start, start + FOREIGN_HEAD_BYTES));
  if (foreign !== null) return leftOut(foreign);
  if (registry === 'isrctn' && isIsrctnCsv(body.toString('latin1', start, start + 16))) {
    return { kind: 'format', format: 'isrctn-csv' };
  }
  if (registry === 'isrctn') {
    return first === '<' ? sniffXml(body.subarray(start), whole) : leftOut(`${namedKind(first)}, not ISRCTN XML`);
  }
  if (first === '[') return sniffArray(body.subarray(start), whole);
  if (first === '{') return sniffObject(body.subarray(start), whole);
  return leftOut(`${namedKind(first)}, not ClinicalTrials.gov JSON`);
}

export function slicerFor(format: StreamFormat): Slicer {
  switch (format) {
    case 'ctgov-array':
      return new JsonSlicer('array');
    case 'ctgov-page':
      return new JsonSlicer('page');
    case 'ctgov-study':
      return new JsonSlicer('study');
    case 'ctgov-ndjson':
      return new LineSlicer();
    case 'isrctn-xml':
    case 'isrctn-trial':
      return new XmlSlicer();
    case 'isrctn-csv':
      return new CsvSlicer();
  }
}

function leftOut(reason: string): Sniffed {
  return { kind: 'left-out', reason };
}

function namedKind(first: string): string {
  if (first === '<') return 'XML or HTML';
  if (first === '{' || first === '[') return 'JSON';
  return 'text or data of another kind';
}

function sniffArray(body: Buffer, whole: boolean): Sniffed {
  if (STUDY_KEY.test(body.toString('latin1'))) return { kind: 'format', format: 'ctgov-array' };
  if (/^\[\s*\]\s*$/.test(body.toString('latin1', 0, 64))) return { kind: 'format', format: 'ctgov-array' };
  return undecided(body, whole, 'a JSON array without study records');
}

function sniffObject(body: Buffer, whole: boolean): Sniffed {
  const text = body.toString('latin1');
  if (PAGE.test(text)) return { kind: 'format', format: 'ctgov-page' };
  const isStudy = STUDY_KEY.test(text);
  const newline = body.indexOf(0x0a);
  const goesOn = newline !== -1 && skipSpace(body, newline) < body.length;
  if (goesOn && (isBalanced(body.subarray(0, newline)) || isObjectLine(body, newline + 1))) {
    return isStudy
      ? { kind: 'format', format: 'ctgov-ndjson' }
      : undecided(body, whole, 'NDJSON without study records');
  }
  if (!whole && body.length < MAX_SNIFF_BYTES) return { kind: 'more' };
  return isStudy
    ? { kind: 'format', format: 'ctgov-study' }
    : leftOut('a JSON object that is neither a study nor a page of studies');
}

/** True when a JSON object begins here. */
export function isJsonObject(content: Buffer): boolean {
  const body = withoutMark(content);
  return body[skipSpace(body, 0)] === OPEN_BRACE;
}

function withoutMark(head: Buffer): Buffer {
  return head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head;
}

/** True when the line is one complete JSON value. */
function isBalanced(line: Buffer): boolean {
  const { end } = valueAt(line, 0);
  return end !== -1 && skipSpace(line, end) === line.length;
}

/** True when the line at `from` is a whole object; with it a file whose first line is broken is still recognised as NDJSON. */
function isObjectLine(body: Buffer, from: number): boolean {
  const newline = body.indexOf(0x0a, from);
  if (body[from] !== OPEN_BRACE || newline === -1) return false;
  return isBalanced(body.subarray(from, newline));
}

function sniffXml(body: Buffer, whole: boolean): Sniffed {
  // A declaration, instructions and comments may precede the root element.
  const text = body.toString('latin1', 0, 65_536);
  const prolog = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/.exec(text)?.[0].length ?? 0;
  const root = /^<([^\s/>!?]+)[\s/>]/.exec(text.slice(prolog))?.[1];
  if (root === 'allTrials') return { kind: 'format', format: 'isrctn-xml' };
  if (root === 'fullTrial' || root === 'trial') return { kind: 'format', format: 'isrctn-trial' };
  if (root === undefined && !whole && body.length < 65_536) return { kind: 'more' };
  if (root === undefined) return leftOut('no XML root element that belongs to a trial');
  return leftOut(`XML with the root <${root.slice(0, 60)}>, not a trial`);
}

function undecided(body: Buffer, whole: boolean, reason: string): Sniffed {
  return whole || body.length >= MAX_SNIFF_BYTES ? leftOut(reason) : { kind: 'more' };
}
