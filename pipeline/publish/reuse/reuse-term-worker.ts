import { parentPort, workerData } from 'node:worker_threads';
import { makeTermsInWorker, type TermWorkerData } from '../serving/terms/make-terms.ts';
import { ParentImage } from './parent-image.ts';
import { parentTerms } from './parent-parts.ts';
import type { ReusedTermsData } from './reuse-parent.ts';

/**
 * Worker of serving/term-thread.ts for an image that reuses its parent's: answers once, when the files are written.
 */
const data = workerData as TermWorkerData & { reused: ReusedTermsData };
const { parent, runs, rowMap } = data.reused;
parentPort?.postMessage(await makeTermsInWorker(data, parentTerms({ image: new ParentImage(parent), runs, rowMap })));
