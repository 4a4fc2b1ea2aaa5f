import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentJob } from './document-thread.ts';
import { DocumentWriter } from './document-writer.ts';
import { presentTrial } from './present-trial.ts';
import { trialPartsOf } from './trial-parts.ts';

/** Program of the thread that writes documents; an error ends it and reaches the pool. */
const documents = new DocumentWriter((workerData as { outDir: string }).outDir);
parentPort?.on('message', async (trials: DocumentJob) => {
  if (trials === null) await documents.close();
  else for (const texts of trials) documents.add(presentTrial(trialPartsOf(texts)));
  parentPort?.postMessage(true);
});
