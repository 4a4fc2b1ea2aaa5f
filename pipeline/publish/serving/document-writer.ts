import { join } from 'node:path';
import {
  DOCUMENTS_PER_BATCH,
  DOCUMENTS_PER_FILE,
  documentsFile,
  SEQUENCES_FILE,
  TRIAL_COUNT_KEY,
} from '../../../snapshot-format/serving.ts';
import { ArrowFile, BINARY, binaryData, listData, UINT32_LIST } from './arrow-file.ts';
import { ByteColumn, Growable } from './growable.ts';
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

/** Writes sequences.arrow: the term numbers of each trial's text in order, as encoded by snapshot-format/sequence.ts. */
export class SequenceWriter implements Disposable {
  readonly #file: ArrowFile;
  #values = new Growable(Uint32Array);
  #ends = new Growable(Int32Array);
  #rows = 0;

  constructor(outDir: string, trials: number) {
    this.#file = new ArrowFile(
      join(outDir, SEQUENCES_FILE),
      { terms: UINT32_LIST },
      { [TRIAL_COUNT_KEY]: String(trials) },
    );
    this.#ends.push(0);
  }

  add(sequence: ArrayLike<number>): void {
    if (this.#rows > 0 && this.#rows % DOCUMENTS_PER_BATCH === 0) this.#flush();
    this.#values.pushAll(sequence);
    this.#ends.push(this.#values.length);
    this.#rows += 1;
  }

  close(): void {
    this.#flush();
    if (this.#file.bytes > MAX_FILE_BYTES) {
      throw new Error(`${SEQUENCES_FILE} passed ${MAX_FILE_BYTES} bytes; split it as the documents are`);
    }
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #flush(): void {
    this.#file.write([listData(this.#values.view(), this.#ends.view())]);
    this.#values = new Growable(Uint32Array);
    this.#ends = new Growable(Int32Array);
    this.#ends.push(0);
  }
}
