import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openSnapshotImage } from '../snapshot/snapshot-image.ts';
import { ModalityInference } from './infer.ts';
import { isGivenUp, type LabelJob } from './label-thread.ts';
import { LabellingGivenUp, labelRows } from './modality-rows.ts';

/** Program of the thread that infers the labels of all trials of a snapshot: its one message is the labels. */
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

/** Where processors are short, a request's thread gets three times as much of them. */
const BESIDE_REQUESTS = 5;

const job = workerData as LabelJob;
// Elsewhere than on Linux this is no matter of a single thread.
if (!job.isAwaited && process.platform === 'linux') setPriority(BESIDE_REQUESTS);
carryOut(job);
