import { join } from 'node:path';
import { WorkerThread } from '../../../../server-kit/threads/worker-thread.ts';
import { sqlLiteral } from '../../../../snapshot/sql/connection.ts';
import type { Connection } from '../../../store/database.ts';
import { makeTerms, type TermMaking, type TermWorkerData } from './make-terms.ts';

const PROGRAM = new URL('term-worker.ts', import.meta.url);

/** The making of the term files, beside other work. Disposing stops it, whether it is done or not. */
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

/**
 * Makes the term files in a worker with a database of its own. The worker reads the snapshot's tables itself: nothing
 * large goes from one thread to the other.
 */
export async function termsByWorker(
  connection: Connection,
  given: Omit<TermWorkerData, 'members'>,
): Promise<TermsUnderWay> {
  const members = join(given.making.scratch, 'shown_members.parquet');
  await connection.run(`COPY (FROM shown_members) TO ${sqlLiteral(members)} (FORMAT parquet)`);
  const data: TermWorkerData = { ...given, members };
  const worker = new WorkerThread<null>(PROGRAM, data);
  let failure: { error: unknown } | null = null;
  const written = worker.answer();
  written.catch((error: unknown) => {
    failure = { error };
  });
  return {
    refuseFailed: () => {
      if (failure !== null) throw failure.error;
    },
    done: async () => void (await written),
    [Symbol.asyncDispose]: () => worker.stop(),
  };
}
