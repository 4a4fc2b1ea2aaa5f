import { parentPort, workerData } from 'node:worker_threads';
import { makeTermsInWorker, type TermWorkerData } from './make-terms.ts';

/** Worker of term-thread.ts for an image that is made whole: answers once, when the files are written. */
parentPort?.postMessage(await makeTermsInWorker(workerData as TermWorkerData, null));
