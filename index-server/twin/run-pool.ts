import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { WorkerThread } from '../../server-kit/threads/worker-thread.ts';
import type { ModelRun, ModelRunResult } from './model-run.ts';

/** The run found no free worker, took too long, was cancelled, or its worker failed. */
export interface RunUnavailable {
  unavailable: true;
}
const UNAVAILABLE: RunUnavailable = { unavailable: true };

export interface ModelRunPoolOptions {
  log: Logger;
  /** Program of a worker: takes a ModelRun as message, answers with its ModelRunResult. */
  program?: URL;
  /** Longest time of a run, including its wait. */
  limitMs?: number;
  maxWaiting?: number;
}

/** Enough for three of the largest experiments on one slow core, after three more that waited before them. */
const LIMIT_MS = 20_000;
/** Two workers finish this many runs within the limit; more would wait in vain. */
const MAX_WAITING = 8;
const MAX_THREADS = 2;
const IDLE_MS = 30_000;
const MEMORY_MB = 256;

interface Job {
  run: ModelRun;
  /** Answers the caller, once; later calls are ignored. */
  settle(result: ModelRunResult | RunUnavailable): void;
}

interface Thread {
  worker: WorkerThread<ModelRunResult, ModelRun>;
  job: Job | null;
  idle: NodeJS.Timeout | null;
  /** Stopped; takes no further run. */
  ending: boolean;
}

/**
 * Runs models in workers, so that a run of a second delays no other answer. Workers start with the first run and end when
 * idle; one that fails is replaced, and only its own run is unavailable.
 */
export class ModelRunPool implements AsyncDisposable {
  readonly #options: Required<ModelRunPoolOptions>;
  readonly #maxThreads = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));
  /** Workers until they exit, so that there are never more than the maximum. */
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(options: ModelRunPoolOptions) {
    const defaults = {
      program: new URL('./model-run-worker.ts', import.meta.url),
      limitMs: LIMIT_MS,
      maxWaiting: MAX_WAITING,
    };
    this.#options = { ...defaults, ...options };
  }

  /** Never rejects: a failure is logged and makes the run unavailable. `signal` cancels the run. */
  run(run: ModelRun, signal: AbortSignal): Promise<ModelRunResult | RunUnavailable> {
    if (this.#closed || signal.aborted) return Promise.resolve(UNAVAILABLE);
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.resolve(this.#failed('too many runs wait'));
    return new Promise((resolve) => {
      const giveUp = (): void => this.#giveUp(job);
      const late = setTimeout(() => {
        this.#failed('it was not done in time');
        giveUp();
      }, this.#options.limitMs);
      const job: Job = {
        run,
        settle: (result) => {
          clearTimeout(late);
          signal.removeEventListener('abort', giveUp);
          resolve(result);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.settle(UNAVAILABLE);
    await Promise.all([...this.#threads].map(({ worker }) => worker.stop()));
  }

  #giveUp(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    // A worker in the middle of its arithmetic reads no message: it can only be ended.
    for (const thread of this.#threads) if (thread.job === job) end(thread);
    job.settle(UNAVAILABLE);
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const thread = [...this.#threads].find(({ job, ending }) => job === null && !ending) ?? this.#start();
      if (thread === null) return;
      const job = this.#waiting.shift()!;
      if (thread.idle) clearTimeout(thread.idle);
      thread.job = job;
      thread.worker.holdProcess(true);
      thread.worker.ask(job.run).then(
        (result) => this.#done(thread, result),
        (error) => {
          if (!thread.ending && !this.#closed) this.#failed('its worker failed', error);
        },
      );
    }
  }

  #start(): Thread | null {
    if (this.#closed || this.#threads.size >= this.#maxThreads) return null;
    const limits = { maxOldGenerationSizeMb: MEMORY_MB };
    const worker = new WorkerThread<ModelRunResult, ModelRun>(this.#options.program, undefined, limits);
    const thread: Thread = { worker, job: null, idle: null, ending: false };
    this.#threads.add(thread);
    void worker.ended.then(() => this.#ended(thread));
    return thread;
  }

  #done(thread: Thread, result: ModelRunResult): void {
    thread.job?.settle(result);
    thread.job = null;
    // An idle worker does not keep the process alive, and ends soon.
    thread.worker.holdProcess(false);
    thread.idle = setTimeout(() => end(thread), IDLE_MS).unref();
    this.#next();
  }

  #ended(thread: Thread): void {
    this.#threads.delete(thread);
    if (thread.idle) clearTimeout(thread.idle);
    thread.job?.settle(UNAVAILABLE);
    this.#next();
  }

  #failed(why: string, error?: unknown): RunUnavailable {
    this.#options.log.warn({ why, ...(error === undefined ? {} : { err: error }) }, 'a model run was not carried out');
    return UNAVAILABLE;
  }
}

function end(thread: Thread): void {
  thread.ending = true;
  void thread.worker.stop();
}
