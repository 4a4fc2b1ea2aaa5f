import { ThreadPool } from '../../thread-pool.ts';
import type { TrialTexts } from './trial-parts.ts';

/** Trials handed over at once: some milliseconds of work. */
const BATCH_TRIALS = 256;
/** Batches that may wait for the thread, so that neither side stands still for the other. */
const BATCHES_AHEAD = 4;
const PROGRAM = new URL('./document-child.ts', import.meta.url);

/** What the thread is asked: to write trials, or (null) to finish the files. */
export type DocumentJob = TrialTexts[] | null;

/** Writes the documents as `DocumentWriter` does, on a thread of its own: the same trials give the same bytes. */
export class DocumentThread implements AsyncDisposable {
  readonly #pool: ThreadPool<DocumentJob, true>;
  readonly #underWay: Promise<true>[] = [];
  #batch: TrialTexts[] = [];
  #rows = 0;

  constructor(outDir: string) {
    this.#pool = new ThreadPool(PROGRAM, 1, { outDir });
  }

  /** How many trials were added. */
  get rows(): number {
    return this.#rows;
  }

  /** Resolves when the next one may come. Rejects with what writing failed of. */
  async add(texts: TrialTexts): Promise<void> {
    this.#batch.push(texts);
    this.#rows += 1;
    if (this.#batch.length >= BATCH_TRIALS) await this.#send();
  }

  /** Resolves when the bytes of every file are on disk. */
  async close(): Promise<void> {
    await this.#send();
    await Promise.all(this.#underWay);
    await this.#pool.run(null, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  async #send(): Promise<void> {
    const done = this.#pool.run(this.#batch, []);
    // Whoever awaits it meets the failure; until then it must not count as unhandled.
    done.catch(() => undefined);
    this.#underWay.push(done);
    this.#batch = [];
    if (this.#underWay.length > BATCHES_AHEAD) await this.#underWay.shift();
  }
}
