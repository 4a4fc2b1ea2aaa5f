import { WorkerThread } from '../../server-kit/threads/worker-thread.ts';
import { LabellingGivenUp, type RowLabels } from './modality-rows.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

/** What the worker is started with. */
export interface LabelJob {
  /** Folder of the snapshot, which the worker maps for itself. */
  directory: string;
  vocabulary: ModalityVocabulary;
  /** Whether a request waits for the labels. If none does, the worker runs at a lower priority than requests. */
  isAwaited: boolean;
  /** One number; other than 0 once the labels are no longer wanted. */
  givenUp: Int32Array<SharedArrayBuffer>;
}

const PROGRAM = new URL('./label-worker.ts', import.meta.url);

/**
 * Infers the labels of all trials of a snapshot in a worker, which is gone when this settles. Rejects with
 * LabellingGivenUp, or with the worker's error. The worker ends by itself when the labels are given up: stopped from
 * outside, it would leave its mapping behind.
 */
export async function labelsByWorker(job: LabelJob, program: URL = PROGRAM): Promise<RowLabels> {
  if (isGivenUp(job)) throw new LabellingGivenUp();
  const worker = new WorkerThread<RowLabels>(program, job);
  const [labels] = await Promise.allSettled([worker.answer(), worker.ended]);
  if (isGivenUp(job)) throw new LabellingGivenUp();
  if (labels.status === 'rejected') throw labels.reason;
  return labels.value;
}

export function isGivenUp({ givenUp }: Pick<LabelJob, 'givenUp'>): boolean {
  return Atomics.load(givenUp, 0) !== 0;
}
