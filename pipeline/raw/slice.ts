import { FileFault } from './files.ts';

/** Bytes; the largest ClinicalTrials.gov study seen has 3.6 MB, so a larger record is a fault and not data. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** Bytes that wait for the end of a record. A file without an end in so many is refused, so that memory stays bounded. */
const MAX_WAITING_BYTES: number = 3 * MAX_RECORD_BYTES;
/** Levels of nesting in a record; real studies stay under 20. */
export const MAX_NESTING = 200;
/** Characters of a refused record that are kept for the quarantine row. */
const EXCERPT_LENGTH = 300;

/** Some editors put it before UTF-8 text; it belongs to no record. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export type Slice =
  | { ok: true; bytes: Buffer }
  | { ok: false; reason: 'too-large' | 'not-json' | 'not-xml'; detail: string; excerpt: string };

/** A part of a document, which ends before the index `end`; `slice` is null where the part is not a record. */
export interface Part {
  end: number;
  slice: Slice | null;
}

/**
 * Cuts records out of a byte stream. It keeps the bytes behind the last whole record; a format reads one part at a time from
 * bytes that are all there, and begins the part again when more bytes have come.
 */
export abstract class Slicer {
  readonly #maxWaiting: number;
  #parts: Buffer[] = [];
  #waiting = 0;
  /** Waiting bytes from which on the next part is tried again; it doubles, so that the work stays linear. */
  #nextTry = BYTE_ORDER_MARK.length;
  #started = false;
  /** Bytes of the document before the buffer that `next` reads. */
  protected offset = 0;
  /** Number of records that the document states (`totalCount`); null when it states none. */
  statedTotal: number | null = null;

  constructor(maxWaiting = MAX_WAITING_BYTES) {
    this.#maxWaiting = maxWaiting;
  }

  /** Reads the part that begins at `at`; null when the buffer ends before the part does. */
  protected abstract next(buf: Buffer, at: number): Part | null;

  /** Reads what is left when the document has ended. Throws FileFault when its tail is missing. */
  protected abstract finish(rest: Buffer): Slice[];

  /** Takes the chunks of the document in order. */
  push(chunk: Buffer): Slice[] {
    this.#parts.push(chunk);
    this.#waiting += chunk.length;
    return this.#waiting < this.#nextTry ? [] : this.#cut();
  }

  /** Throws FileFault when the tail of the document is missing. */
  end(): Slice[] {
    const slices = this.#cut();
    return [...slices, ...this.finish(Buffer.concat(this.#parts))];
  }

  #cut(): Slice[] {
    const slices: Slice[] = [];
    const buf = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    let at = this.#started ? 0 : buf.length - withoutMark(buf).length;
    this.#started = true;
    while (at < buf.length) {
      const part = this.next(buf, at);
      if (part === null) break;
      at = part.end;
      if (part.slice !== null) slices.push(part.slice);
    }
    this.offset += at;
    this.#waiting = buf.length - at;
    if (this.#waiting > this.#maxWaiting) {
      throw new FileFault('malformed', `no record ends in ${this.#waiting} bytes behind byte ${this.offset}`);
    }
    this.#parts = [buf.subarray(at)];
    this.#nextTry = this.#waiting * 2;
    return slices;
  }
}

export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

/** First characters of some bytes, readable even if they are not UTF-8. */
export function excerptOf(bytes: Buffer): string {
  return bytes
    .subarray(0, EXCERPT_LENGTH * 4)
    .toString('utf8')
    .slice(0, EXCERPT_LENGTH);
}

/** White space of JSON and of XML. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Index of the first byte from `from` on that is not white space; the length of the buffer when there is none. */
export function skipSpace(buf: Buffer, from: number): number {
  let i = from;
  while (isSpace(buf[i])) i++;
  return i;
}

/** The bytes from `from` to `to`, without white space at their end. */
export function trimmedPart(buf: Buffer, from: number, to: number): Buffer {
  let end = to;
  while (end > from && isSpace(buf[end - 1])) end--;
  return buf.subarray(from, end);
}
