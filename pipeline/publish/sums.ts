import { Worker } from 'node:worker_threads';
import { type FileSum, sumFile } from './durable.ts';

/** From here on a second core is worth the start of a thread. */
const BESIDE_BYTES = 2 ** 28;
const THREADS = 2;
const PROGRAM = new URL('sum-child.ts', import.meta.url);

interface SizedFile {
  path: string;
  bytes: number;
}

/**
 * Sums of files in the order of `files`; those of many bytes are read by two threads, those `known` not at all. Throws when
 * one cannot be read, or is not as long as it is known to be.
 */
export async function sumFiles(
  dir: string,
  files: readonly SizedFile[],
  known: readonly FileSum[] = [],
): Promise<FileSum[]> {
  const byPath = new Map(known.map((sum) => [sum.path, sum]));
  for (const { path, bytes } of files) {
    const wanted = byPath.get(path)?.bytes ?? bytes;
    if (bytes !== wanted) throw new Error(`${path} has ${bytes} bytes, ${wanted} were written`);
  }
  const unknown = files.filter(({ path }) => !byPath.has(path));
  const beside = totalBytes(unknown) >= BESIDE_BYTES;
  const shares = beside ? shared(unknown) : [unknown];
  const sums = (await Promise.all(shares.map((share) => sumShare(dir, share, beside)))).flat();
  for (const sum of sums) byPath.set(sum.path, sum);
  return files.map(({ path }) => byPath.get(path) as FileSum);
}

async function sumShare(dir: string, files: readonly SizedFile[], beside: boolean): Promise<FileSum[]> {
  const paths = files.map(({ path }) => path);
  if (beside) return inThread(dir, paths);
  const sums: FileSum[] = [];
  for (const path of paths) sums.push(await sumFile(dir, path));
  return sums;
}

/** Shares of about as many bytes: the largest file first, each to the share that has least. */
function shared(files: readonly SizedFile[]): SizedFile[][] {
  const shares = Array.from({ length: THREADS }, (): SizedFile[] => []);
  for (const file of [...files].sort((a, b) => b.bytes - a.bytes)) {
    shares.reduce((least, share) => (totalBytes(share) < totalBytes(least) ? share : least)).push(file);
  }
  return shares;
}

function inThread(dir: string, paths: string[]): Promise<FileSum[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { env: {}, workerData: { dir, paths } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`the thread that sums ${paths.join(', ')} ended without an answer`)));
  });
}

function totalBytes(files: readonly SizedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
