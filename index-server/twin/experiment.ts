import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { TWIN_OPERATIONS } from '../../contract/operations/research/twin-experiment.ts';
import { type Fail, type Handlers, JsonText, type Reply, type RequestContext } from '../../server-kit/mount.ts';
import { WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import type { ModelRun, ModelRunResult } from './model-run.ts';
import { TWIN_BENCHMARK_GUIDE, TWIN_EXPERIMENT_GUIDE, TWIN_HONESTY } from './texts.ts';
import type { TwinServices } from './twin.ts';

const meta = { honesty: TWIN_HONESTY };

export const experimentHandlers: Handlers<typeof TWIN_OPERATIONS, TwinServices> = {
  'twin-experiment': () => ({ data: TWIN_EXPERIMENT_GUIDE, meta }),
  'twin-experiment-run': ({ body }, context, services, fail) =>
    answered({ kind: 'experiment', input: body }, context, services, fail),
  'twin-benchmark': () => ({ data: TWIN_BENCHMARK_GUIDE, meta }),
  'twin-benchmark-run': ({ body }, context, services, fail) =>
    answered({ kind: 'benchmark', input: body }, context, services, fail),
};

async function answered(
  run: ModelRun,
  context: RequestContext,
  { twin }: TwinServices,
  fail: Fail<'run_rejected' | 'RUN_UNAVAILABLE'>,
): Promise<Reply<never>> {
  const result = (await twin.runs.run(run, context.signal())) ?? fail('RUN_UNAVAILABLE');
  if ('json' in result) return { data: new JsonText(Buffer.from(result.json)), meta };
  const message = result.refused;
  return fail('run_rejected', { message: `The run was stopped: ${message}`, issues: [{ path: 'body', message }] });
}

export interface ModelRunPoolOptions {
  log: Logger;
  /** Module whose `carryOut` takes a ModelRun and gives its ModelRunResult. */
  module?: URL;
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

/** Runs models in workers, so that a run of a second delays no other answer. */
export class ModelRunPool implements AsyncDisposable {
  readonly #log: Logger;
  readonly #limitMs: number;
  readonly #workers: WorkerPool<ModelRun, ModelRunResult>;
  #closed = false;

  constructor({ log, module, limitMs = LIMIT_MS, maxWaiting = MAX_WAITING }: ModelRunPoolOptions) {
    this.#log = log;
    this.#limitMs = limitMs;
    this.#workers = new WorkerPool(module ?? new URL('./model-run.ts', import.meta.url), 'carryOut', {
      maxWaiting,
      idleMs: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      count: Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1)),
    });
  }

  /**
   * Null where the run found no free worker, took too long, was cancelled by `signal`, or its worker failed. Never rejects: a
   * failure is logged.
   */
  async run(run: ModelRun, signal: AbortSignal): Promise<ModelRunResult | null> {
    const late = AbortSignal.timeout(this.#limitMs);
    try {
      return await this.#workers.run(run, { signal: AbortSignal.any([signal, late]) });
    } catch (err) {
      if (!signal.aborted && !this.#closed) this.#log.warn({ err }, 'a model run was not carried out');
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#workers[Symbol.asyncDispose]();
  }
}
