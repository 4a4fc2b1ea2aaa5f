import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from './batch-reader.ts';
import { mayHold } from './known-payloads.ts';
import { type PayloadBatch, readBatch } from './read-batch.ts';

/** Worker of batch-reader.ts: reads batches in the order received. An error ends the worker and reaches the pool. */
const { from, known } = workerData as ThreadData;
parentPort?.on('message', (batch: PayloadBatch) => {
  const read = readBatch(from, batch, (sha256) => mayHold(known, sha256));
  parentPort?.postMessage(read, [read.bytes.buffer, read.lines.buffer]);
});
