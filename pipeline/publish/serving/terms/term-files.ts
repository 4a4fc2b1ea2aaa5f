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
import { COMPOUND, COMPOUND_HEAD, FIELD_BREAK } from '../../../../snapshot/format/words/sequence.ts';
import { ArrowFile, listData, UINT32_LIST } from '../../../../snapshot/image/arrow-file.ts';
import { ChunkedNumbers, Growable } from '../../../../snapshot/image/growable.ts';
import { PostingWriter, writePostings } from '../../../../snapshot/image/postings.ts';
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
  writePostings(join(parts.outDir, PAIRS_FILE), pairs.postings.sorted(), parts.trials);
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

/** Writes sequences.arrow: the term numbers of each trial's text in order. Returns the pairs of common terms in them. */
function writeSequences({ outDir, trials, sequences }: TermParts, { places, common }: TermNumbers): PairIndex {
  const pairs = new PairIndex(common);
  const metadata = { [TRIAL_COUNT_KEY]: String(trials) };
  using file = new ArrowFile(join(outDir, SEQUENCES_FILE), { terms: UINT32_LIST }, metadata);
  let batch: Uint32Array[] = [];
  let row = 0;
  for (const provisional of sequences.inOrder()) {
    const sequence = renumbered(provisional, places);
    pairs.addRow(row++, sequence);
    batch.push(sequence);
    if (batch.length === DOCUMENTS_PER_BATCH || row === trials) {
      writeBatch(file, batch);
      batch = [];
    }
  }
  if (trials === 0) writeBatch(file, batch);
  if (file.bytes > MAX_FILE_BYTES) {
    throw new Error(`${SEQUENCES_FILE} passed ${MAX_FILE_BYTES} bytes; split it as the documents are`);
  }
  file.close();
  return pairs;
}

/** A file is mapped as one view, and a view of 4 GiB aborts the process; writing stops at three quarters of that. */
const MAX_FILE_BYTES = 3 * 2 ** 30;

/** A sequence with the places of its terms in terms.arrow. */
function renumbered(provisional: Uint32Array, places: Int32Array): Uint32Array {
  return provisional.map((value, at) => {
    // The value after a compound's marker is the number of its parts, not a term.
    const isTerm = value < COMPOUND && provisional[at - 1] !== COMPOUND;
    return isTerm ? (places[value] as number) : value;
  });
}

function writeBatch(file: ArrowFile, sequences: readonly Uint32Array[]): void {
  const offsets = new Int32Array(sequences.length + 1);
  for (const [place, { length }] of sequences.entries()) offsets[place + 1] = (offsets[place] as number) + length;
  const values = new Uint32Array(offsets.at(-1) as number);
  for (const [place, sequence] of sequences.entries()) values.set(sequence, offsets[place]);
  file.write([listData(values, offsets)]);
}

/** Keeps the sequences of trials, in provisional term numbers, until all terms are known. About 250 bytes a trial. */
export class SequenceStore {
  readonly #values = new ChunkedNumbers();
  readonly #lengths = new Growable(Uint32Array);

  add(sequence: ArrayLike<number>): void {
    this.#values.pushTogether(sequence);
    this.#lengths.push(sequence.length);
  }

  *inOrder(): Generator<Uint32Array> {
    const chunks = this.#values.inOrder();
    let chunk = new Uint32Array(0);
    let start = 0;
    for (const length of this.#lengths.view()) {
      // No sequence goes on in another chunk.
      while (start + length > chunk.length) {
        chunk = chunks.next().value as Uint32Array<ArrayBuffer>;
        start = 0;
      }
      yield chunk.subarray(start, start + length);
      start += length;
    }
  }
}

/** Term numbers stay below this, so that a pair fits a double as a whole number. */
const PAIR_BASE = 2 ** 26;

/**
 * Rows in which one common term can be read directly before another. With them, a search for a phrase of everyday words
 * need not look into every trial that has the words. A compound is read joined or as its parts
 * (snapshot/format/words/sequence.ts).
 */
class PairIndex {
  readonly postings = new PostingGatherer<number>({
    sort: (pairs) => Float64Array.from(pairs).sort(),
    encode: (pair) => encodePair(Math.floor(pair / PAIR_BASE), pair % PAIR_BASE),
  });
  readonly #common: Uint8Array;

  /** `common`, by term number: 1 for the terms whose pairs are kept. */
  constructor(common: Uint8Array) {
    this.#common = common;
  }

  /** Adds the pairs of one trial's term sequence. Rows come in ascending order. */
  addRow(row: number, values: Uint32Array): void {
    this.postings.beginRow(row);
    let before: number[] = [];
    let at = 0;
    while (at < values.length) {
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

  #addAfter(before: number[], term: number): void {
    if (this.#common[term] !== 1) return;
    for (const first of before) {
      if (this.#common[first] === 1) this.postings.add(first * PAIR_BASE + term);
    }
  }
}
