import { FileFault } from './files.ts';
import { excerptOf, isSpace, MAX_NESTING, type Part, type Slice, Slicer, skipSpace } from './slice.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NEWLINE = 0x0a;

/** Bytes of a string that are checked one by one before a native search, whose call costs about as much. */
const SHORT_STRING = 24;
/** Bytes before the studies of an API page, which has some short fields there. */
const PAGE_HEAD_BYTES = 65_536;

/** The head of an API page: only scalar fields precede `studies`. */
export const PAGE_HEAD: RegExp =
  /^\s*\{(?:\s*"[^"\\]{0,200}"\s*:\s*(?:"(?:[^"\\]|\\.){0,4000}"|-?[\d.eE+-]{1,40}|true|false|null)\s*,)*\s*"studies"\s*:\s*\[/;

/**
 * Cuts the elements out of a top-level array, or out of the `studies` array of an API page. It parses no element, so that a
 * broken record does not lose the whole file.
 */
export class JsonSlicer extends Slicer {
  readonly #shape: 'array' | 'page';
  #place: 'head' | 'elements' | 'tail' = 'head';
  #head = '[';
  /** True before the first element, which no comma precedes. */
  #isFirst = true;
  #fields: Record<string, unknown> = {};

  constructor(shape: 'array' | 'page', maxWaiting?: number) {
    super(maxWaiting);
    this.#shape = shape;
  }

  /** A field of the page next to `studies`, after the end of the document; undefined when the page does not have it. */
  field(name: string): unknown {
    return this.#fields[name];
  }

  override statedTotal(): number | null {
    const total = this.#fields.totalCount;
    return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null;
  }

  protected override next(buf: Buffer, at: number): Part | null {
    if (this.#place === 'tail') return null;
    const i = skipSpace(buf, at);
    if (i === buf.length) return { end: i, slice: null };
    return this.#place === 'head' ? this.#readHead(buf, i) : this.#element(buf, i);
  }

  /** Reads the fields around the records. */
  protected override finish(rest: Buffer): Slice[] {
    const frame = Buffer.concat([Buffer.from(this.#head), rest]);
    if (this.#place !== 'tail' || valueAt(frame, 0).end === -1) throw cutShort(this.offset + rest.length);
    try {
      this.#fields = JSON.parse(frame.toString('utf8'));
    } catch {
      throw new FileFault('malformed', `the JSON behind its records is wrong: "${excerptOf(rest)}"`);
    }
    return [];
  }

  #readHead(buf: Buffer, i: number): Part | null {
    if (this.#shape === 'page') {
      const head = PAGE_HEAD.exec(buf.toString('latin1', i, i + PAGE_HEAD_BYTES))?.[0];
      if (head === undefined && valueAt(buf, i).end === -1 && buf.length - i < PAGE_HEAD_BYTES) return null;
      if (head === undefined) throw new FileFault('malformed', 'the JSON object has no "studies" array');
      this.#head = buf.toString('utf8', i, i + head.length);
      this.#place = 'elements';
      return { end: i + head.length, slice: null };
    }
    if (buf[i] !== OPEN_BRACKET) throw this.#unexpected(buf, i);
    this.#place = 'elements';
    return { end: i + 1, slice: null };
  }

  #element(buf: Buffer, at: number): Part | null {
    if (buf[at] === CLOSE_BRACKET) {
      this.#place = 'tail';
      return { end: at, slice: null };
    }
    if (!this.#isFirst && buf[at] !== COMMA) throw this.#unexpected(buf, at);
    const from = this.#isFirst ? at : skipSpace(buf, at + 1);
    if (from === buf.length) return null;
    const { end, depth } = valueAt(buf, from);
    if (end === -1) return null;
    if (end === from || buf[from] === COLON) throw this.#unexpected(buf, from);
    this.#isFirst = false;
    return { end, slice: sliceOf(buf.subarray(from, end), depth) };
  }

  #unexpected(buf: Buffer, i: number): FileFault {
    const byte = buf[i]!;
    const seen = byte >= 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    return new FileFault('malformed', `unexpected ${seen} at byte ${this.offset + i}`);
  }
}

/** Cuts JSON text into the lines of NDJSON or takes it whole, without white space around it; empty lines are skipped. */
export class TextSlicer extends Slicer {
  readonly #isLines: boolean;

  constructor(shape: 'lines' | 'whole') {
    super();
    this.#isLines = shape === 'lines';
  }

  protected override next(buf: Buffer, at: number): Part | null {
    const from = skipSpace(buf, at);
    if (from === buf.length) return { end: from, slice: null };
    const newline = this.#isLines ? buf.indexOf(NEWLINE, from) : -1;
    return newline === -1 ? null : { end: newline + 1, slice: textOf(buf.subarray(from, newline)) };
  }

  protected override finish(rest: Buffer): Slice[] {
    const from = skipSpace(rest, 0);
    if (from === rest.length) return [];
    const isStructured = rest[from] === OPEN_BRACE || rest[from] === OPEN_BRACKET;
    if (isStructured && valueAt(rest, from).end === -1) throw cutShort(this.offset + rest.length);
    return [textOf(rest.subarray(from))];
  }
}

function cutShort(bytes: number): FileFault {
  return new FileFault('truncated', `it ends after ${bytes} bytes, before its JSON is closed`);
}

function textOf(text: Buffer): Slice {
  let to = text.length;
  while (isSpace(text[to - 1]!)) to--;
  const bytes = text.subarray(0, to);
  return sliceOf(bytes, valueAt(bytes, 0).depth);
}

/**
 * The index after the JSON value at `from`, or -1 when the buffer ends before it does, and the levels that it nests up to
 * there. Only brackets outside strings count; the reader of the record decides whether it is valid JSON.
 */
function valueAt(buf: Buffer, from: number): { end: number; depth: number } {
  const first = buf[from];
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET && first !== QUOTE)
    return { end: endOfScalar(buf, from), depth: 0 };
  let level = 0;
  let depth = 0;
  let i = from;
  while (i < buf.length) {
    const byte = buf[i++]!;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      level++;
      if (level > depth) depth = level;
      continue;
    }
    if (byte === QUOTE) i = endOfString(buf, i);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) level--;
    else continue;
    if (i === -1) break;
    if (level <= 0) return { end: i, depth };
  }
  return { end: -1, depth };
}

/** Index after the closing quote, or -1. */
function endOfString(buf: Buffer, from: number): number {
  const near = Math.min(buf.length, from + SHORT_STRING);
  let start = from;
  while (start < near) {
    const byte = buf[start++]!;
    if (byte === QUOTE) return start;
    if (byte === BACKSLASH) start++;
  }
  for (let quote = buf.indexOf(QUOTE, start); quote !== -1; quote = buf.indexOf(QUOTE, quote + 1)) {
    let back = quote - 1;
    while (back >= start && buf[back] === BACKSLASH) back--;
    const isEscaped = (quote - 1 - back) % 2 === 1;
    if (!isEscaped) return quote + 1;
  }
  return -1;
}

function endOfScalar(buf: Buffer, from: number): number {
  for (let i = from; i < buf.length; i++) {
    const byte = buf[i]!;
    if (byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE || isSpace(byte)) return i;
  }
  return -1;
}

function sliceOf(bytes: Buffer, depth: number): Slice {
  if (depth <= MAX_NESTING) return { ok: true, bytes };
  const detail = `the record nests ${depth} levels deep; the limit is ${MAX_NESTING}`;
  return { ok: false, reason: 'too-deep', detail, excerpt: excerptOf(bytes) };
}
