import type { Transferable } from 'node:worker_threads';
import { WorkerThread } from '../../../server-kit/threads/worker-thread.ts';

/** Workers that share the work. The first one that fails or ends stops all of them; disposing stops them too. */
export class WorkerPool<Input, Output> implements AsyncDisposable {
  readonly #workers: WorkerThread<Output, Input>[];
  #failure: { error: unknown } | null = null;

  constructor(program: URL, count: number, data: unknown) {
    this.#workers = Array.from({ length: count }, () => new WorkerThread<Output, Input>(program, data));
  }

  /** Gives the input to the least busy worker. Rejects with the error of the first worker that failed. */
  async run(input: Input, transfer: Transferable[]): Promise<Output> {
    if (this.#failure !== null) throw this.#failure.error;
    const worker = this.#workers.reduce((least, other) => (other.awaited < least.awaited ? other : least));
    try {
      return await worker.ask(input, transfer);
    } catch (error) {
      void this.#stop(error);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop(new Error('the workers were stopped'));
  }

  async #stop(error: unknown): Promise<void> {
    this.#failure ??= { error };
    await Promise.all(this.#workers.map((worker) => worker.stop(error)));
  }
}

/**
 * Yields the outputs of `work` in the order of their inputs, with at most `limit` under way. An error of the inputs is
 * thrown after the outputs of the inputs before it.
 */
export async function* mapInOrder<Input, Output>(
  inputs: AsyncIterable<Input>,
  work: (input: Input) => Promise<Output>,
  limit: number,
): AsyncGenerator<Output> {
  const underWay: Promise<Output>[] = [];
  const begin = (input: Input): void => {
    const output = work(input);
    // The error is thrown where the output is awaited; until then Node must not report it as unhandled.
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
