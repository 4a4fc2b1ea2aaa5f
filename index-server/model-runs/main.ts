import { parentPort } from 'node:worker_threads';
import { carryOut, type ModelRun } from './carry-out.ts';

/** Program of a thread for model runs: one run in, one result out; a fault ends the thread. */
parentPort?.on('message', (run: ModelRun) => parentPort?.postMessage(carryOut(run)));
