import type { RecordBatch } from 'apache-arrow';
import {
  DOCUMENTS_PER_BATCH,
  DOCUMENTS_PER_FILE,
  IDS_FILE,
  PAIRS_FILE,
  ROWS_FILE,
  SEQUENCES_FILE,
  SPONSORS_FILE,
  TERMS_FILE,
} from '../../../snapshot/format/serving.ts';
import { encodePair } from '../../../snapshot/format/serving-columns.ts';
import { binaryColumn, listColumn, numberColumn, onlyBatch, textAt } from '../../../snapshot/image/arrow-reader.ts';
import type { NumberArray } from '../../../snapshot/image/growable.ts';
import {
  type GatheredPosting,
  type Posting,
  type PostingFile,
  postingAt,
  readPostings,
} from '../../../snapshot/image/postings.ts';
import { SortedKeys } from '../../../snapshot/image/sorted-keys.ts';
import { type DocumentWriter, SLICES } from '../serving/document-writer.ts';
import type { ReusedIds } from '../serving/id-gatherer.ts';
import type { ReusedTerms } from '../serving/reused.ts';
import type { Run } from '../serving/row-gatherer.ts';
import { COLUMN_NAMES, type RowGatherer } from '../serving/row-gatherer.ts';
import type { Sponsors } from '../serving/sponsors.ts';
import type { ParentFiles } from './parent-files.ts';
import { inImage, type ParentImage } from './parent-image.ts';

/** Copies from the files of a parent's image. All throw NotReusable when the file is not the one of the manifest. */

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
        const { offsets, values } = binaryColumn(batch, name, 'the documents');
        return { offsets, bytes: values };
      });
      await into.addFinished(columns, first, rows);
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

/** A posting file of the parent, with its rows renumbered; rows without a new number are left out. */
class ParentPostings {
  readonly #file: PostingFile;
  readonly #rowMap: Int32Array;
  readonly #scratch: Uint32Array;

  constructor(image: ParentImage, file: string, rowMap: Int32Array) {
    this.#file = readPostings(image.table(inImage(file)), file);
    this.#rowMap = rowMap;
    this.#scratch = new Uint32Array(rowMap.length);
  }

  get counts(): Uint32Array {
    return this.#file.counts;
  }

  /** Every posting that keeps a row, in the order of the keys; `number` is its place in the parent's file. */
  *postings(): Generator<GatheredPosting> {
    for (let number = 0; number < this.counts.length; number++) {
      const rows = this.#rowsAt(number);
      if (rows.length > 0) yield { key: this.#file.keys.at(number), number, rows };
    }
  }

  /**
   * Every pair that keeps a row. A pair's key is two numbers of the parent's terms; `terms` gives the new numbers. Left
   * out are pairs with a term that is gone or is not `common` any more.
   */
  *pairs(terms: Int32Array, common: Uint8Array): Generator<GatheredPosting> {
    for (let number = 0; number < this.counts.length; number++) {
      const key = this.#file.keys.at(number);
      const [first, second] = [terms[key.readUInt32BE(0)] as number, terms[key.readUInt32BE(4)] as number];
      if (first < 0 || second < 0 || common[first] !== 1 || common[second] !== 1) continue;
      const rows = this.#rowsAt(number);
      if (rows.length > 0) yield { key: encodePair(first, second), number, rows };
    }
  }

  #rowsAt(place: number): Uint32Array {
    const { form, words } = postingAt(this.#file, place) as Posting;
    let length = 0;
    if (form === 'list') {
      for (let at = 0; at < words.length; at++) {
        const row = this.#rowMap[words[at] as number] as number;
        if (row >= 0) this.#scratch[length++] = row;
      }
      return this.#scratch.subarray(0, length);
    }
    for (let at = 0; at < words.length; at++) {
      for (let bits = words[at] as number; bits !== 0; bits &= bits - 1) {
        const row = this.#rowMap[at * 32 + (31 - Math.clz32(bits & -bits))] as number;
        if (row >= 0) this.#scratch[length++] = row;
      }
    }
    return this.#scratch.subarray(0, length);
  }
}

/** What is needed to reuse the terms of a parent's image. */
export interface ParentRows {
  image: ParentImage;
  runs: readonly Run[];
  /** New row by the parent's row; -1 if the trial is gone or changed. */
  rowMap: Int32Array;
}

export function parentTerms({ image, runs, rowMap }: ParentRows): ReusedTerms {
  return {
    runs,
    postings: () => {
      const terms = new ParentPostings(image, TERMS_FILE, rowMap);
      return { counts: terms.counts, kept: terms.postings() };
    },
    pairs: (numbers, common) => new ParentPostings(image, PAIRS_FILE, rowMap).pairs(numbers, common),
    sequences: () => {
      const table = image.table(inImage(SEQUENCES_FILE));
      const batches = table.batches.map((batch) => listColumn(batch, 'terms', SEQUENCES_FILE));
      return (row) => {
        const { offsets, values } = batches[Math.floor(row / DOCUMENTS_PER_BATCH)] as (typeof batches)[number];
        const place = row % DOCUMENTS_PER_BATCH;
        return { values, start: offsets[place] as number, end: offsets[place + 1] as number };
      };
    },
  };
}

/** Entries of ids.arrow with their new rows. Those of unchanged trials keep their order, because these trials keep theirs. */
export function parentIds({ image, rowMap }: ParentRows): ReusedIds {
  const batch = onlyBatch(image.table(inImage(IDS_FILE)), IDS_FILE);
  const before = numberColumn<Uint32Array>(batch, 'row', IDS_FILE);
  return {
    keys: new SortedKeys(binaryColumn(batch, 'key', IDS_FILE), batch.numRows),
    standings: numberColumn<Uint8Array>(batch, 'standing', IDS_FILE),
    rows: Int32Array.from(before, (row) => rowMap[row] as number),
  };
}

/** Copies the columns of every run. */
export function copyParentRows({ image, runs }: ParentRows, into: RowGatherer, sponsors: Sponsors): void {
  const rows = onlyBatch(image.table(inImage(ROWS_FILE)), ROWS_FILE);
  const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, numberColumn(rows, name, ROWS_FILE)])) as Record<
    (typeof COLUMN_NAMES)[number],
    NumberArray
  >;
  const table = image.table(inImage(SPONSORS_FILE));
  const names = binaryColumn(onlyBatch(table, SPONSORS_FILE), 'name', SPONSORS_FILE);
  const numbers = Uint32Array.from({ length: table.numRows }, (_, place) => sponsors.numberOf(textAt(names, place)));
  for (const run of runs) into.copy(columns, numbers, run);
}
