import type { Table } from 'apache-arrow';
import { BITMAP_DENSITY, POSTING_ENCODING } from '../format/serving-columns.ts';
import { binaryData, numberData, writeColumns } from './arrow-file.ts';
import { type BinaryColumn, binaryColumn, numberColumn, onlyBatch } from './arrow-reader.ts';
import { ByteColumn, Growable } from './growable.ts';
import { SortedKeys } from './sorted-keys.ts';

/** Rows that hold a posting key, in the file's form: ascending rows, or one bit per row. */
export interface Posting {
  form: 'list' | 'bitmap';
  count: number;
  words: Uint32Array;
}

export interface PostingFile {
  keys: SortedKeys;
  encodings: Uint8Array;
  counts: Uint32Array;
  data: BinaryColumn;
}

/** The postings of a file. Throws, naming it, when its layout is another. */
export function readPostings(table: Table, path: string): PostingFile {
  const batch = onlyBatch(table, path);
  const data = binaryColumn(batch, 'data', path);
  if (data.values.byteOffset % 4 !== 0)
    throw new Error(`${path} is not aligned to 4 bytes; publish the snapshot again`);
  return {
    keys: new SortedKeys(binaryColumn(batch, 'key', path), table.numRows),
    encodings: numberColumn(batch, 'encoding', path),
    counts: numberColumn(batch, 'count', path),
    data,
  };
}

/** The rows of the key at a place; null for -1. */
export function postingAt({ encodings, counts, data }: PostingFile, place: number): Posting | null {
  if (place < 0) return null;
  const start = data.offsets[place] as number;
  const bytes = (data.offsets[place + 1] as number) - start;
  return {
    form: encodings[place] === POSTING_ENCODING.bitmap ? 'bitmap' : 'list',
    count: counts[place] as number,
    words: new Uint32Array(data.values.buffer, data.values.byteOffset + start, bytes / 4),
  };
}

/** A posting key with the rows that hold it, before it is written. */
export interface GatheredPosting {
  key: Uint8Array;
  /** Number of the key at the posting's source. */
  number: number;
  /** Ascending, at least one; valid until the next posting is asked for. */
  rows: Uint32Array;
}

/** Writes a posting file. Keys come in the order of their bytes; their numbers are not written. */
export class PostingWriter {
  readonly #trials: number;
  readonly #keys = new ByteColumn();
  readonly #data: ByteColumn;
  readonly #encodings = new Growable(Uint8Array);
  readonly #counts = new Growable(Uint32Array);

  /**
   * `trials`: how many rows there are, which decides when a bitmap is the smaller form. `mostEntries`: at least as many as all keys have
   * rows together, where that is known.
   */
  constructor(trials: number, mostEntries?: number) {
    this.#trials = trials;
    this.#data = new ByteColumn(mostEntries === undefined ? undefined : mostEntries * Uint32Array.BYTES_PER_ELEMENT);
  }

  add({ key, rows }: GatheredPosting): void {
    const dense = rows.length * BITMAP_DENSITY > this.#trials;
    const words = dense ? bitmapOf(rows, this.#trials) : rows;
    this.#keys.appendBytes(key);
    this.#data.appendBytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    this.#encodings.push(dense ? POSTING_ENCODING.bitmap : POSTING_ENCODING.list);
    this.#counts.push(rows.length);
  }

  /** How many rows hold each key, in the order of the keys. */
  get counts(): Uint32Array {
    return this.#counts.view();
  }

  /** Nothing is added afterwards, so views are written and not copies: the rows of all keys are 200 MB at 600,000 trials. */
  write(path: string, metadata: Record<string, string> = {}): void {
    const columns = {
      key: binaryData(this.#keys.view()),
      encoding: numberData(this.#encodings.view()),
      count: numberData(this.#counts.view()),
      data: binaryData(this.#data.view()),
    };
    writeColumns(path, columns, metadata);
  }
}

/** Writes a posting file of all `postings`; `trials` is how many rows there are. */
export function writePostings(path: string, postings: Iterable<GatheredPosting>, trials: number): void {
  const writer = new PostingWriter(trials);
  for (const posting of postings) writer.add(posting);
  writer.write(path);
}

/** One bit per row, in 32-bit words, lowest bit first. */
function bitmapOf(rows: Uint32Array, total: number): Uint32Array {
  const words = new Uint32Array(Math.ceil(total / 32));
  for (const row of rows) words[row >>> 5] = (words[row >>> 5] as number) | (1 << (row & 31));
  return words;
}
