import { BITMAP_DENSITY, POSTING_ENCODING } from '../../../snapshot-format/serving-columns.ts';
import { ArrowFile, BINARY, binaryData, numberData, UINT8, UINT32 } from './arrow-file.ts';
import { ByteColumn, Growable } from './growable.ts';

/** How the keys of a posting file are ordered and written; the order must be that of the written bytes. */
export interface KeyForm<K> {
  compare: (a: K, b: K) => number;
  encode: (key: K) => Uint8Array;
}

/**
 * Gathers which row holds which posting key. Kept as one list of key numbers per row (rows come in ascending order) and
 * turned round by a counting sort at the end: two flat arrays instead of a million small ones.
 */
export class PostingGatherer<K extends string | number> {
  readonly #form: KeyForm<K>;
  readonly #numbers = new Map<K, number>();
  readonly #counts = new Growable(Uint32Array);
  /** Row in which a key was last seen, so that a row holds each key once. */
  readonly #lastRow = new Growable(Int32Array);
  readonly #entries = new Growable(Uint32Array, 1 << 16);
  readonly #rowEnds = new Growable(Uint32Array);

  constructor(form: KeyForm<K>) {
    this.#form = form;
  }

  /** How many rows hold the key of this number. */
  countOf(number: number): number {
    return this.#counts.at(number);
  }

  get rows(): number {
    return this.#rowEnds.length;
  }

  /** The key's number, by first sight: deterministic, as rows come in result order. */
  numberOf(key: K): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#counts.push(0);
    this.#lastRow.push(-1);
    return number;
  }

  /** Says that the row being gathered holds the key. */
  add(key: K): void {
    const number = this.numberOf(key);
    const row = this.rows;
    if (this.#lastRow.at(number) === row) return;
    this.#lastRow.set(number, row);
    this.#counts.increment(number);
    this.#entries.push(number);
  }

  endRow(): void {
    this.#rowEnds.push(this.#entries.length);
  }

  /** Writes every key with its number and its rows, sorted by the bytes of the keys. */
  write(path: string, metadata: Record<string, string> = {}): void {
    const starts = this.#starts();
    const postings = this.#invert(starts);
    const keys = [...this.#numbers.keys()].sort(this.#form.compare);
    const keyColumn = new ByteColumn();
    const data = new ByteColumn(1 << 20);
    const numbers = new Uint32Array(keys.length);
    const encodings = new Uint8Array(keys.length);
    const counts = new Uint32Array(keys.length);
    for (const [place, key] of keys.entries()) {
      const number = this.numberOf(key);
      const count = this.#counts.at(number);
      const start = starts[number] as number;
      const rows = postings.subarray(start, start + count);
      const dense = count * BITMAP_DENSITY > this.rows;
      const words = dense ? bitmapOf(rows, this.rows) : rows;
      keyColumn.appendBytes(this.#form.encode(key));
      data.appendBytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
      numbers[place] = number;
      encodings[place] = dense ? POSTING_ENCODING.bitmap : POSTING_ENCODING.list;
      counts[place] = count;
    }
    using file = new ArrowFile(
      path,
      { key: BINARY, number: UINT32, encoding: UINT8, count: UINT32, data: BINARY },
      metadata,
    );
    file.write([
      binaryData(keyColumn.take()),
      numberData(numbers),
      numberData(encodings),
      numberData(counts),
      binaryData(data.take()),
    ]);
    file.close();
  }

  #starts(): Uint32Array {
    const starts = new Uint32Array(this.#counts.length);
    let sum = 0;
    for (let number = 0; number < starts.length; number++) {
      starts[number] = sum;
      sum += this.#counts.at(number);
    }
    return starts;
  }

  #invert(starts: Uint32Array): Uint32Array {
    const next = starts.slice();
    const entries = this.#entries.view();
    const postings = new Uint32Array(entries.length);
    let at = 0;
    for (let row = 0; row < this.rows; row++) {
      const end = this.#rowEnds.at(row);
      for (; at < end; at++) {
        const number = entries[at] as number;
        postings[next[number] as number] = row;
        next[number] = (next[number] as number) + 1;
      }
    }
    return postings;
  }
}

/** One bit per row, in 32-bit words, lowest bit first. */
export function bitmapOf(rows: Uint32Array, total: number): Uint32Array {
  const words = new Uint32Array(Math.ceil(total / 32));
  for (const row of rows) words[row >>> 5] = (words[row >>> 5] as number) | (1 << (row & 31));
  return words;
}
