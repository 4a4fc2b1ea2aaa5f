import { parentPort } from 'node:worker_threads';
import { carryOut, type ModelRun } from './carry-out.ts';

/** Worker of pool.ts: one run in, one result out; an error ends it. */
parentPort?.on('message', (run: ModelRun) => parentPort?.postMessage(carryOut(run)));
