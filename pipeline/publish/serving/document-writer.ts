import { join } from 'node:path';
import { DOCUMENTS_PER_BATCH, DOCUMENTS_PER_FILE, documentsFile } from '../../../snapshot/format/serving.ts';
import { packText } from '../../../snapshot/format/words/packed-text.ts';
import { ArrowFile, BINARY, binaryData } from '../../../snapshot/image/arrow-file.ts';
import { allocateShared, ByteColumn } from '../../../snapshot/image/growable.ts';
import type { FileSum } from '../durable.ts';
import { type FileSums, sumsInLine } from './file-sums.ts';
import type { RowTexts } from './present-trial.ts';

export const SLICES = ['head', 'brief', 'full', 'design', 'eligibility', 'publications', 'superseded'] as const;
/** Read only with the trial's own record and its research, and most of its bytes. */
const PACKED: readonly string[] = ['design', 'publications', 'superseded'];
const NOTHING = new Uint8Array();
const BATCHES = 3;

interface Batch {
  slices: ByteColumn[];
  /** When the sum of the file has taken it. */
  taken: Promise<void>;
}

/** A file is mapped as one view, and a view of 4 GiB aborts the process; writing stops at three quarters of that. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/** Writes documents-NNN.arrow: the finished JSON of each trial in slices, row by row. */
export class DocumentWriter implements AsyncDisposable {
  readonly #outDir: string;
  readonly #sums: FileSums;
  /** Batches that are filled and summed in turn: one is filled while others are summed. */
  readonly #batches = Array.from(
    { length: BATCHES },
    (): Batch => ({ slices: SLICES.map(() => new ByteColumn(undefined, allocateShared)), taken: Promise.resolve() }),
  );
  #filling = 0;
  #file: ArrowFile;
  /** Files whose bytes are on their way to the disk. */
  readonly #closing: Promise<FileSum>[] = [];
  #fileIndex = 0;
  #rows = 0;

  constructor(outDir: string, sums: FileSums = sumsInLine()) {
    this.#outDir = outDir;
    this.#sums = sums;
    this.#file = this.#open();
  }

  /** How many trials were added. */
  get rows(): number {
    return this.#rows;
  }

  async add(trial: RowTexts): Promise<void> {
    await this.#makeRoom();
    const slices = this.#slices;
    for (const [place, slice] of SLICES.entries()) {
      const text = trial[slice];
      if (PACKED.includes(slice)) slices[place]?.appendBytes(text === '' ? NOTHING : packText(text));
      else slices[place]?.appendText(text);
    }
    this.#rows += 1;
  }

  /** Adds `rows` finished trials, from row `first` of a batch on. The batch's columns come in the order of SLICES. */
  async addFinished(
    columns: readonly { bytes: Uint8Array; offsets: Int32Array }[],
    first: number,
    rows: number,
  ): Promise<void> {
    let done = 0;
    while (done < rows) {
      await this.#makeRoom();
      const slices = this.#slices;
      const fitting = Math.min(rows - done, DOCUMENTS_PER_BATCH - (this.#rows % DOCUMENTS_PER_BATCH));
      for (const [place, column] of columns.entries()) slices[place]?.appendRows(column, first + done, fitting);
      done += fitting;
      this.#rows += fitting;
    }
  }

  /**
   * Writes the last batch and waits until the bytes of every file are on disk. Returns their sums, by paths in the
   * image.
   */
  async close(): Promise<FileSum[]> {
    await this.#flush();
    this.#end();
    return Promise.all(this.#closing);
  }

  /** Closes the file that a failure left half written. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#file[Symbol.dispose]();
    await Promise.allSettled(this.#closing);
    await this.#sums[Symbol.asyncDispose]();
  }

  /** Writes a full batch and ends a full file. */
  async #makeRoom(): Promise<void> {
    if (this.#rows === 0) return;
    if (this.#rows % DOCUMENTS_PER_BATCH === 0) await this.#flush();
    if (this.#rows % DOCUMENTS_PER_FILE !== 0) return;
    this.#end();
    this.#fileIndex += 1;
    this.#file = this.#open();
  }

  #end(): void {
    const path = documentsFile(this.#fileIndex);
    const closing = this.#close(this.#file, path);
    // `close` reports the error; until then it must not count as unhandled.
    closing.catch(() => undefined);
    this.#closing.push(closing);
  }

  async #close(file: ArrowFile, path: string): Promise<FileSum> {
    const closed = file.closeBeside();
    const { bytes } = file;
    const [sha256] = await Promise.all([this.#sums.end(), closed]);
    return { path, bytes, sha256 };
  }

  get #slices(): ByteColumn[] {
    return (this.#batches[this.#filling] as Batch).slices;
  }

  #open(): ArrowFile {
    return new ArrowFile(
      join(this.#outDir, documentsFile(this.#fileIndex)),
      Object.fromEntries(SLICES.map((name) => [name, BINARY])),
      {},
      (piece) => this.#sums.add(piece),
    );
  }

  async #flush(): Promise<void> {
    const batch = this.#batches[this.#filling] as Batch;
    this.#file.write(batch.slices.map((column) => binaryData(column.view())));
    batch.taken = this.#sums.taken();
    this.#filling = (this.#filling + 1) % BATCHES;
    await this.#batches[this.#filling]?.taken;
    for (const column of this.#slices) column.clear();
    if (this.#file.bytes > MAX_FILE_BYTES) {
      throw new Error(
        `${documentsFile(this.#fileIndex)} passed ${MAX_FILE_BYTES} bytes; lower DOCUMENTS_PER_FILE in snapshot/format/serving.ts`,
      );
    }
  }
}
