import { parentPort } from 'node:worker_threads';
import { carryOut, type ModelRun } from './model-run.ts';

/** Worker of run-pool.ts: one run in, one result out; an error ends it. */
parentPort?.on('message', (run: ModelRun) => parentPort?.postMessage(carryOut(run)));
