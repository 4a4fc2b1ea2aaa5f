import type { RecordBatch } from 'apache-arrow';
import {
  DOCUMENTS_PER_BATCH,
  DOCUMENTS_PER_FILE,
  IDS_FILE,
  PAIRS_FILE,
  ROWS_FILE,
  SEQUENCES_FILE,
  SPONSORS_FILE,
} from '../../../snapshot-format/serving.ts';
import { encodePair, POSTING_ENCODING } from '../../../snapshot-format/serving-columns.ts';
import { type DocumentWriter, SLICES } from './document-writer.ts';
import type { InheritedIds } from './id-gatherer.ts';
import { type Inheritance, inImage, type Run, type TermInheritance } from './inheritance.ts';
import type { ParentFiles } from './parent-files.ts';
import { binaryColumn, listColumn, numberColumn, onlyBatch } from './parent-image.ts';
import type { Posting } from './posting-file.ts';
import { COLUMN_NAMES, type NumberArray, type RowGatherer } from './row-gatherer.ts';
import type { Sequence } from './sequence-writer.ts';
import type { Sponsors } from './sponsors.ts';

/** What each file of a parent's image gives to the new one. All throw ParentUnusable when the file is not whole. */

/** Copies finished documents run by run, in order. */
export class ParentDocuments {
  readonly #files: ParentFiles;
  #batches: RecordBatch[] = [];
  #file = -1;

  constructor(files: ParentFiles) {
    this.#files = files;
  }

  async copy({ from, length }: Run, into: DocumentWriter): Promise<void> {
    let done = 0;
    while (done < length) {
      const row = from + done;
      const first = row % DOCUMENTS_PER_BATCH;
      const rows = Math.min(length - done, DOCUMENTS_PER_BATCH - first);
      const batch = await this.#batchOf(row);
      const columns = SLICES.map((name) => {
        const { offsets, values } = binaryColumn(batch, name);
        return { offsets, bytes: values };
      });
      into.addFinished(columns, first, rows);
      done += rows;
    }
  }

  async #batchOf(row: number): Promise<RecordBatch> {
    const file = Math.floor(row / DOCUMENTS_PER_FILE);
    if (file !== this.#file) {
      this.#batches = await this.#files.batches(file);
      this.#file = file;
    }
    return this.#batches[Math.floor((row % DOCUMENTS_PER_FILE) / DOCUMENTS_PER_BATCH)] as RecordBatch;
  }
}

/** A posting file of a parent, with its rows renumbered and those without a new row left out. */
export class ParentPostings {
  readonly counts: Uint32Array;
  readonly #keys: { offsets: Int32Array; values: Uint8Array };
  readonly #encodings: Uint8Array;
  readonly #data: { offsets: Int32Array; values: Uint8Array };
  readonly #rowMap: Int32Array;
  readonly #scratch: Uint32Array;

  constructor({ image, rowMap }: TermInheritance, file: string) {
    const batch = onlyBatch(image.table(inImage(file)));
    this.counts = numberColumn(batch, 'count');
    this.#keys = binaryColumn(batch, 'key');
    this.#encodings = numberColumn(batch, 'encoding');
    this.#data = binaryColumn(batch, 'data');
    this.#rowMap = rowMap;
    this.#scratch = new Uint32Array(rowMap.length);
  }

  /** Every posting that keeps a row, in the order of the keys; `number` is its place in the parent's file. */
  *postings(): Generator<Posting> {
    for (let number = 0; number < this.counts.length; number++) {
      const rows = this.#rowsAt(number);
      if (rows.length > 0) yield { key: this.#keyAt(number), number, rows };
    }
  }

  /** The same of pairs, whose keys are numbers of terms: `terms` gives the new ones, and pairs of others are left out. */
  *pairs(terms: Int32Array, common: Uint8Array): Generator<Posting> {
    for (let number = 0; number < this.counts.length; number++) {
      const key = Buffer.from(this.#keyAt(number));
      const [first, second] = [terms[key.readUInt32BE(0)] as number, terms[key.readUInt32BE(4)] as number];
      if (first < 0 || second < 0 || common[first] !== 1 || common[second] !== 1) continue;
      const rows = this.#rowsAt(number);
      if (rows.length > 0) yield { key: encodePair(first, second), number, rows };
    }
  }

  #keyAt(place: number): Uint8Array {
    return this.#keys.values.subarray(this.#keys.offsets[place], this.#keys.offsets[place + 1]);
  }

  #rowsAt(place: number): Uint32Array {
    const { offsets, values } = this.#data;
    const start = offsets[place] as number;
    const words = new Uint32Array(
      values.buffer,
      values.byteOffset + start,
      ((offsets[place + 1] as number) - start) / 4,
    );
    return this.#encodings[place] === POSTING_ENCODING.bitmap ? this.#fromBitmap(words) : this.#fromList(words);
  }

  #fromList(words: Uint32Array): Uint32Array {
    let length = 0;
    for (let at = 0; at < words.length; at++) {
      const row = this.#rowMap[words[at] as number] as number;
      if (row >= 0) this.#scratch[length++] = row;
    }
    return this.#scratch.subarray(0, length);
  }

  #fromBitmap(words: Uint32Array): Uint32Array {
    let length = 0;
    for (let at = 0; at < words.length; at++) {
      let bits = words[at] as number;
      while (bits !== 0) {
        const row = this.#rowMap[at * 32 + (31 - Math.clz32(bits & -bits))] as number;
        if (row >= 0) this.#scratch[length++] = row;
        bits &= bits - 1;
      }
    }
    return this.#scratch.subarray(0, length);
  }
}

/** The pairs of a parent's image. */
export function parentPairs(inheritance: TermInheritance): ParentPostings {
  return new ParentPostings(inheritance, PAIRS_FILE);
}

/** Sequence of each row of the parent's, in the parent's term numbers. */
export function parentSequences({ image }: TermInheritance): (row: number) => Sequence {
  const batches = image.table(inImage(SEQUENCES_FILE)).batches.map((batch) => listColumn(batch, 'terms'));
  return (row) => {
    const { offsets, values } = batches[Math.floor(row / DOCUMENTS_PER_BATCH)] as (typeof batches)[number];
    const place = row % DOCUMENTS_PER_BATCH;
    return { values, start: offsets[place] as number, end: offsets[place + 1] as number };
  };
}

export function parentIds({ image, rowMap }: Inheritance): InheritedIds {
  const batch = onlyBatch(image.table(inImage(IDS_FILE)));
  const { offsets, values } = binaryColumn(batch, 'key');
  return {
    bytes: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
    offsets,
    standings: numberColumn(batch, 'standing'),
    rows: numberColumn(batch, 'row'),
    rowMap,
  };
}

/** Takes the columns of every run over. */
export function takeRows({ image, runs }: Inheritance, sponsors: Sponsors, into: RowGatherer): void {
  const rows = onlyBatch(image.table(inImage(ROWS_FILE)));
  const held = Object.fromEntries(COLUMN_NAMES.map((name) => [name, numberColumn(rows, name)])) as Record<
    (typeof COLUMN_NAMES)[number],
    NumberArray
  >;
  const names = image.table(inImage(SPONSORS_FILE));
  const { offsets, values } = binaryColumn(onlyBatch(names), 'name');
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const numbers = Uint32Array.from({ length: names.numRows }, (_, place) =>
    sponsors.numberOf(bytes.toString('utf8', offsets[place], offsets[place + 1])),
  );
  for (const run of runs) into.take(held, numbers, run);
}
