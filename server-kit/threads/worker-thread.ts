import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

/**
 * A worker: a program on a thread of its own. Its messages are its answers, taken in the order in which they come. An
 * error in it, or its end, rejects every answer that is still awaited and every later one.
 */
export class WorkerThread<Output, Input = never> implements AsyncDisposable {
  /** Settles when the thread is gone; never rejects. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  /** Answers that came before anybody asked for them. */
  readonly #early: Output[] = [];
  readonly #awaited: PromiseWithResolvers<Output>[] = [];
  #failure: { error: unknown } | null = null;

  /** The program finds `data` as its `workerData`. */
  constructor(program: URL, data?: unknown, resourceLimits: ResourceLimits = {}) {
    // The environment holds secrets, and no worker needs them.
    this.#worker = new Worker(program, { env: compileCache(), workerData: data, resourceLimits });
    this.#worker.on('message', (output: Output) => {
      const awaited = this.#awaited.shift();
      if (awaited) awaited.resolve(output);
      else this.#early.push(output);
    });
    this.#worker.on('messageerror', (error) => this.#fail(error));
    this.#worker.on('error', (error) => this.#fail(error));
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#fail(new Error(`the worker ${nameOf(program)} ended by itself with code ${code}`));
        resolve();
      });
    });
  }

  /** How many answers are awaited. */
  get awaited(): number {
    return this.#awaited.length;
  }

  /** Whether it ended or failed: every answer is rejected from now on. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Sends a message that has no answer. */
  tell(input: Input): void {
    if (this.#failure === null) this.#worker.postMessage(input);
  }

  /** Sends a message and waits for its answer. */
  ask(input: Input, transfer: readonly Transferable[] = []): Promise<Output> {
    if (this.#failure === null) this.#worker.postMessage(input, transfer);
    return this.answer();
  }

  /** Waits for the next answer. */
  answer(): Promise<Output> {
    if (this.#early.length > 0) return Promise.resolve(this.#early.shift() as Output);
    if (this.#failure !== null) return Promise.reject(this.#failure.error);
    const awaited = Promise.withResolvers<Output>();
    this.#awaited.push(awaited);
    return awaited.promise;
  }

  /** Ends the thread wherever it is; answers still awaited are rejected with `reason`. */
  async stop(reason: unknown = new Error('the worker was stopped')): Promise<void> {
    this.#fail(reason);
    await this.#worker.terminate();
  }

  /** Whether this thread keeps the process alive. */
  holdProcess(holds: boolean): void {
    if (holds) this.#worker.ref();
    else this.#worker.unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { reject } of this.#awaited.splice(0)) reject(this.#failure.error);
  }
}

/** The folder of compiled modules, if this process has one: with it a worker starts in half of the time. */
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir();
  // Node is told the folder above, in which it has one for each of its versions.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function nameOf(program: URL): string {
  return program.protocol === 'file:' ? program.pathname.slice(program.pathname.lastIndexOf('/') + 1) : 'of a URL';
}
