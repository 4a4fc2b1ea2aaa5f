import { join } from 'node:path';
import { DOCUMENTS_PER_BATCH, SEQUENCES_FILE, TRIAL_COUNT_KEY } from '../../../snapshot/format/serving.ts';
import { COMPOUND } from '../../../snapshot/format/words/sequence.ts';
import { ArrowFile, listData, UINT32_LIST } from '../../../snapshot/image/arrow-file.ts';
import { ChunkedNumbers, Growable } from '../../../snapshot/image/growable.ts';

/** A file is mapped as one view, and a view of 4 GiB aborts the process; writing stops at three quarters of that. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/** Where a sequence lies: `values` from `start` to before `end`. */
export interface Sequence {
  values: Uint32Array;
  start: number;
  end: number;
}

/** Keeps the sequences of trials, in provisional term numbers, until all terms are known. About 250 bytes a trial. */
export class SequenceStore {
  readonly #values = new ChunkedNumbers();
  readonly #places: { chunk: Growable<Uint32Array>; start: Growable<Uint32Array>; end: Growable<Uint32Array> } = {
    chunk: new Growable(Uint32Array),
    start: new Growable(Uint32Array),
    end: new Growable(Uint32Array),
  };

  add(sequence: ArrayLike<number>): void {
    const { chunk, start } = this.#values.pushTogether(sequence);
    this.#places.chunk.push(chunk);
    this.#places.start.push(start);
    this.#places.end.push(start + sequence.length);
  }

  at(place: number): Sequence {
    const { chunk, start, end } = this.#places;
    return { values: this.#values.chunk(chunk.at(place)), start: start.at(place), end: end.at(place) };
  }
}

/**
 * Writes sequences.arrow: the term numbers of each trial's text in order, as encoded by snapshot/format/words/sequence.ts.
 */
export class SequenceWriter implements Disposable {
  readonly #file: ArrowFile;
  #values = new Growable(Uint32Array);
  #ends = new Growable(Int32Array);
  #rows = 0;

  constructor(outDir: string, trials: number) {
    const metadata = { [TRIAL_COUNT_KEY]: String(trials) };
    this.#file = new ArrowFile(join(outDir, SEQUENCES_FILE), { terms: UINT32_LIST }, metadata);
    this.#ends.push(0);
  }

  /** Adds one trial's sequence with its terms renumbered; returns its place, valid until the next is added. */
  add({ values, start, end }: Sequence, numbers: Int32Array): Sequence {
    if (this.#rows > 0 && this.#rows % DOCUMENTS_PER_BATCH === 0) this.#flush();
    const begin = this.#values.length;
    const into = this.#values.extend(end - start);
    let at = start;
    while (at < end) {
      const value = values[at] as number;
      into[at - start] = value < COMPOUND ? (numbers[value] as number) : value;
      at += 1;
      // The value after a compound's marker is the number of its parts, not a term.
      if (value === COMPOUND) {
        into[at - start] = values[at] as number;
        at += 1;
      }
    }
    this.#ends.push(this.#values.length);
    this.#rows += 1;
    return { values: this.#values.view(), start: begin, end: this.#values.length };
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
    this.#file.write([listData(this.#values.view().slice(), this.#ends.view().slice())]);
    this.#values = new Growable(Uint32Array);
    this.#ends = new Growable(Int32Array);
    this.#ends.push(0);
  }
}
