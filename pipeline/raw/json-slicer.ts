import { FileFault } from './files.ts';
import { excerptOf, type Part, type Slice, Slicer, skipSpace, trimmedPart } from './slice.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NEWLINE = 0x0a;

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
  #head = '';
  #isFirst = true;
  /** Fields of the page next to `studies`, after the end of the document. */
  fields: Record<string, unknown> = {};

  constructor(shape: 'array' | 'page', maxWaiting?: number) {
    super(maxWaiting);
    this.#shape = shape;
  }

  protected override next(buf: Buffer, at: number): Part | null {
    if (this.#place === 'tail') return null;
    return this.#place === 'head' ? this.#readHead(buf, at) : this.#element(buf, skipSpace(buf, at));
  }

  /** Reads the fields around the records. */
  protected override finish(rest: Buffer): Slice[] {
    const frame = Buffer.concat([Buffer.from(this.#head), rest]);
    if (this.#place !== 'tail' || valueEnd(frame, 0).isOpen) throw cutShort(this.offset + rest.length);
    try {
      this.fields = JSON.parse(frame.toString('utf8'));
    } catch {
      throw new FileFault('malformed', `the JSON behind its records is wrong: "${excerptOf(rest)}"`);
    }
    const { totalCount } = this.fields;
    if (typeof totalCount === 'number' && Number.isSafeInteger(totalCount) && totalCount >= 0)
      this.statedTotal = totalCount;
    return [];
  }

  #readHead(buf: Buffer, at: number): Part | null {
    const pattern = this.#shape === 'page' ? PAGE_HEAD : /^\s*\[/;
    const head = pattern.exec(buf.toString('latin1', at, at + PAGE_HEAD_BYTES))?.[0];
    if (head === undefined) {
      if (buf.length - at < PAGE_HEAD_BYTES && valueEnd(buf, at).isOpen) return null;
      throw new FileFault(
        'malformed',
        this.#shape === 'page' ? 'the JSON object has no "studies" array' : 'it is no JSON array',
      );
    }
    this.#head = buf.toString('utf8', at, at + head.length);
    this.#place = 'elements';
    return { end: at + head.length, slice: null };
  }

  #element(buf: Buffer, from: number): Part | null {
    const { end } = valueEnd(buf, from);
    if (end === -1) return null;
    const isLast = buf[end] === CLOSE_BRACKET;
    const bytes = trimmedPart(buf, from, end);
    const isNothing = bytes.length === 0;
    if (isNothing && !(isLast && this.#isFirst)) {
      const seen = String.fromCharCode(buf[end]!);
      throw new FileFault('malformed', `unexpected "${seen}" at byte ${this.offset + end}`);
    }
    this.#isFirst = false;
    if (isLast) this.#place = 'tail';
    return { end: isLast ? end : end + 1, slice: isNothing ? null : { ok: true, bytes } };
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
    if (newline === -1) return null;
    return { end: newline + 1, slice: { ok: true, bytes: trimmedPart(buf, from, newline) } };
  }

  protected override finish(rest: Buffer): Slice[] {
    const from = skipSpace(rest, 0);
    if (from === rest.length) return [];
    if (valueEnd(rest, from).isOpen) throw cutShort(this.offset + rest.length);
    return [{ ok: true, bytes: trimmedPart(rest, from, rest.length) }];
  }
}

function cutShort(bytes: number): FileFault {
  return new FileFault('truncated', `it ends after ${bytes} bytes, before its JSON is closed`);
}

/**
 * Index of the comma or bracket outside strings and brackets that ends the value at `from`; -1 when the buffer has none.
 * `isOpen`: the buffer ends inside a string or bracket. The reader of the record decides whether it is valid JSON.
 */
function valueEnd(buf: Buffer, from: number): { end: number; isOpen: boolean } {
  let level = 0;
  let inString = false;
  for (let i = from; i < buf.length; i++) {
    const byte = buf[i]!;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) level++;
    else if (level === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) return { end: i, isOpen: false };
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) level = Math.max(0, level - 1);
  }
  return { end: -1, isOpen: inString || level > 0 };
}
