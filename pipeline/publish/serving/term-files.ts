import { join } from 'node:path';
import { PostingWriter, writePostings } from '../../../serving-image/postings.ts';
import {
  CENSUS_KEY,
  COMMON_TERM_ROWS_KEY,
  MAKER_KEY,
  PAIRS_FILE,
  TERMS_FILE,
} from '../../../snapshot-format/serving.ts';
import type { TermInheritance } from './inheritance.ts';
import { mergePostings } from './merge-postings.ts';
import { PairIndex } from './pair-index.ts';
import { ParentPostings, parentPairs, parentSequences } from './parent-parts.ts';
import { type SequenceStore, SequenceWriter } from './sequence-writer.ts';
import type { TermIndex } from './trial-terms.ts';

interface TermParts {
  outDir: string;
  trials: number;
  maker: string;
  commonTermRows: number;
  /** Terms and sequences of the trials that are not taken over. */
  index: TermIndex;
  sequences: SequenceStore;
  inheritance: TermInheritance | null;
}

/** Numbers of the new image for those of the gathered index and of the parent's image; -1 for none. */
interface TermNumbers {
  fresh: Int32Array;
  held: Int32Array;
  /** By new number: 1 for terms whose pairs are held. */
  common: Uint8Array;
  /** By new number: 1 for those among them whose pairs the parent's image does not hold; null when there are none. */
  grown: Uint8Array | null;
}

/** Writes terms.arrow, and sequences.arrow and pairs.arrow, which are in its numbers. */
export function writeTermFiles(parts: TermParts): void {
  const numbers = writeTerms(parts);
  const pairs = writeSequences(parts, numbers);
  const held =
    parts.inheritance === null ? [].values() : parentPairs(parts.inheritance).pairs(numbers.held, numbers.common);
  writePostings(join(parts.outDir, PAIRS_FILE), mergePostings(held, pairs.sorted(), parts.trials), parts.trials);
}

function writeTerms({ outDir, trials, maker, commonTermRows, index, inheritance }: TermParts): TermNumbers {
  const parent = inheritance === null ? null : new ParentPostings(inheritance, TERMS_FILE);
  const fresh = new Int32Array(index.size).fill(-1);
  const held = new Int32Array(parent?.counts.length ?? 0).fill(-1);
  const writer = new PostingWriter(trials);
  for (const posting of mergePostings(parent?.postings() ?? [].values(), index.sorted(), trials)) {
    writer.add(posting);
    if (posting.fresh >= 0) fresh[posting.fresh] = posting.number;
    if (posting.held >= 0) held[posting.held] = posting.number;
  }
  writer.write(join(outDir, TERMS_FILE), {
    [COMMON_TERM_ROWS_KEY]: String(commonTermRows),
    [MAKER_KEY]: maker,
    [CENSUS_KEY]: 'true',
  });
  const common = Uint8Array.from(writer.counts, (count) => (count >= commonTermRows ? 1 : 0));
  return { fresh, held, common, grown: grownTerms(common, held, parent?.counts ?? null, commonTermRows) };
}

function grownTerms(
  common: Uint8Array,
  held: Int32Array,
  before: Uint32Array | null,
  commonTermRows: number,
): Uint8Array | null {
  if (before === null) return null;
  const grown = common.slice();
  for (let place = 0; place < before.length; place++) {
    const number = held[place] as number;
    if (number >= 0 && (before[place] as number) >= commonTermRows) grown[number] = 0;
  }
  return grown.includes(1) ? grown : null;
}

/** Writes every trial's sequence and returns the pairs that the parent's image does not hold. */
function writeSequences(parts: TermParts, { fresh, held, common, grown }: TermNumbers): PairIndex {
  const { outDir, trials, sequences, inheritance } = parts;
  const pairs = new PairIndex(common);
  const heldAt = inheritance === null ? null : parentSequences(inheritance);
  using writer = new SequenceWriter(outDir, trials);
  let shown = 0;
  let row = 0;
  const writeShownBefore = (end: number): void => {
    for (; row < end; row++) {
      const { values, start, end: ends } = writer.add(sequences.at(shown++), fresh);
      pairs.addRow(row, values, start, ends);
    }
  };
  for (const { from, to, length } of inheritance?.runs ?? []) {
    writeShownBefore(to);
    for (; row < to + length; row++) {
      const { values, start, end } = writer.add(heldAt!(from + row - to), held);
      if (grown !== null) pairs.addRow(row, values, start, end, grown);
    }
  }
  writeShownBefore(trials);
  writer.close();
  return pairs;
}
