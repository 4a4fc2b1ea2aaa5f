import { excerptOf, isSpace, type Part, type Slice, SliceError, Slicer, skipSpace } from './slice.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;

/** The elements that are one record each, and the element that holds many of them. */
const RECORD_ELEMENTS = ['fullTrial', 'trial'];
const LIST_ELEMENT = 'allTrials';
/** Bytes; this registry has no longer tag. */
const MAX_TAG_BYTES = 1024 * 1024;

/** Markup that is no tag: what it begins and ends with. */
const PASSAGES: readonly [string, string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];
/** Bytes that tell markup of one kind from another. */
const MARK_BYTES = 9;

interface Tag {
  name: string;
  closing: boolean;
  empty: boolean;
  /** Index after its `>`. */
  end: number;
}

/**
 * Cuts the `fullTrial` or `trial` elements out of an ISRCTN document, inside `allTrials` or alone. Inside a record only its
 * own closing tag counts, so that broken markup in one record does not lose the whole file.
 */
export class XmlSlicer extends Slicer {
  #inList = false;
  #sawRoot = false;
  #total: number | null = null;

  override statedTotal(): number | null {
    return this.#total;
  }

  protected override next(buf: Buffer, at: number): Part | null {
    const i = skipSpace(buf, at);
    if (i === buf.length) return { end: i, slice: null };
    if (buf[i] !== LESS) throw new SliceError('malformed', `text outside a record at byte ${this.offset + i}`);
    const passage = passageEnd(buf, i);
    if (passage !== null) return passage === -1 ? null : { end: passage, slice: null };
    const tag = tagAt(buf, i);
    if (tag === null) return null;
    if (tag.name === LIST_ELEMENT) return this.#list(buf, i, tag);
    if (tag.closing || !RECORD_ELEMENTS.includes(tag.name)) throw this.#unexpected(tag, i);
    const part = tag.empty ? partTo(buf, i, tag.end) : recordAt(buf, i, tag);
    if (part !== null) this.#sawRoot = true;
    return part;
  }

  protected override finish(rest: Buffer): Slice[] {
    if (this.#inList || rest.length > 0) {
      const bytes = this.offset + rest.length;
      throw new SliceError('truncated', `it ends after ${bytes} bytes, before its XML is closed`);
    }
    if (!this.#sawRoot) throw new SliceError('malformed', 'it has no allTrials, fullTrial or trial element');
    return [];
  }

  #list(buf: Buffer, at: number, tag: Tag): Part {
    if (tag.closing !== this.#inList) throw this.#unexpected(tag, at);
    this.#sawRoot = true;
    this.#inList = !tag.closing && !tag.empty;
    if (!tag.closing) this.#total = statedCount(buf.toString('utf8', at, tag.end)) ?? this.#total;
    return { end: tag.end, slice: null };
  }

  #unexpected(tag: Tag, at: number): SliceError {
    const name = `<${tag.closing ? '/' : ''}${tag.name.slice(0, 60)}>`;
    return new SliceError('malformed', `unexpected ${name} outside a record at byte ${this.offset + at}`);
  }
}

/** The record that begins with the tag `open` at `at`; null when its end is not in the buffer. */
function recordAt(buf: Buffer, at: number, open: Tag): Part | null {
  let i = open.end;
  for (;;) {
    i = buf.indexOf(LESS, i);
    if (i === -1) return null;
    const passage = passageEnd(buf, i);
    if (passage === -1) return null;
    if (passage !== null) {
      i = passage;
      continue;
    }
    const tag = mayBeNamed(buf, i, open.name) ? tagAt(buf, i) : undefined;
    if (tag === null) return null;
    if (tag?.name !== open.name) {
      // A tag of another name ends at the next `<` at the latest.
      i += 1;
    } else if (tag.closing) return partTo(buf, at, tag.end);
    else {
      // The registry never nests a record in a record of its kind, so this one was not closed.
      const detail = `<${open.name}> is not closed before the next one begins`;
      const excerpt = excerptOf(buf.subarray(at, i));
      return { end: i, slice: { ok: false, reason: 'not-xml', detail, excerpt } };
    }
  }
}

function partTo(buf: Buffer, at: number, end: number): Part {
  return { end, slice: { ok: true, bytes: buf.subarray(at, end) } };
}

/** Index after the comment, CDATA section or instruction at `at`, -1 when that is not in the buffer; null for a tag. */
function passageEnd(buf: Buffer, at: number): number | null {
  const head = buf.toString('latin1', at, at + MARK_BYTES);
  for (const [begin, end] of PASSAGES) {
    if (!head.startsWith(begin)) continue;
    const from = buf.indexOf(end, at + begin.length);
    return from === -1 ? -1 : from + end.length;
  }
  if (head === '<') return -1;
  if (!head.startsWith('<!')) return null;
  if (head.length < MARK_BYTES) return -1;
  throw new SliceError('malformed', 'it has a document type declaration, which this registry never sends');
}

/** False when the tag at `at` certainly has another name; a tag that the buffer cuts off may have any name. */
function mayBeNamed(buf: Buffer, at: number, name: string): boolean {
  const from = at + (buf[at + 1] === SLASH ? 2 : 1);
  for (let i = 0; i < name.length && from + i < buf.length; i++) {
    if (buf[from + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

/**
 * The tag at `at`, or null when its end is not in the buffer. A `>` in a quoted attribute value does not end it. A `<` ends
 * it even there, because XML forbids it: so a lost quotation mark cannot swallow the records after it.
 */
function tagAt(buf: Buffer, at: number): Tag | null {
  const closing = buf[at + 1] === SLASH;
  const nameFrom = at + (closing ? 2 : 1);
  let nameTo = nameFrom;
  while (nameTo < buf.length && !isNameEnd(buf[nameTo]!)) nameTo++;
  const name = buf.toString('latin1', nameFrom, nameTo);
  let quote = 0;
  for (let i = nameTo; i < buf.length; i++) {
    const byte = buf[i]!;
    if (byte === LESS) return { name, closing, empty: false, end: i };
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GREATER) return { name, closing, empty: buf[i - 1] === SLASH && i > nameFrom, end: i + 1 };
    else if (byte === 0x22 || byte === 0x27) quote = byte;
  }
  if (buf.length - at > MAX_TAG_BYTES) {
    throw new SliceError('malformed', `a tag is longer than ${MAX_TAG_BYTES} bytes`);
  }
  return null;
}

function isNameEnd(byte: number): boolean {
  return isSpace(byte) || byte === SLASH || byte === GREATER || byte === LESS;
}

function statedCount(tag: string): number | null {
  const match = /\stotalCount\s*=\s*["'](\d{1,15})["']/.exec(tag);
  return match ? Number(match[1]) : null;
}
