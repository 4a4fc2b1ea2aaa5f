/** Bytes; the largest ClinicalTrials.gov study seen has 3.6 MB, so a larger record is a fault and not data. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** Levels of nesting; real studies stay under 20. */
export const MAX_NESTING = 200;
/** Characters of a refused record that are kept for the quarantine row. */
export const EXCERPT_LENGTH = 300;

/** Some editors put it before UTF-8 text; it belongs to no record. */
export const BYTE_ORDER_MARK: Buffer = Buffer.from([0xef, 0xbb, 0xbf]);

export type Slice =
  | { ok: true; bytes: Buffer }
  | { ok: false; reason: 'too-large' | 'too-deep' | 'not-json' | 'not-xml'; detail: string; excerpt: string };

/** Cuts records out of a byte stream. `push` takes chunks in order; `end` throws SliceError when the tail is missing. */
export interface Slicer {
  push(chunk: Buffer): Slice[];
  end(): Slice[];
  /** Number of records that the document states (`totalCount`); null when it states none. */
  statedTotal(): number | null;
}

/** The rest of the file cannot be cut: its tail is missing, or it is not of the expected format. */
export class SliceError extends Error {
  /** `other-form`: the values of a column are in a form that cannot be read with certainty. */
  readonly kind: 'truncated' | 'malformed' | 'other-form';

  constructor(kind: SliceError['kind'], message: string) {
    super(message);
    this.name = 'SliceError';
    this.kind = kind;
  }
}

/** What to do about a file of the kind `other-form`. */
export const OTHER_FORM_ADVICE =
  'a spreadsheet program that saved the file may have written them anew. Import the file as the registry gave it, or write the days as YYYY-MM-DD';

/** First EXCERPT_LENGTH characters of some bytes, readable even if they are not UTF-8. */
export function excerptOf(bytes: Buffer): string {
  return bytes
    .subarray(0, EXCERPT_LENGTH * 4)
    .toString('utf8')
    .slice(0, EXCERPT_LENGTH);
}

/** Collects the bytes of one record across chunks. Of a record over the limit only the beginning is kept. */
export class Collector {
  #parts: Buffer[] = [];
  #size = 0;
  #tooLarge = false;

  add(part: Buffer): void {
    this.#size += part.length;
    if (this.#tooLarge) return;
    this.#parts.push(part);
    if (this.#size > MAX_RECORD_BYTES) {
      this.#tooLarge = true;
      this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(0, EXCERPT_LENGTH * 4))];
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the record and starts a new one. */
  take(): Slice {
    const bytes = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    const slice: Slice = this.#tooLarge
      ? {
          ok: false,
          reason: 'too-large',
          detail: `the record has ${this.#size} bytes; the limit is ${MAX_RECORD_BYTES}`,
          excerpt: excerptOf(bytes),
        }
      : { ok: true, bytes };
    this.clear();
    return slice;
  }

  clear(): void {
    this.#parts = [];
    this.#size = 0;
    this.#tooLarge = false;
  }
}
