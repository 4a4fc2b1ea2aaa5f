import { parentPort, workerData } from 'node:worker_threads';
import { type FileSum, sumFile } from '../durable.ts';

/** Worker of sums.ts: answers once, with the sums of its files. A file that cannot be read ends the worker. */
const { dir, paths } = workerData as { dir: string; paths: string[] };
const sums: FileSum[] = [];
for (const path of paths) sums.push(await sumFile(dir, path));
parentPort?.postMessage(sums);
