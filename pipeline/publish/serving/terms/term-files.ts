import { join } from 'node:path';
import {
  COMMON_TERM_ROWS_KEY,
  DOCUMENTS_PER_BATCH,
  PAIRS_FILE,
  SEQUENCES_FILE,
  TERMS_FILE,
  TRIAL_COUNT_KEY,
} from '../../../../snapshot/format/serving.ts';
import { encodePair } from '../../../../snapshot/format/serving-columns.ts';
import { COMPOUND, FIELD_BREAK } from '../../../../snapshot/format/words/sequence.ts';
import { ArrowFile, listData, UINT32_LIST } from '../../../../snapshot/image/arrow-file.ts';
import { ChunkedNumbers, Growable } from '../../../../snapshot/image/growable.ts';
import { type GatheredPosting, PostingWriter, writePostings } from '../../../../snapshot/image/postings.ts';
import { PostingGatherer } from './posting-gatherer.ts';
import type { TermIndex } from './trial-terms.ts';

interface TermParts {
  outDir: string;
  trials: number;
  commonTermRows: number;
  index: TermIndex;
  sequences: SequenceStore;
}

interface TermNumbers {
  /** Place of each term in terms.arrow, by its number in the gathered index. */
  places: Int32Array;
  /** By place: 1 for terms whose pairs are written. */
  common: Uint8Array;
}

/** Writes terms.arrow, then sequences.arrow and pairs.arrow, which use its numbers. */
export function writeTermFiles(parts: TermParts): void {
  const pairs = writeSequences(parts, writeTerms(parts));
  writePostings(join(parts.outDir, PAIRS_FILE), pairs.sorted(), parts.trials);
}

function writeTerms({ outDir, trials, commonTermRows, index }: TermParts): TermNumbers {
  const places = new Int32Array(index.size);
  const writer = new PostingWriter(trials, index.entries);
  let place = 0;
  for (const posting of index.sorted()) {
    writer.add(posting);
    places[posting.number] = place++;
  }
  writer.write(join(outDir, TERMS_FILE), { [COMMON_TERM_ROWS_KEY]: String(commonTermRows) });
  return { places, common: Uint8Array.from(writer.counts, (count) => (count >= commonTermRows ? 1 : 0)) };
}

/** Writes every trial's sequence and returns the pairs of common terms in them. */
function writeSequences({ outDir, trials, sequences }: TermParts, { places, common }: TermNumbers): PairIndex {
  const pairs = new PairIndex(common);
  using writer = new SequenceWriter(outDir, trials);
  for (let row = 0; row < trials; row++) pairs.addRow(row, writer.add(sequences.at(row), places));
  writer.close();
  return pairs;
}

/** A file is mapped as one view, and a view of 4 GiB aborts the process; writing stops at three quarters of that. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/** Where a sequence lies: `values` from `start` to before `end`. */
interface Sequence {
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
class SequenceWriter implements Disposable {
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

/** Term numbers stay below this, so that a pair fits a double as a whole number. */
const PAIR_BASE = 2 ** 26;
const COMPOUND_HEAD = 3;

/**
 * Rows in which one common term can be read directly before another. With them, a search for a phrase of everyday words
 * need not look into every trial that has the words. A compound is read joined or as its parts
 * (snapshot/format/words/sequence.ts).
 */
class PairIndex {
  readonly #pairs = new PostingGatherer<number>({
    sort: (pairs) => Float64Array.from(pairs).sort(),
    encode: (pair) => encodePair(Math.floor(pair / PAIR_BASE), pair % PAIR_BASE),
  });
  readonly #common: Uint8Array;

  /** `common`, by term number: 1 for the terms whose pairs are kept. */
  constructor(common: Uint8Array) {
    this.#common = common;
  }

  /** Adds the pairs of one trial's term sequence, which is `values` from `start` to before `end`. Rows come in ascending order. */
  addRow(row: number, { values, start, end }: Sequence): void {
    this.#pairs.beginRow(row);
    let before: number[] = [];
    let at = start;
    while (at < end) {
      const value = values[at] as number;
      if (value === FIELD_BREAK) {
        before = [];
        at += 1;
      } else if (value === COMPOUND) {
        const count = values[at + 1] as number;
        const joined = values[at + 2] as number;
        const parts = values.subarray(at + COMPOUND_HEAD, at + COMPOUND_HEAD + count);
        this.#addAfter(before, joined);
        this.#addAfter(before, parts[0] as number);
        for (let part = 1; part < count; part++) this.#addAfter([parts[part - 1] as number], parts[part] as number);
        before = [joined, parts[count - 1] as number];
        at += COMPOUND_HEAD + count;
      } else {
        this.#addAfter(before, value);
        before = [value];
        at += 1;
      }
    }
  }

  /** The pairs with their rows, in the order of pairs.arrow. */
  sorted(): Generator<GatheredPosting> {
    return this.#pairs.sorted();
  }

  #addAfter(before: number[], term: number): void {
    if (this.#common[term] !== 1) return;
    for (const first of before) {
      if (this.#common[first] === 1) this.#pairs.add(first * PAIR_BASE + term);
    }
  }
}
