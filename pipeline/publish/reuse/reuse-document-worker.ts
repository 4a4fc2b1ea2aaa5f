import { parentPort, workerData } from 'node:worker_threads';
import { NotReusable } from '../serving/reused.ts';
import {
  type DocumentAnswer,
  type DocumentStep,
  type DocumentWorkerData,
  documentsInWorker,
} from './parent-documents.ts';

/** Worker of parent-documents.ts: takes the steps in their order and answers each. */
await using documents = documentsInWorker(workerData as DocumentWorkerData);

async function take(step: DocumentStep): Promise<DocumentAnswer> {
  if (step === 'close') return documents.close();
  if ('run' in step) await documents.copy(step.run);
  else for (const texts of step.texts) await documents.add(texts);
  return null;
}

async function answer(step: DocumentStep): Promise<DocumentAnswer> {
  try {
    return await take(step);
  } catch (error) {
    if (error instanceof NotReusable) return error.message;
    throw error;
  }
}

const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
let last = Promise.resolve();
parentPort?.on('message', (step: DocumentStep) => {
  last = last.then(async () => {
    parentPort?.postMessage(await answer(step));
    if (step === 'close') resolve();
  });
  last.catch(reject);
});
await closed;
