import { join } from 'node:path';
import { WorkerPool } from '../../../../server-kit/threads/worker-pool.ts';
import { sqlLiteral } from '../../../../snapshot/sql/connection.ts';
import { readTerminology } from '../../../../snapshot/terminology/terminology.ts';
import { type Connection, Database } from '../../../store/database.ts';
import { viewTables } from '../image-tables.ts';
import { streamTexts } from '../term-parts.ts';
import { SequenceStore, writeTermFiles } from './term-files.ts';
import type { Topic } from './topics.ts';
import { TrialTerms } from './trial-terms.ts';

export interface TermMaking {
  outDir: string;
  /** Folder for what is spilled and sorted. */
  scratch: string;
  /** All trials of the image. */
  trials: number;
  topics: Topic[];
  /** The file made by snapshot/terminology/. */
  terminology: Uint8Array;
  commonTermRows: number;
}

/** Input of the worker. */
interface TermWork {
  making: TermMaking;
  snapshotDir: string;
  /** Parquet file of `members`. */
  members: string;
}

/**
 * Memory of the worker's database, besides the 1000 MB of the caller's; its texts are about a third of the caller's.
 */
const WORKER_MEMORY = '500MB';

/**
 * Writes terms.arrow, sequences.arrow and pairs.arrow. Needs `trials`, `members` and `registrations`.
 * Gathers postings and sequences (about 1 GB at 600,000 trials).
 */
export async function makeTerms(connection: Connection, making: TermMaking): Promise<void> {
  const terms = new TrialTerms(making.topics, readTerminology(making.terminology));
  const sequences = new SequenceStore();
  for await (const trial of streamTexts(connection, making.scratch)) sequences.add(terms.add(trial));
  writeTermFiles({ ...making, index: terms.index, sequences });
}

/** Runs in a worker: makes the terms with a database of its own. */
export async function makeTermsInWorker({ making, snapshotDir, members }: TermWork): Promise<null> {
  await using database = await Database.open(':memory:', {
    memoryLimit: WORKER_MEMORY,
    spillTo: join(making.scratch, 'terms'),
  });
  await viewTables(database, snapshotDir, ['trials', 'registrations']);
  await database.run(`CREATE VIEW members AS FROM read_parquet(${sqlLiteral(members)})`);
  await makeTerms(database, making);
  return null;
}

/** The making of the term files, parallel to other work. Disposing stops it, whether it is done or not. */
export interface TermsUnderWay extends AsyncDisposable {
  /** Throws the error that made it fail, if it has failed. */
  refuseFailed(): void;
  /** Waits for the files. */
  done(): Promise<void>;
}

/** Makes the term files in line when `done` is called: a small image is not worth a worker. */
export function termsAfterwards(connection: Connection, making: TermMaking): TermsUnderWay {
  return {
    refuseFailed: () => undefined,
    done: () => makeTerms(connection, making),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Makes the term files in a worker, which reads the snapshot's tables itself: nothing large goes between the threads. */
export async function termsByWorker(connection: Connection, given: Omit<TermWork, 'members'>): Promise<TermsUnderWay> {
  const members = join(given.making.scratch, 'members.parquet');
  await connection.run(`COPY (FROM members) TO ${sqlLiteral(members)} (FORMAT parquet)`);
  const worker = new WorkerPool<TermWork, null>(new URL(import.meta.url), 'makeTermsInWorker');
  let failure: { error: unknown } | null = null;
  const written = worker.run({ ...given, members });
  written.catch((error: unknown) => {
    failure = { error };
  });
  return {
    refuseFailed: () => {
      if (failure !== null) throw failure.error;
    },
    done: async () => void (await written),
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
