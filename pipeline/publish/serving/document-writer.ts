import { join } from 'node:path';
import { DOCUMENTS_PER_BATCH, DOCUMENTS_PER_FILE, documentsFile } from '../../../snapshot/format/serving.ts';
import { packText } from '../../../snapshot/format/words/packed-text.ts';
import { ArrowFile, BINARY, binaryData } from '../../../snapshot/image/arrow-file.ts';
import { ByteColumn } from '../../../snapshot/image/growable.ts';
import type { RowTexts } from './present-trial.ts';

const SLICES = ['head', 'brief', 'full', 'design', 'eligibility', 'publications', 'superseded'] as const;
/** Read only with the trial's own record and its research, and most of its bytes. */
const PACKED: readonly string[] = ['design', 'publications', 'superseded'];
const NOTHING = new Uint8Array();

/** A file is mapped as one view, and a view of 4 GiB aborts the process; writing stops at three quarters of that. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/** Writes documents-NNN.arrow: the finished JSON of each trial in slices, row by row. */
export class DocumentWriter implements Disposable {
  readonly #outDir: string;
  readonly #columns = SLICES.map(() => new ByteColumn());
  #file: ArrowFile;
  #fileIndex = 0;
  #rows = 0;

  constructor(outDir: string) {
    this.#outDir = outDir;
    this.#file = this.#open();
  }

  add(trial: RowTexts): void {
    this.#makeRoom();
    for (const [place, slice] of SLICES.entries()) {
      const text = trial[slice];
      if (PACKED.includes(slice)) this.#columns[place]?.appendBytes(text === '' ? NOTHING : packText(text));
      else this.#columns[place]?.appendText(text);
    }
    this.#rows += 1;
  }

  /** Writes the last batch. */
  close(): void {
    this.#flush();
    this.#file.close();
  }

  /** Closes the file that a failure left half written. */
  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  /** Writes a full batch and ends a full file. */
  #makeRoom(): void {
    if (this.#rows === 0) return;
    if (this.#rows % DOCUMENTS_PER_BATCH === 0) this.#flush();
    if (this.#rows % DOCUMENTS_PER_FILE !== 0) return;
    this.#file.close();
    this.#fileIndex += 1;
    this.#file = this.#open();
  }

  #open(): ArrowFile {
    const columns = Object.fromEntries(SLICES.map((name) => [name, BINARY]));
    return new ArrowFile(join(this.#outDir, documentsFile(this.#fileIndex)), columns);
  }

  #flush(): void {
    this.#file.write(this.#columns.map((column) => binaryData(column.view())));
    for (const column of this.#columns) column.clear();
    if (this.#file.bytes > MAX_FILE_BYTES) {
      throw new Error(
        `${documentsFile(this.#fileIndex)} passed ${MAX_FILE_BYTES} bytes; lower DOCUMENTS_PER_FILE in snapshot/format/serving.ts`,
      );
    }
  }
}
