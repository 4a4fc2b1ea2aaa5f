import { BITMAP_DENSITY, POSTING_ENCODING } from '../../../snapshot-format/serving-columns.ts';
import { ArrowFile, BINARY, binaryData, numberData, UINT8, UINT32 } from './arrow-file.ts';
import { ByteColumn, Growable } from './growable.ts';

/** A posting key with the rows that hold it. */
export interface Posting {
  key: Uint8Array;
  /** What stands for the key where the posting comes from. */
  number: number;
  /** Ascending, at least one; good until the next posting is asked for. */
  rows: Uint32Array;
}

/** A posting with the numbers that its key had in both places that it was made from; -1 where it was in one alone. */
export interface MergedPosting extends Posting {
  held: number;
  fresh: number;
}

/**
 * Postings of rows taken over and of rows gathered anew, which share no row, as one: both in the order of their keys'
 * bytes, and the result too. `number` counts from 0. `trials` is how many rows there are.
 */
export function* mergePostings(
  held: Iterator<Posting>,
  fresh: Iterator<Posting>,
  trials: number,
): Generator<MergedPosting> {
  const scratch = new Uint32Array(trials);
  let mine = next(held);
  let theirs = next(fresh);
  for (let number = 0; mine !== null || theirs !== null; number++) {
    const order = mine === null ? 1 : theirs === null ? -1 : Buffer.compare(mine.key, theirs.key);
    const [a, b]: [Posting | null, Posting | null] = [order <= 0 ? mine : null, order >= 0 ? theirs : null];
    const rows = a !== null && b !== null ? mergeRows(a.rows, b.rows, scratch) : ((a ?? b) as Posting).rows;
    yield { key: ((a ?? b) as Posting).key, number, rows, held: a?.number ?? -1, fresh: b?.number ?? -1 };
    if (a !== null) mine = next(held);
    if (b !== null) theirs = next(fresh);
  }
}

function next(postings: Iterator<Posting>): Posting | null {
  const { done, value } = postings.next();
  return done ? null : value;
}

function mergeRows(a: Uint32Array, b: Uint32Array, into: Uint32Array): Uint32Array {
  let left = 0;
  let right = 0;
  let length = 0;
  while (left < a.length || right < b.length) {
    const takeLeft = right === b.length || (left < a.length && (a[left] as number) < (b[right] as number));
    into[length++] = (takeLeft ? a[left++] : b[right++]) as number;
  }
  return into.subarray(0, length);
}

/** Writes a posting file. Keys come in the order of their bytes; the numbers that they come with are not written. */
export class PostingWriter {
  readonly #trials: number;
  readonly #keys = new ByteColumn();
  readonly #data = new ByteColumn(1 << 20);
  readonly #encodings = new Growable(Uint8Array);
  readonly #counts = new Growable(Uint32Array);

  /** `trials`: how many rows there are, which decides when a bitmap is the smaller form. */
  constructor(trials: number) {
    this.#trials = trials;
  }

  add({ key, rows }: Posting): void {
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

  write(path: string, metadata: Record<string, string> = {}): void {
    using file = new ArrowFile(path, { key: BINARY, encoding: UINT8, count: UINT32, data: BINARY }, metadata);
    file.write([
      binaryData(this.#keys.take()),
      numberData(this.#encodings.view()),
      numberData(this.#counts.view()),
      binaryData(this.#data.take()),
    ]);
    file.close();
  }
}

/** Writes a posting file of what was gathered; `trials` as of PostingWriter. */
export function writePostings(path: string, postings: Iterable<Posting>, trials: number): void {
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
