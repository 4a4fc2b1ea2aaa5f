import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sqlLiteral } from '../../../snapshot-sql/connection.ts';
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

const PROGRAM = new URL('term-child.ts', import.meta.url);

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
  readonly #worker: Worker;
  readonly #answer: Promise<void>;
  #failure: { error: unknown } | null = null;

  constructor(data: TermThreadData) {
    // A thread needs nothing of the environment, which holds secrets.
    const worker = new Worker(PROGRAM, { env: {}, workerData: data });
    this.#worker = worker;
    this.#answer = new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        this.#failure ??= { error };
        reject(error);
      };
      worker.once('message', (unusable: TermThreadAnswer) => {
        worker.removeAllListeners('exit');
        if (unusable === null) resolve();
        else fail(new ParentUnusable(unusable));
      });
      worker.once('error', fail);
      worker.once('exit', () => fail(new Error('the thread that makes the terms ended without an answer')));
    });
    // Whoever waits for it meets the failure; until then it must not count as unhandled.
    this.#answer.catch(() => undefined);
  }

  refuseFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  async done(): Promise<void> {
    await this.#answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
