import { join } from 'node:path';
import { WorkerThread } from '../../../../server-kit/threads/worker-thread.ts';
import { sqlLiteral } from '../../../../snapshot/sql/connection.ts';
import type { Connection } from '../../../store/database.ts';
import { NotReusable, type Reused, type ReusedTerms } from '../reused.ts';
import { makeTerms, type TermMaking, type TermWorkerAnswer, type TermWorkerData } from './make-terms.ts';

const PROGRAM = new URL('term-worker.ts', import.meta.url);

/** The making of the term files, beside other work. Disposing stops it, whether it is done or not. */
export interface TermsUnderWay extends AsyncDisposable {
  /** Throws the error that made it fail, if it has failed. */
  refuseFailed(): void;
  /** Waits for the files. */
  done(): Promise<void>;
}

/** Makes the term files in line when `done` is called: a small image is not worth a worker. */
export function termsAfterwards(connection: Connection, making: TermMaking, reused: ReusedTerms | null): TermsUnderWay {
  return {
    refuseFailed: () => undefined,
    done: () => makeTerms(connection, making, reused),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/**
 * Makes the term files in a worker with a database of its own. The worker reads the snapshot's tables itself: nothing
 * large goes from one thread to the other.
 */
export async function termsByWorker(
  connection: Connection,
  given: Omit<TermWorkerData, 'shown'>,
  reused: Reused['termWorker'] | null,
): Promise<TermsUnderWay> {
  const write = async (table: string): Promise<string> => {
    const path = join(given.making.scratch, `${table}.parquet`);
    await connection.run(`COPY (FROM ${table}) TO ${sqlLiteral(path)} (FORMAT parquet)`);
    return path;
  };
  const members = await write('shown_members');
  const registrations = reused === null ? null : await write('shown_registrations');
  const data: TermWorkerData = { ...given, shown: { members, registrations } };
  const worker = new WorkerThread<TermWorkerAnswer>(reused?.program ?? PROGRAM, { ...data, reused: reused?.data });
  let failure: { error: unknown } | null = null;
  const written = worker.answer().then((notReusable) => {
    if (notReusable !== null) throw new NotReusable(notReusable);
  });
  written.catch((error: unknown) => {
    failure = { error };
  });
  return {
    refuseFailed: () => {
      if (failure !== null) throw failure.error;
    },
    done: () => written,
    [Symbol.asyncDispose]: () => worker.stop(),
  };
}
