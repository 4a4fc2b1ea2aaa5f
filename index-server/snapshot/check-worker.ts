import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { damageByHash } from './file-sums.ts';
import type { CheckJob } from './snapshot-check.ts';

/** Worker of snapshot-check.ts: its one answer is the damage that it found, or null. */

/**
 * At this priority, the threads of requests get nine tenths of a busy processor: 4 GB, which cost 4 s of it, are still
 * hashed within a minute.
 */
const BESIDE_REQUESTS = 10;
/** 4 GB, both registries, take 20 s on a quiet machine, and a fifth of a processor. */
const BESIDE_BYTES_PER_SECOND = 200e6;

const { directory, files, isAwaited } = workerData as CheckJob;
// Only Linux has a priority for a single thread.
if (!isAwaited && process.platform === 'linux') setPriority(BESIDE_REQUESTS);
const asleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const start = performance.now();
const reading = damageByHash(directory, files);
let bytes = 0;
let step = reading.next();
while (!step.done) {
  bytes += step.value;
  const ahead = start + (bytes / BESIDE_BYTES_PER_SECOND) * 1000 - performance.now();
  if (!isAwaited && ahead > 1) Atomics.wait(asleep, 0, 0, ahead);
  step = reading.next();
}
parentPort?.postMessage(step.value);
