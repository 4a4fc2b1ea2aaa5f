import { WorkerThread } from '../../../server-kit/threads/worker-thread.ts';
import { type FileSum, sumFile } from '../durable.ts';

/** From this many bytes on, two workers are faster than one thread. */
const BESIDE_BYTES = 2 ** 28;
const WORKERS = 2;
const PROGRAM = new URL('sum-worker.ts', import.meta.url);

interface SizedFile {
  path: string;
  bytes: number;
}

/** Sums of files, in the order of `files`. From BESIDE_BYTES on two workers read. */
export async function sumFiles(dir: string, files: readonly SizedFile[]): Promise<FileSum[]> {
  const beside = totalBytes(files) >= BESIDE_BYTES;
  const shares = beside ? shared(files) : [files];
  const sums = (await Promise.all(shares.map((share) => sumShare(dir, share, beside)))).flat();
  const byPath = new Map(sums.map((sum) => [sum.path, sum]));
  return files.map(({ path }) => byPath.get(path) as FileSum);
}

async function sumShare(dir: string, files: readonly SizedFile[], beside: boolean): Promise<FileSum[]> {
  const paths = files.map(({ path }) => path);
  if (beside) {
    await using worker = new WorkerThread<FileSum[]>(PROGRAM, { dir, paths });
    return await worker.answer();
  }
  const sums: FileSum[] = [];
  for (const path of paths) sums.push(await sumFile(dir, path));
  return sums;
}

/** Splits files into shares of about equal bytes: the largest file first, each to the smallest share. */
function shared(files: readonly SizedFile[]): SizedFile[][] {
  const shares = Array.from({ length: WORKERS }, (): SizedFile[] => []);
  for (const file of [...files].sort((a, b) => b.bytes - a.bytes)) {
    shares.reduce((least, share) => (totalBytes(share) < totalBytes(least) ? share : least)).push(file);
  }
  return shares;
}

function totalBytes(files: readonly SizedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
