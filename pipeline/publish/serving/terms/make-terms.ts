import { join } from 'node:path';
import { sqlLiteral } from '../../../../snapshot/sql/connection.ts';
import { readTerminology } from '../../../../snapshot/terminology/terminology.ts';
import { type Connection, Database } from '../../../store/database.ts';
import { SequenceStore } from '../sequence-writer.ts';
import { streamTexts } from '../term-parts.ts';
import { viewTables } from '../trial-tables.ts';
import { writeTermFiles } from './term-files.ts';
import type { Topic } from './topics.ts';
import { TrialTerms } from './trial-terms.ts';

export interface TermMaking {
  outDir: string;
  /** Folder for what is spilled and sorted. */
  scratch: string;
  /** All trials of the image. */
  trials: number;
  topics: Topic[];
  /** As packed by snapshot/terminology/. */
  terminology: Uint8Array;
  commonTermRows: number;
}

/** What a worker that makes terms is started with. */
export interface TermWorkerData {
  making: TermMaking;
  snapshotDir: string;
  /** Parquet file of shown_members. */
  members: string;
}

/**
 * Memory of the worker's database, besides the 1000 MB of the caller's; its texts are about a third of the caller's.
 */
const WORKER_MEMORY = '500MB';

/**
 * Writes terms.arrow, sequences.arrow and pairs.arrow. Needs `trials`, `shown_members` and `shown_registrations`.
 * Gathers postings and sequences (about 1 GB at 600,000 trials).
 */
export async function makeTerms(connection: Connection, making: TermMaking): Promise<void> {
  const terms = new TrialTerms(making.topics, readTerminology(making.terminology));
  const sequences = new SequenceStore();
  for await (const trial of streamTexts(connection, making.scratch)) sequences.add(terms.add(trial));
  writeTermFiles({ ...making, index: terms.index, sequences });
}

/** In a worker: makes the terms with a database of its own. */
export async function makeTermsInWorker({ making, snapshotDir, members }: TermWorkerData): Promise<void> {
  await using database = await Database.open(':memory:', {
    memoryLimit: WORKER_MEMORY,
    spillTo: join(making.scratch, 'terms'),
  });
  await viewTables(database, snapshotDir, ['trials', 'registrations']);
  await database.run(`CREATE VIEW shown_members AS FROM read_parquet(${sqlLiteral(members)})`);
  await database.run('CREATE VIEW shown_registrations AS FROM registrations');
  await makeTerms(database, making);
}
