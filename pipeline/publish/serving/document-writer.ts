import { join } from 'node:path';
import { DOCUMENTS_PER_BATCH, DOCUMENTS_PER_FILE, documentsFile } from '../../../snapshot/format/serving.ts';
import { packText } from '../../../snapshot/format/words/packed-text.ts';
import { BinaryFile } from './binary-file.ts';
import type { TrialTexts } from './present-trial.ts';

const SLICES = ['head', 'brief', 'full', 'design', 'eligibility', 'publications', 'superseded'] as const;
/** Read only with the trial's own record and its research, and most of its bytes. */
const PACKED: readonly string[] = ['design', 'publications', 'superseded'];
const NOTHING = new Uint8Array();

/** A file is mapped as one view, and a view of 4 GiB aborts the process; writing stops at three quarters of that. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/** Writes documents-NNN.arrow: the finished JSON of each trial in slices, row by row. */
export class DocumentWriter implements Disposable {
  readonly #outDir: string;
  #file: BinaryFile;
  #rows = 0;

  constructor(outDir: string) {
    this.#outDir = outDir;
    this.#file = this.#open();
  }

  add(trial: TrialTexts): void {
    if (this.#rows > 0 && this.#rows % DOCUMENTS_PER_FILE === 0) {
      this.close();
      this.#file = this.#open();
    }
    const packed = (text: string): Uint8Array => (text === '' ? NOTHING : packText(text));
    this.#file.add(SLICES.map((slice) => (PACKED.includes(slice) ? packed(trial[slice]) : trial[slice])));
    this.#rows += 1;
  }

  close(): void {
    this.#file.close();
    if (this.#file.bytes > MAX_FILE_BYTES)
      throw new Error(
        `a documents file passed ${MAX_FILE_BYTES} bytes; lower DOCUMENTS_PER_FILE in snapshot/format/serving.ts`,
      );
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #open(): BinaryFile {
    const path = join(this.#outDir, documentsFile(this.#rows / DOCUMENTS_PER_FILE));
    return new BinaryFile(path, SLICES, DOCUMENTS_PER_BATCH);
  }
}
