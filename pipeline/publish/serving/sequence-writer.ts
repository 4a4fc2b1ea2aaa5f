import { join } from 'node:path';
import { DOCUMENTS_PER_BATCH, SEQUENCES_FILE, TRIAL_COUNT_KEY } from '../../../snapshot-format/serving.ts';
import { ArrowFile, listData, UINT32_LIST } from './arrow-file.ts';
import { Growable } from './growable.ts';

/** A file is mapped as one view, which aborts the process from 4 GiB on; three quarters of it is the alarm. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/**
 * Writes sequences.arrow: the term numbers of each trial's text in order, as encoded by snapshot-format/sequence.ts.
 * What was written is kept (about 400 bytes a trial), because pairs can be chosen only once all terms are counted.
 */
export class SequenceWriter implements Disposable {
  readonly #file: ArrowFile;
  readonly #batches: { values: Uint32Array; ends: Int32Array }[] = [];
  #values = new Growable(Uint32Array);
  #ends = new Growable(Int32Array);
  #rows = 0;

  constructor(outDir: string, trials: number) {
    const metadata = { [TRIAL_COUNT_KEY]: String(trials) };
    this.#file = new ArrowFile(join(outDir, SEQUENCES_FILE), { terms: UINT32_LIST }, metadata);
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

  /** Every sequence that was written, in row order. */
  *written(): Generator<{ values: Uint32Array; start: number; end: number }> {
    for (const { values, ends } of this.#batches) {
      for (let place = 1; place < ends.length; place++) {
        yield { values, start: ends[place - 1] as number, end: ends[place] as number };
      }
    }
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #flush(): void {
    const values = this.#values.view().slice();
    const ends = this.#ends.view().slice();
    this.#file.write([listData(values, ends)]);
    this.#batches.push({ values, ends });
    this.#values = new Growable(Uint32Array);
    this.#ends = new Growable(Int32Array);
    this.#ends.push(0);
  }
}
