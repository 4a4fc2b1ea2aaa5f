import { join } from 'node:path';
import { DOCUMENTS_PER_BATCH, DOCUMENTS_PER_FILE, documentsFile } from '../../../snapshot-format/serving.ts';
import { ArrowFile, BINARY, binaryData } from './arrow-file.ts';
import { ByteColumn } from './growable.ts';
import type { PresentedTrial } from './present-trial.ts';

const SLICES = ['head', 'brief', 'full', 'eligibility'] as const;
/** A file is mapped as one view, which aborts the process from 4 GiB on; three quarters of it is the alarm. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/** Writes documents-NNN.arrow: the finished JSON of each trial in slices, row by row. */
export class DocumentWriter implements Disposable {
  readonly #outDir: string;
  readonly #slices = SLICES.map(() => new ByteColumn());
  #file: ArrowFile;
  #fileIndex = 0;
  #rows = 0;

  constructor(outDir: string) {
    this.#outDir = outDir;
    this.#file = this.#open();
  }

  add(trial: PresentedTrial): void {
    if (this.#rows > 0 && this.#rows % DOCUMENTS_PER_BATCH === 0) this.#flush();
    if (this.#rows > 0 && this.#rows % DOCUMENTS_PER_FILE === 0) {
      this.#file.close();
      this.#fileIndex += 1;
      this.#file = this.#open();
    }
    const texts = [
      JSON.stringify(trial.head).slice(0, -1),
      JSON.stringify(trial.brief),
      JSON.stringify(trial.full),
      JSON.stringify(trial.eligibility),
    ];
    for (const [place, text] of texts.entries()) this.#slices[place]?.appendText(text);
    this.#rows += 1;
  }

  close(): void {
    this.#flush();
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #open(): ArrowFile {
    return new ArrowFile(
      join(this.#outDir, documentsFile(this.#fileIndex)),
      Object.fromEntries(SLICES.map((name) => [name, BINARY])),
    );
  }

  #flush(): void {
    this.#file.write(this.#slices.map((column) => binaryData(column.take())));
    if (this.#file.bytes > MAX_FILE_BYTES) {
      throw new Error(
        `${documentsFile(this.#fileIndex)} passed ${MAX_FILE_BYTES} bytes; lower DOCUMENTS_PER_FILE in snapshot-format/serving.ts`,
      );
    }
  }
}
