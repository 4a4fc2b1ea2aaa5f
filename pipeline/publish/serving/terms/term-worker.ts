import { parentPort, workerData } from 'node:worker_threads';
import { makeTermsInWorker, type TermWorkerData } from './make-terms.ts';

/** Worker of term-thread.ts: answers once, when the files are written. */
await makeTermsInWorker(workerData as TermWorkerData);
parentPort?.postMessage(null);
