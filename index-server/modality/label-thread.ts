import { Moved, WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import { openSnapshotImage } from '../snapshot/snapshot-image.ts';
import { ModalityInference } from './infer.ts';
import { LabellingGivenUp, labelRows, type RowLabels } from './modality-rows.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

/** Input of the worker. */
export interface LabelJob {
  /** Folder of the snapshot, which the worker maps for itself. */
  directory: string;
  vocabulary: ModalityVocabulary;
  /** Whether a request waits for the labels. If none does, the worker runs at a lower priority than requests. */
  isAwaited: boolean;
  /** One number; other than 0 once the labels are no longer wanted. */
  givenUp: Int32Array<SharedArrayBuffer>;
}

/** At this priority, the thread of requests gets three times as much of a busy processor. */
const BESIDE_REQUESTS = 5;

/**
 * Infers the labels of all trials of a snapshot in a worker, which is gone when this settles. Rejects with LabellingGivenUp, or with
 * the worker's error. The worker is never ended while it works, which would leave its mapping behind: it looks at `givenUp`.
 */
export async function labelsByWorker(job: LabelJob): Promise<RowLabels> {
  if (isGivenUp(job)) throw new LabellingGivenUp();
  const priority = job.isAwaited ? 0 : BESIDE_REQUESTS;
  await using worker = new WorkerPool<LabelJob, RowLabels>(new URL(import.meta.url), 'labelsOf', { priority });
  const [labels] = await Promise.allSettled([worker.run(job)]);
  if (isGivenUp(job)) throw new LabellingGivenUp();
  if (labels.status === 'rejected') throw labels.reason;
  return labels.value;
}

/** Runs in the worker. */
export function labelsOf(job: LabelJob): Moved<RowLabels> {
  const image = openSnapshotImage(job.directory);
  try {
    const labels = labelRows(image, new ModalityInference(job.vocabulary), () => isGivenUp(job));
    return new Moved(labels, [labels.masks.buffer, ...labels.rows.map(({ buffer }) => buffer)]);
  } finally {
    image.release();
  }
}

export function isGivenUp({ givenUp }: Pick<LabelJob, 'givenUp'>): boolean {
  return Atomics.load(givenUp, 0) !== 0;
}
