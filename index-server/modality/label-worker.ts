import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openSnapshotImage } from '../snapshot/snapshot-image.ts';
import { ModalityInference } from './infer.ts';
import { isGivenUp, type LabelJob } from './label-thread.ts';
import { LabellingGivenUp, labelRows } from './modality-rows.ts';

/** Worker of label-thread.ts: its one answer is the labels of all trials of a snapshot. */
function carryOut(job: LabelJob): void {
  const image = openSnapshotImage(job.directory);
  try {
    const labels = labelRows(image, new ModalityInference(job.vocabulary), () => isGivenUp(job));
    parentPort?.postMessage(labels, [labels.masks.buffer, ...labels.rows.map(({ buffer }) => buffer)]);
  } catch (error) {
    if (!(error instanceof LabellingGivenUp)) throw error;
  } finally {
    image.release();
  }
}

/** At this priority, the thread of requests gets three times as much of a busy processor. */
const BESIDE_REQUESTS = 5;

const job = workerData as LabelJob;
// Only Linux has a priority for a single thread.
if (!job.isAwaited && process.platform === 'linux') setPriority(BESIDE_REQUESTS);
carryOut(job);
