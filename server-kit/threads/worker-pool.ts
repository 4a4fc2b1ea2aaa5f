import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

/** Data that a worker starts with. */
export interface WorkerStart {
  module: string;
  name: string;
  priority: number;
}

/** Answer of a worker to one input. A fault arrives as a copy: with name, message and causes, without other properties. */
export type WorkerAnswer = { output: unknown } | { fault: unknown };

/** An output whose buffers are transferred to the caller instead of copied. */
export class Moved<Output> {
  readonly output: Output;
  readonly buffers: Transferable[];

  constructor(output: Output, buffers: Transferable[]) {
    this.output = output;
    this.buffers = buffers;
  }
}

export interface WorkerPoolOptions {
  /** Workers at most; each starts when it is needed. */
  count?: number;
  /** Inputs that a worker may have at a time. More than one keeps it busy while the caller's thread is. */
  inputs?: number;
  /** Inputs at most that wait for a worker. */
  maxWaiting?: number;
  /** An idle worker ends after this time; without it, with the pool or the process. */
  idleMs?: number;
  /** From 1 to 19, as `nice` has it: the thread gives way to those of requests. */
  priority?: number;
  resourceLimits?: ResourceLimits;
}

export interface InputOptions {
  transfer?: readonly Transferable[];
  /** Rejects the call; a worker that has the input is ended, with its other inputs. */
  signal?: AbortSignal;
}

/** The input is refused, since too many wait. */
export class PoolFull extends Error {}

interface Job<Input> {
  input: Input;
  transfer: readonly Transferable[];
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

interface Running<Input> {
  worker: Worker;
  jobs: Job<Input>[];
  idle: NodeJS.Timeout | null;
  /** The reason why it takes no more inputs; null while it does. */
  ending: { error: unknown } | null;
}

/**
 * Workers that call one exported function of a module. A function that throws rejects its own call. A worker that dies rejects the
 * calls that it had, and another one starts with the next call. Idle workers do not keep the process alive.
 */
export class WorkerPool<Input, Output> implements AsyncDisposable {
  readonly #module: URL;
  readonly #name: string;
  readonly #options: WorkerPoolOptions;
  readonly #count: number;
  readonly #inputs: number;
  readonly #running = new Set<Running<Input>>();
  readonly #waiting: Job<Input>[] = [];
  readonly #open = new Set<Promise<unknown>>();
  #closed = false;

  /** `name` is the exported function of `module`. */
  constructor(module: URL, name: string, options: WorkerPoolOptions = {}) {
    this.#module = module;
    this.#name = name;
    this.#options = options;
    this.#count = options.count ?? 1;
    this.#inputs = options.inputs ?? 1;
  }

  /** Starts a worker before the first input. */
  start(): void {
    if (this.#running.size === 0) this.#start();
  }

  /** Calls the function in a worker. Rejects with its error, the death of its worker, the reason of the signal, or PoolFull. */
  run(input: Input, { transfer = [], signal }: InputOptions = {}): Promise<Output> {
    if (this.#closed) return Promise.reject(new Error('the workers were stopped'));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const most = this.#options.maxWaiting ?? Number.POSITIVE_INFINITY;
    if (this.#waiting.length >= most) return Promise.reject(new PoolFull(`${most} inputs wait already`));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job<Input> = { input, transfer, resolve, reject };
    const cancel = (): void => this.#cancel(job, signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    const settled = promise.finally(() => {
      signal?.removeEventListener('abort', cancel);
      this.#open.delete(settled);
    });
    this.#open.add(settled);
    this.#waiting.push(job);
    this.#next();
    return settled as Promise<Output>;
  }

  /** Settles when every call so far has. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  /** Ends the workers wherever they are; rejects the calls that are open. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const error = new Error('the workers were stopped');
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    await Promise.all(Array.from(this.#running, (running) => end(running, error)));
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const running = this.#least();
      if (running === null) return;
      const job = this.#waiting.shift()!;
      if (running.idle !== null) clearTimeout(running.idle);
      running.idle = null;
      running.worker.ref();
      running.jobs.push(job);
      running.worker.postMessage(job.input, job.transfer);
    }
  }

  /** The least busy worker, or a new one; null where none can take an input. */
  #least(): Running<Input> | null {
    const taking = [...this.#running].filter(({ ending, jobs }) => ending === null && jobs.length < this.#inputs);
    const [least] = taking.sort((a, b) => a.jobs.length - b.jobs.length);
    if (least?.jobs.length === 0 || this.#running.size >= this.#count) return least ?? null;
    return this.#start();
  }

  #start(): Running<Input> {
    const { resourceLimits = {}, priority = 0 } = this.#options;
    const workerData: WorkerStart = { module: this.#module.href, name: this.#name, priority };
    // The environment holds secrets, and no worker needs them.
    const worker = new Worker(PROGRAM, { env: compileCache(), workerData, resourceLimits });
    const running: Running<Input> = { worker, jobs: [], idle: null, ending: null };
    this.#running.add(running);
    worker.unref();
    worker.on('message', (answer: WorkerAnswer) => {
      const job = running.jobs.shift();
      if ('fault' in answer) job?.reject(answer.fault);
      else job?.resolve(answer.output);
      if (running.jobs.length === 0) this.#rest(running);
      this.#next();
    });
    worker.on('messageerror', (error) => void end(running, error));
    worker.on('error', (error) => {
      running.ending ??= { error };
    });
    worker.on('exit', (code) => {
      this.#running.delete(running);
      const ended = new Error(`the worker ${nameOf(this.#module)} ended by itself with code ${code}`);
      const { error } = running.ending ?? { error: ended };
      for (const { reject } of running.jobs.splice(0)) reject(error);
      this.#next();
    });
    return running;
  }

  #rest(running: Running<Input>): void {
    running.worker.unref();
    const { idleMs } = this.#options;
    if (idleMs === undefined || running.ending !== null) return;
    running.idle = setTimeout(() => void end(running, new Error('the worker was idle')), idleMs).unref();
  }

  #cancel(job: Job<Input>, reason: unknown): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    // A worker in the middle of its arithmetic reads no message: it can only be ended.
    for (const running of this.#running) if (running.jobs.includes(job)) void end(running, reason);
    job.reject(reason);
  }
}

const PROGRAM = new URL('./worker-program.ts', import.meta.url);

async function end<Input>(running: Running<Input>, error: unknown): Promise<void> {
  running.ending ??= { error };
  if (running.idle !== null) clearTimeout(running.idle);
  await running.worker.terminate();
}

/** The folder of compiled modules, if this process has one: with it a worker starts in half of the time. */
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir();
  // Node makes a folder for each of its versions below the one that it is given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function nameOf(module: URL): string {
  return module.protocol === 'file:' ? module.pathname.slice(module.pathname.lastIndexOf('/') + 1) : 'of a URL';
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
