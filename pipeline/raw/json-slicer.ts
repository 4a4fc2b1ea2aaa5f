import {
  excerptOf,
  isSpace,
  MAX_NESTING,
  MAX_RECORD_BYTES,
  type Part,
  type Slice,
  SliceError,
  Slicer,
  skipSpace,
} from './slice.ts';

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

export type JsonShape = 'array' | 'page' | 'study';

/** Index after a JSON value, or -1 when the buffer ends before it does, and the levels that it nests up to there. */
interface Value {
  end: number;
  depth: number;
}

/**
 * Cuts the elements out of a JSON document: the elements of a top-level array (`array`), of the `studies` array of an API
 * page (`page`), or the whole document (`study`). It parses none, so that a broken record does not lose the whole file.
 */
export class JsonSlicer extends Slicer {
  readonly #shape: JsonShape;
  readonly #fields = new Map<string, unknown>();
  #place: 'start' | 'members' | 'elements' | 'done' = 'start';
  /** True before the first member or element, which no comma precedes. */
  #isFirst = true;
  #hadStudies = false;

  constructor(shape: JsonShape) {
    super();
    this.#shape = shape;
  }

  /** A field of the page beside `studies`; undefined when the page does not have it. */
  field(name: string): unknown {
    return this.#fields.get(name);
  }

  override statedTotal(): number | null {
    const total = this.#fields.get('totalCount');
    return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null;
  }

  protected override next(buf: Buffer, at: number): Part | null {
    const i = skipSpace(buf, at);
    if (i === buf.length) return { end: i, slice: null };
    if (this.#place === 'start') return this.#start(buf, i);
    if (this.#place === 'members') return this.#member(buf, i);
    return this.#place === 'elements' ? this.#element(buf, i) : this.#refuse(buf, i);
  }

  protected override finish(rest: Buffer): Slice[] {
    if (this.#place !== 'done') {
      const bytes = this.offset + rest.length;
      throw new SliceError('truncated', `it ends after ${bytes} bytes, before its JSON is closed`);
    }
    if (this.#shape === 'page' && !this.#hadStudies) {
      throw new SliceError('malformed', 'the JSON object has no "studies" array');
    }
    return [];
  }

  #start(buf: Buffer, i: number): Part | null {
    if (this.#shape === 'study') {
      const { end, depth } = valueAt(buf, i);
      if (end === -1) return null;
      this.#place = 'done';
      return { end, slice: sliceOf(buf.subarray(i, end), depth) };
    }
    if (buf[i] !== (this.#shape === 'array' ? OPEN_BRACKET : OPEN_BRACE)) return this.#refuse(buf, i);
    this.#place = this.#shape === 'array' ? 'elements' : 'members';
    return { end: i + 1, slice: null };
  }

  #member(buf: Buffer, at: number): Part | null {
    if (buf[at] === CLOSE_BRACE) {
      this.#place = 'done';
      return { end: at + 1, slice: null };
    }
    const from = this.#isFirst ? at : this.#behind(COMMA, buf, at);
    if (from === buf.length) return null;
    if (buf[from] !== QUOTE) this.#refuse(buf, from);
    const key = valueAt(buf, from);
    const colon = key.end === -1 ? buf.length : skipSpace(buf, key.end);
    const start = colon === buf.length ? colon : this.#behind(COLON, buf, colon);
    if (start === buf.length) return null;
    const name = String(parsed(buf.subarray(from, key.end)));
    if (name === 'studies') {
      if (buf[start] !== OPEN_BRACKET) this.#refuse(buf, start);
      this.#hadStudies = true;
      this.#place = 'elements';
      this.#isFirst = true;
      return { end: start + 1, slice: null };
    }
    const { end } = valueAt(buf, start);
    if (end === -1) return null;
    this.#fields.set(name, parsed(buf.subarray(start, end)));
    this.#isFirst = false;
    return { end, slice: null };
  }

  #element(buf: Buffer, at: number): Part | null {
    if (buf[at] === CLOSE_BRACKET) {
      this.#place = this.#shape === 'array' ? 'done' : 'members';
      this.#isFirst = false;
      return { end: at + 1, slice: null };
    }
    const from = this.#isFirst ? at : this.#behind(COMMA, buf, at);
    if (from === buf.length) return null;
    const { end, depth } = valueAt(buf, from);
    if (end === -1) return null;
    if (end === from || buf[from] === COLON) this.#refuse(buf, from);
    this.#isFirst = false;
    return { end, slice: sliceOf(buf.subarray(from, end), depth) };
  }

  /** Index of the first byte behind `mark` and white space. */
  #behind(mark: number, buf: Buffer, i: number): number {
    if (buf[i] !== mark) this.#refuse(buf, i);
    return skipSpace(buf, i + 1);
  }

  #refuse(buf: Buffer, i: number): never {
    const byte = buf[i]!;
    const seen = byte >= 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    throw new SliceError('malformed', `unexpected ${seen} at byte ${this.offset + i}`);
  }
}

/** Cuts NDJSON into its lines without the white space around them; empty lines are skipped. */
export class LineSlicer extends Slicer {
  protected override next(buf: Buffer, at: number): Part | null {
    const from = skipSpace(buf, at);
    if (from === buf.length) return { end: from, slice: null };
    const newline = buf.indexOf(NEWLINE, from);
    return newline === -1 ? null : { end: newline + 1, slice: lineOf(buf.subarray(from, newline)) };
  }

  protected override finish(rest: Buffer): Slice[] {
    const from = skipSpace(rest, 0);
    if (from === rest.length) return [];
    const isStructured = rest[from] === OPEN_BRACE || rest[from] === OPEN_BRACKET;
    if (isStructured && valueAt(rest, from).end === -1) {
      throw new SliceError('truncated', `its last line is cut after ${this.offset + rest.length} bytes`);
    }
    return [lineOf(rest.subarray(from))];
  }
}

function lineOf(line: Buffer): Slice {
  let to = line.length;
  while (isSpace(line[to - 1]!)) to--;
  const bytes = line.subarray(0, to);
  return sliceOf(bytes, valueAt(bytes, 0).depth);
}

/** Cuts the one study out of an entry of a zip. */
export function studyOf(content: Buffer): Slice {
  const slicer = new JsonSlicer('study');
  try {
    return [...slicer.push(content), ...slicer.end()][0]!;
  } catch (error) {
    if (error instanceof SliceError) return notJson(error.message, content);
    throw error;
  }
}

export function notJson(detail: string, content: Buffer): Slice {
  return { ok: false, reason: 'not-json', detail, excerpt: excerptOf(content) };
}

/** The value at `from`. Only brackets outside strings count; the reader of the record decides whether it is valid JSON. */
export function valueAt(buf: Buffer, from: number): Value {
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

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new SliceError('malformed', `"${excerptOf(bytes)}" is not JSON`);
  }
}

function sliceOf(bytes: Buffer, depth: number): Slice {
  if (depth <= MAX_NESTING || bytes.length > MAX_RECORD_BYTES) return { ok: true, bytes };
  const detail = `the record nests ${depth} levels deep; the limit is ${MAX_NESTING}`;
  return { ok: false, reason: 'too-deep', detail, excerpt: excerptOf(bytes) };
}
