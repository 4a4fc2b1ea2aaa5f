import { parentPort, workerData } from 'node:worker_threads';
import { NotReusable } from '../serving/reused.ts';
import type { ParentFileAnswer, ParentFilesData } from './parent-files.ts';
import { ParentImage } from './parent-image.ts';

/** Worker of parent-files.ts: reads the files in turn, no further ahead than there are rooms. */
const { parent, paths, rooms, using } = workerData as ParentFilesData;
const image = new ParentImage(parent);
const inUse = new Int32Array(using);

function waitForRoom(number: number): void {
  for (let at = Atomics.load(inUse, 0); at + rooms.length <= number; at = Atomics.load(inUse, 0)) {
    Atomics.wait(inUse, 0, at);
  }
}

function read(path: string, number: number): ParentFileAnswer {
  try {
    image.read(path, rooms[number % rooms.length]);
    return null;
  } catch (error) {
    if (error instanceof NotReusable) return error.message;
    throw error;
  }
}

for (const [number, path] of paths.entries()) {
  waitForRoom(number);
  parentPort?.postMessage(read(path, number));
}
