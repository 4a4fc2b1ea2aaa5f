import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  ValueScanner,
} from './json-scanner.ts';
import { BYTE_ORDER_MARK, Collector, excerptOf, MAX_NESTING, type Slice, SliceError, type Slicer } from './slice.ts';

export type JsonShape = 'array' | 'page' | 'study';

/** Most bytes of a page's own field (`totalCount`, `nextPageToken`); longer ones are not fields that we read. */
const MAX_FIELD_BYTES = 4096;

type State =
  | 'start'
  | 'first-key'
  | 'key'
  | 'in-key'
  | 'colon'
  | 'value'
  | 'in-value'
  | 'after-value'
  | 'first-element'
  | 'element'
  | 'in-element'
  | 'after-element'
  | 'done';

/**
 * Cuts the elements out of a JSON document: the elements of a top-level array (`array`), of the `studies` array of an API
 * page (`page`), or the whole document (`study`). It holds one record in memory at most and parses none.
 */
export class JsonSlicer implements Slicer {
  readonly #shape: JsonShape;
  readonly #scanner = new ValueScanner();
  readonly #collector = new Collector();
  readonly #fields = new Map<string, unknown>();
  #state: State = 'start';
  #key = '';
  #offset = 0;
  #hadStudies = false;
  /** Start of the current value in the current chunk; -1 between values. */
  #from = -1;
  #slices: Slice[] = [];

  constructor(shape: JsonShape) {
    this.#shape = shape;
  }

  /** A scalar field of the page beside `studies`; undefined when the page does not have it. */
  field(name: string): unknown {
    return this.#fields.get(name);
  }

  statedTotal(): number | null {
    const total = this.#fields.get('totalCount');
    return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null;
  }

  push(chunk: Buffer): Slice[] {
    this.#slices = [];
    let i = 0;
    this.#from = isInside(this.#state) ? 0 : -1;
    while (i < chunk.length) {
      i = isInside(this.#state) ? this.#continueValue(chunk, i) : this.#step(chunk, i);
    }
    if (this.#from >= 0) this.#collect(chunk.subarray(this.#from));
    this.#offset += chunk.length;
    return this.#slices;
  }

  end(): Slice[] {
    this.#slices = [];
    // A top-level number or literal ends only at the end of the file.
    if (this.#shape === 'study' && this.#state === 'in-element' && this.#scanner.inScalar) this.#emit();
    if (this.#state !== 'done') {
      throw new SliceError('truncated', `it ends after ${this.#offset} bytes, before its JSON is closed`);
    }
    if (this.#shape === 'page' && !this.#hadStudies) {
      throw new SliceError('malformed', 'the JSON object has no "studies" array');
    }
    return this.#slices;
  }

  #step(chunk: Buffer, i: number): number {
    const byte = chunk[i]!;
    if (isSpace(byte)) return i + 1;
    switch (this.#state) {
      case 'start':
        return this.#start(byte, i);
      case 'first-key':
      case 'key':
        if (byte === CLOSE_BRACE && this.#state === 'first-key') return this.#next('done', i);
        if (byte === QUOTE) return this.#begin('in-key', i);
        break;
      case 'colon':
        if (byte === COLON) return this.#next('value', i);
        break;
      case 'value':
        if (this.#key === 'studies') {
          if (byte !== OPEN_BRACKET) break;
          this.#hadStudies = true;
          return this.#next('first-element', i);
        }
        return this.#begin('in-value', i);
      case 'after-value':
        if (byte === COMMA) return this.#next('key', i);
        if (byte === CLOSE_BRACE) return this.#next('done', i);
        break;
      case 'first-element':
        if (byte === CLOSE_BRACKET) return this.#next(this.#afterArray(), i);
        return this.#beginElement(byte, i);
      case 'element':
        return this.#beginElement(byte, i);
      case 'after-element':
        if (byte === COMMA) return this.#next('element', i);
        if (byte === CLOSE_BRACKET) return this.#next(this.#afterArray(), i);
        break;
      default:
        break;
    }
    return this.#refuse(byte, i);
  }

  #start(byte: number, i: number): number {
    if (BYTE_ORDER_MARK[this.#offset + i] === byte) return i + 1;
    if (this.#shape === 'study') return this.#begin('in-element', i);
    if (this.#shape === 'array' && byte === OPEN_BRACKET) return this.#next('first-element', i);
    if (this.#shape === 'page' && byte === OPEN_BRACE) return this.#next('first-key', i);
    return this.#refuse(byte, i);
  }

  #beginElement(byte: number, i: number): number {
    if (byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE || byte === COLON)
      return this.#refuse(byte, i);
    return this.#begin('in-element', i);
  }

  #afterArray(): State {
    return this.#shape === 'array' ? 'done' : 'after-value';
  }

  #next(state: State, i: number): number {
    this.#state = state;
    return i + 1;
  }

  #begin(state: 'in-key' | 'in-value' | 'in-element', i: number): number {
    this.#state = state;
    this.#scanner.reset();
    this.#collector.clear();
    this.#from = i;
    return i;
  }

  #continueValue(chunk: Buffer, i: number): number {
    const end = this.#scanner.scan(chunk, i);
    if (end === -1) return chunk.length;
    this.#collect(chunk.subarray(this.#from, end));
    this.#from = -1;
    if (this.#state === 'in-element') this.#emit();
    else if (this.#state === 'in-key') {
      this.#key = String(this.#parseSmall());
      this.#state = 'colon';
    } else {
      this.#fields.set(this.#key, this.#parseSmall());
      this.#state = 'after-value';
    }
    return end;
  }

  #collect(bytes: Buffer): void {
    if (this.#state === 'in-element' || this.#collector.size <= MAX_FIELD_BYTES) this.#collector.add(bytes);
  }

  #emit(): void {
    const slice = this.#collector.take();
    this.#slices.push(this.#scanner.maxDepth > MAX_NESTING ? tooDeep(slice, this.#scanner.maxDepth) : slice);
    this.#state = this.#shape === 'study' ? 'done' : 'after-element';
  }

  #parseSmall(): unknown {
    if (this.#collector.size > MAX_FIELD_BYTES) {
      this.#collector.clear();
      return undefined;
    }
    const slice = this.#collector.take();
    if (!slice.ok) return undefined;
    try {
      return JSON.parse(slice.bytes.toString('utf8'));
    } catch {
      throw new SliceError('malformed', `"${excerptOf(slice.bytes)}" is not JSON`);
    }
  }

  #refuse(byte: number, i: number): never {
    const seen = byte >= 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    throw new SliceError('malformed', `unexpected ${seen} at byte ${this.#offset + i}`);
  }
}

function isInside(state: State): boolean {
  return state === 'in-key' || state === 'in-value' || state === 'in-element';
}

/** Refuses a record that is nested too deep; a record that is also too large stays `too-large`. */
export function tooDeep(slice: Slice, depth: number): Slice {
  if (!slice.ok) return slice;
  return {
    ok: false,
    reason: 'too-deep',
    detail: `the record nests ${depth} levels deep; the limit is ${MAX_NESTING}`,
    excerpt: excerptOf(slice.bytes),
  };
}
