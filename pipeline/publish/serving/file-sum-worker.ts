import { parentPort } from 'node:worker_threads';
import { type SumStep, sumsInLine } from './file-sums.ts';

/** Worker of file-sums.ts. */
const sums = sumsInLine();
parentPort?.on('message', async ({ pieces, ends }: SumStep) => {
  for (const piece of pieces) sums.add(piece);
  parentPort?.postMessage(ends ? await sums.end() : null);
});
