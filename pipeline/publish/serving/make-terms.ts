import type { Connection } from '../../store/database.ts';
import type { TermInheritance } from './inheritance.ts';
import { SequenceStore } from './sequence-writer.ts';
import { writeTermFiles } from './term-files.ts';
import { streamTexts } from './term-parts.ts';
import { type Topic, TopicMatcher } from './topics.ts';
import { TrialTerms } from './trial-terms.ts';

export interface TermMaking {
  outDir: string;
  /** All trials of the image. */
  trials: number;
  topics: Topic[];
  maker: string;
  commonTermRows: number;
}

/**
 * Writes terms.arrow, sequences.arrow and pairs.arrow of the tables that the connection sees: `trials`, and
 * `shown_members` and `shown_registrations` of the trials that are not taken over. Gathers postings and sequences (about 1 GB at 600,000 trials).
 */
export async function makeTerms(
  connection: Connection,
  making: TermMaking,
  inheritance: TermInheritance | null,
): Promise<void> {
  const terms = new TrialTerms(new TopicMatcher(making.topics));
  const sequences = new SequenceStore();
  for await (const trial of streamTexts(connection)) sequences.add(terms.add(trial));
  writeTermFiles({ ...making, index: terms.index, sequences, inheritance });
}
