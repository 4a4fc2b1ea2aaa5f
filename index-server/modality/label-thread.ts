import { Worker } from 'node:worker_threads';
import { LabellingGivenUp, type RowLabels } from './modality-rows.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

/** What a thread is started with. */
export interface LabelJob {
  /** Of the snapshot, which the thread maps for itself. */
  directory: string;
  vocabulary: ModalityVocabulary;
  /** Whether somebody waits for the labels; else requests go first. */
  isAwaited: boolean;
  /** One number, not 0 once the labels are no longer wanted. */
  givenUp: Int32Array<SharedArrayBuffer>;
}

export const LABEL_THREAD = new URL('./main.ts', import.meta.url);

/**
 * Infers the labels of all trials of a snapshot on a thread of its own, which is gone when this settles. Rejects with
 * LabellingGivenUp, or with what the thread failed of. A thread that is given up ends by itself: ended from outside, it
 * would leave its mapping behind.
 */
export async function labelsByThread(job: LabelJob, program: URL = LABEL_THREAD): Promise<RowLabels> {
  if (isGivenUp(job)) throw new LabellingGivenUp();
  // The thread needs nothing of the environment, which holds secrets.
  const worker = new Worker(program, { env: {}, workerData: job });
  return new Promise((resolve, reject) => {
    let labels: RowLabels | null = null;
    let fault: unknown = null;
    worker.on('message', (message: RowLabels) => {
      labels = message;
    });
    worker.on('error', (error) => {
      fault = error;
    });
    worker.on('exit', (code) => {
      if (isGivenUp(job)) reject(new LabellingGivenUp());
      else if (labels !== null) resolve(labels);
      else reject(fault ?? new Error(`the thread that infers modalities ended with ${code}`));
    });
  });
}

export function isGivenUp({ givenUp }: Pick<LabelJob, 'givenUp'>): boolean {
  return Atomics.load(givenUp, 0) !== 0;
}
