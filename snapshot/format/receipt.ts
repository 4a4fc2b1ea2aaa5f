import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BASE_32 } from '../../contract/base-32.ts';
import {
  RECEIPT_BEGINNING,
  RECEIPT_MAX_CHARACTERS,
  RECEIPT_PATTERN,
  RECEIPT_QUERY_MAX_BYTES,
  type ReceiptWord,
} from '../../contract/receipts.ts';

/** What stands in a receipt beside its query, readable without unpacking anything. */
export interface ReceiptHead {
  word: ReceiptWord;
  version: string;
  /** First digits of the snapshot's identity; null for a snapshot of a format without one. */
  identity: string | null;
  count: number;
  sum: string;
}

/** What a receipt says: this query, on this snapshot, found so many trials, whose ids have this sum. */
export interface Receipt extends ReceiptHead {
  /** Parameters by name, in their order by name. */
  query: [name: string, value: string][];
}

/** Digits of the identity that a version's name ends with, and how many a receipt has in all. */
const NAME_DIGITS = 8;
const IDENTITY_DIGITS = 16;
/** A shorter query is written as text, which any program reads. */
const COMPRESSED_FROM_BYTES = 64;

const FORM = 'r1.operation.snapshot.count.sum.query.check, as an answer has it in _meta.receipt';
const DAMAGED =
  'a whole receipt: this one is damaged, because its last four characters do not fit the rest. It was cut, mistyped or changed; copy it again from _meta.receipt of the answer';
const DAMAGED_QUERY = 'a query that is base64url of UTF-8, packed where it begins with d; this one is damaged';
const TOO_LONG = `a query of at most ${RECEIPT_QUERY_MAX_BYTES} bytes when it is unpacked`;

/**
 * A text and its check: the first twenty bits of its SHA-256, as four characters of base 32. Without it a receipt that was cut within its
 * query would be read as one of another query. It guards against mistakes, not against a forger, who can write one too.
 */
export function withCheck(text: string): string {
  const bits = createHash('sha256').update(text).digest().readUIntBE(0, 3) >>> 4;
  return `${text}.${[15, 10, 5, 0].map((from) => BASE_32[(bits >>> from) & 31]).join('')}`;
}

/** The receipt as text; null where it would be longer than RECEIPT_MAX_CHARACTERS, or its query than RECEIPT_QUERY_MAX_BYTES. */
export function writeReceipt({ word, version, identity, count, sum, query }: Receipt): string | null {
  const digits = identity?.slice(NAME_DIGITS, IDENTITY_DIGITS) ?? '';
  const bytes = Buffer.from(queryText(query));
  if (bytes.length > RECEIPT_QUERY_MAX_BYTES) return null;
  const text = withCheck(`r1.${word}.${version}${digits}.${count}.${sum}.${packed(bytes)}`);
  return text.length <= RECEIPT_MAX_CHARACTERS ? text : null;
}

/** The head of a receipt; null where the text has another form. */
export function readHead(text: string): ReceiptHead | null {
  const [whole, word, version = '', digits, count, sum = ''] = RECEIPT_PATTERN.exec(text) ?? [];
  if (whole === undefined) return null;
  const identity = digits === undefined ? null : `${version.slice(-NAME_DIGITS)}${digits}`;
  return { word: word as ReceiptWord, version, identity, count: Number(count), sum };
}

/**
 * What a receipt says; or what is wrong with it, in words that follow "expected". The names and values of its query are whatever
 * its author wrote: `readAskable` of receipt-query.ts reads them by the contract.
 */
export function readReceipt(text: string): Receipt | { fault: string } {
  if (text.length > RECEIPT_MAX_CHARACTERS) return { fault: `at most ${RECEIPT_MAX_CHARACTERS} characters` };
  if (!RECEIPT_BEGINNING.test(text)) return { fault: FORM };
  if (withCheck(text.slice(0, Math.max(0, text.lastIndexOf('.')))) !== text) return { fault: DAMAGED };
  const head = readHead(text);
  if (head === null) return { fault: FORM };
  const [form = '', ...packedQuery] = text.split('.').at(-2) as string;
  const content = unpacked(form === 'd', packedQuery.join(''));
  if (typeof content !== 'string') return content;
  const query = content === '' ? [] : content.split('\n').map(pairOf);
  const names = query.map(([name]) => name);
  if (names.some((name, place) => place > 0 && name <= (names[place - 1] as string))) {
    return { fault: 'a query with each parameter once, in the order of their names; this one is damaged' };
  }
  return { ...head, query };
}

/** `name=value` in lines, by name. A line break within a value, and the sign of the escape itself, are escaped. */
function queryText(query: readonly [string, string][]): string {
  return [...query]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value.replaceAll(/[%\n]/g, encodeURIComponent)}`)
    .join('\n');
}

function pairOf(line: string): [string, string] {
  const cut = line.indexOf('=');
  const [name, value] = cut < 0 ? [line, ''] : [line.slice(0, cut), line.slice(cut + 1)];
  return [name, value.replaceAll('%0A', '\n').replaceAll('%25', '%')];
}

function packed(bytes: Buffer): string {
  if (bytes.length < COMPRESSED_FROM_BYTES) return `t${bytes.toString('base64url')}`;
  const smaller = deflateRawSync(bytes, { level: 9 });
  return smaller.length < bytes.length ? `d${smaller.toString('base64url')}` : `t${bytes.toString('base64url')}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws where anything follows: a receipt has one spelling. */
function inflated(bytes: Buffer): Buffer {
  const options = { maxOutputLength: RECEIPT_QUERY_MAX_BYTES, info: true } as const;
  const { buffer, engine } = inflateRawSync(bytes, options) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  if (engine.bytesWritten !== bytes.length) throw new RangeError('bytes after the end of the packed query');
  return buffer;
}

function unpacked(isCompressed: boolean, text: string): string | { fault: string } {
  try {
    const bytes = Buffer.from(text, 'base64url');
    // Node reads a damaged text as far as it can.
    if (bytes.toString('base64url') !== text) return { fault: DAMAGED_QUERY };
    return utf8.decode(isCompressed ? inflated(bytes) : bytes);
  } catch (error) {
    return { fault: (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LONG : DAMAGED_QUERY };
  }
}
