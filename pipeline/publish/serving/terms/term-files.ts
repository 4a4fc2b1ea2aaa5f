import { join } from 'node:path';
import {
  CENSUS_KEY,
  COMMON_TERM_ROWS_KEY,
  DETAIL_FILTERS_KEY,
  MAKER_KEY,
  PAIRS_FILE,
  TERMS_FILE,
  TEXT_FIELDS_KEY,
} from '../../../../snapshot/format/serving.ts';
import { PostingWriter, writePostings } from '../../../../snapshot/image/postings.ts';
import { PairIndex } from '../pair-index.ts';
import type { ReusedTerms } from '../reused.ts';
import { type SequenceStore, SequenceWriter } from '../sequence-writer.ts';
import { mergePostings } from './merge-postings.ts';
import type { TermIndex } from './trial-terms.ts';

interface TermParts {
  outDir: string;
  trials: number;
  maker: string;
  commonTermRows: number;
  /** Terms and sequences of the trials that are not reused. */
  index: TermIndex;
  sequences: SequenceStore;
  reused: ReusedTerms | null;
}

/**
 * New numbers of terms, by their numbers in the gathered index (`fresh`) and in the parent's image (`reused`); -1 for
 * none.
 */
interface TermNumbers {
  fresh: Int32Array;
  reused: Int32Array;
  /** By new number: 1 for terms whose pairs are written. */
  common: Uint8Array;
  /** By new number: 1 for common terms whose pairs the parent's image lacks; null if there are none. */
  grown: Uint8Array | null;
}

/** Writes terms.arrow, then sequences.arrow and pairs.arrow, which use its numbers. */
export function writeTermFiles(parts: TermParts): void {
  const numbers = writeTerms(parts);
  const pairs = writeSequences(parts, numbers);
  const reused = parts.reused?.pairs(numbers.reused, numbers.common) ?? [].values();
  writePostings(join(parts.outDir, PAIRS_FILE), mergePostings(reused, pairs.sorted(), parts.trials), parts.trials);
}

function writeTerms({ outDir, trials, maker, commonTermRows, index, reused }: TermParts): TermNumbers {
  const parent = reused?.postings() ?? null;
  const fresh = new Int32Array(index.size).fill(-1);
  const reusedNumbers = new Int32Array(parent?.counts.length ?? 0).fill(-1);
  const writer = new PostingWriter(trials, parent === null ? index.entries : undefined);
  for (const posting of mergePostings(parent?.kept ?? [].values(), index.sorted(), trials)) {
    writer.add(posting);
    if (posting.fresh >= 0) fresh[posting.fresh] = posting.number;
    if (posting.reused >= 0) reusedNumbers[posting.reused] = posting.number;
  }
  writer.write(join(outDir, TERMS_FILE), {
    [COMMON_TERM_ROWS_KEY]: String(commonTermRows),
    [MAKER_KEY]: maker,
    [CENSUS_KEY]: 'true',
    [DETAIL_FILTERS_KEY]: 'true',
    [TEXT_FIELDS_KEY]: 'true',
  });
  const common = Uint8Array.from(writer.counts, (count) => (count >= commonTermRows ? 1 : 0));
  const grown = parent && grownTerms(common, reusedNumbers, parent.counts, commonTermRows);
  return { fresh, reused: reusedNumbers, common, grown };
}

function grownTerms(
  common: Uint8Array,
  numbers: Int32Array,
  before: Uint32Array,
  commonTermRows: number,
): Uint8Array | null {
  const grown = common.slice();
  for (let place = 0; place < before.length; place++) {
    const number = numbers[place] as number;
    if (number >= 0 && (before[place] as number) >= commonTermRows) grown[number] = 0;
  }
  return grown.includes(1) ? grown : null;
}

/** Writes every trial's sequence and returns the pairs that the parent's image lacks. */
function writeSequences(parts: TermParts, { fresh, reused: numbers, common, grown }: TermNumbers): PairIndex {
  const { outDir, trials, sequences, reused } = parts;
  const pairs = new PairIndex(common);
  const reusedAt = reused?.sequences();
  using writer = new SequenceWriter(outDir, trials);
  let shown = 0;
  let row = 0;
  const writeShownBefore = (end: number): void => {
    for (; row < end; row++) {
      const { values, start, end: ends } = writer.add(sequences.at(shown++), fresh);
      pairs.addRow(row, values, start, ends);
    }
  };
  for (const { from, to, length } of reused?.runs ?? []) {
    writeShownBefore(to);
    for (; row < to + length; row++) {
      const { values, start, end } = writer.add(reusedAt!(from + row - to), numbers);
      if (grown !== null) pairs.addRow(row, values, start, end, grown);
    }
  }
  writeShownBefore(trials);
  writer.close();
  return pairs;
}
