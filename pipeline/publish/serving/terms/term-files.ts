import { join } from 'node:path';
import { COMMON_TERM_ROWS_KEY, PAIRS_FILE, TERMS_FILE } from '../../../../snapshot/format/serving.ts';
import { PostingWriter, writePostings } from '../../../../snapshot/image/postings.ts';
import { PairIndex } from '../pair-index.ts';
import { type SequenceStore, SequenceWriter } from '../sequence-writer.ts';
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
