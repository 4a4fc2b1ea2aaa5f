import { type Transferable, Worker } from 'node:worker_threads';

interface Job<Output> {
  resolve(output: Output): void;
  reject(error: unknown): void;
}

interface Thread<Output> {
  worker: Worker;
  /** Given to it and not answered yet, in their order. */
  jobs: Job<Output>[];
}

/**
 * Threads that each answer their messages one by one, in order. The first that fails or ends fails everything that is
 * under way and everything asked for later; disposing ends them all.
 */
export class ThreadPool<Input, Output> implements AsyncDisposable {
  readonly #threads: Thread<Output>[];
  #failure: { error: unknown } | null = null;

  constructor(program: URL, count: number, workerData: unknown) {
    this.#threads = Array.from({ length: count }, () => this.#start(program, workerData));
  }

  /** Hands the input to the thread with the least to do. Rejects with what a thread threw. */
  run(input: Input, transfer: Transferable[]): Promise<Output> {
    if (this.#failure !== null) return Promise.reject(this.#failure.error);
    const thread = this.#threads.reduce((least, other) => (other.jobs.length < least.jobs.length ? other : least));
    return new Promise((resolve, reject) => {
      thread.jobs.push({ resolve, reject });
      thread.worker.postMessage(input, transfer);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#fail(new Error('the threads were ended'));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(program: URL, workerData: unknown): Thread<Output> {
    // A thread needs nothing of the environment, which holds secrets.
    const worker = new Worker(program, { env: {}, workerData });
    const thread: Thread<Output> = { worker, jobs: [] };
    worker.on('message', (output: Output) => thread.jobs.shift()?.resolve(output));
    worker.on('messageerror', (error) => this.#fail(error));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', (code) => this.#fail(new Error(`a thread ended by itself with code ${code}`)));
    return thread;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { jobs } of this.#threads) for (const job of jobs.splice(0)) job.reject(this.#failure.error);
  }
}

/**
 * The outputs of `work` in the order of their inputs, with at most `limit` under way. A fault of the inputs comes after the
 * outputs of those before it.
 */
export async function* mapInOrder<Input, Output>(
  inputs: AsyncIterable<Input>,
  work: (input: Input) => Promise<Output>,
  limit: number,
): AsyncGenerator<Output> {
  const underWay: Promise<Output>[] = [];
  const begin = (input: Input): void => {
    const output = work(input);
    // Whoever awaits it meets the failure; until then it must not count as unhandled.
    output.catch(() => undefined);
    underWay.push(output);
  };
  const reader = inputs[Symbol.asyncIterator]();
  let fault: { error: unknown } | null = null;
  try {
    while (fault === null) {
      const next = await reader.next().catch((error: unknown) => {
        fault = { error };
        return null;
      });
      if (next === null || next.done === true) break;
      begin(next.value);
      if (underWay.length >= limit) yield await (underWay.shift() as Promise<Output>);
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<Output>);
  } finally {
    await reader.return?.();
  }
  if (fault !== null) throw (fault as { error: unknown }).error;
}
