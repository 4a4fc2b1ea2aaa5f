import { join } from 'node:path';
import { sqlLiteral } from '../../../snapshot-sql/connection.ts';
import { WorkerThread } from '../../../threads/worker-thread.ts';
import type { Connection } from '../../store/database.ts';
import type { Inheritance } from './inheritance.ts';
import { makeTerms, type TermMaking } from './make-terms.ts';
import { type ParentSnapshot, ParentUnusable } from './parent-image.ts';

/** What the thread is told at its start. */
export interface TermThreadData {
  making: TermMaking;
  snapshotDir: string;
  /** Folder for what the thread spills. */
  scratch: string;
  /** Parquet files that hold `shown_members` and `shown_registrations`; null where those are all of the snapshot's. */
  shown: { members: string; registrations: string | null };
  inherited: ({ parent: ParentSnapshot } & Pick<Inheritance, 'runs' | 'rowMap'>) | null;
}

/** What the thread answers at its end: why the parent's image could not be used, or null when all was written. */
export type TermThreadAnswer = string | null;

const PROGRAM = new URL('term-worker.ts', import.meta.url);

/** The making of the term files, under way beside other work. Disposing ends it, whether it is done or not. */
export interface TermsUnderWay extends AsyncDisposable {
  /** Throws what has made it fail so far. */
  refuseFailed(): void;
  /** Waits for the files. */
  done(): Promise<void>;
}

/** Makes the term files only when they are waited for: no thread is worth its start for a small image. */
export function termsAfterwards(
  connection: Connection,
  making: TermMaking,
  inheritance: Inheritance | null,
): TermsUnderWay {
  return {
    refuseFailed: () => undefined,
    done: () => makeTerms(connection, making, inheritance),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/**
 * Makes the term files on a thread with a database of its own, which reads the snapshot's tables itself: nothing large goes
 * from one thread to the other.
 */
export async function termsBeside(
  connection: Connection,
  given: Omit<TermThreadData, 'shown'>,
): Promise<TermsUnderWay> {
  const write = async (table: string): Promise<string> => {
    const path = join(given.scratch, `${table}.parquet`);
    await connection.run(`COPY (FROM ${table}) TO ${sqlLiteral(path)} (FORMAT parquet)`);
    return path;
  };
  const members = await write('shown_members');
  const registrations = given.inherited === null ? null : await write('shown_registrations');
  return new TermThread({ ...given, shown: { members, registrations } });
}

class TermThread implements TermsUnderWay {
  readonly #worker: WorkerThread<TermThreadAnswer>;
  readonly #written: Promise<void>;
  #failure: { error: unknown } | null = null;

  constructor(data: TermThreadData) {
    this.#worker = new WorkerThread(PROGRAM, data);
    this.#written = this.#worker.answer().then((unusable) => {
      if (unusable !== null) throw new ParentUnusable(unusable);
    });
    this.#written.catch((error: unknown) => {
      this.#failure = { error };
    });
  }

  refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  async done(): Promise<void> {
    await this.#written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.stop();
  }
}
