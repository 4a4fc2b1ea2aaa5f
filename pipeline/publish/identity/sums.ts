import { WorkerPool } from '../../../server-kit/threads/worker-pool.ts';
import { type FileSum, sumFile } from '../durable.ts';

/** From this many bytes on, two workers are faster than one thread. */
const BESIDE_BYTES = 2 ** 28;
const WORKERS = 2;

interface SizedFile {
  path: string;
  bytes: number;
}

/** Sums of files, in the order of `files`. From BESIDE_BYTES on two workers read. */
export async function sumFiles(dir: string, files: readonly SizedFile[]): Promise<FileSum[]> {
  const beside = totalBytes(files) >= BESIDE_BYTES;
  await using workers = new WorkerPool<Share, FileSum[]>(new URL(import.meta.url), 'sumShare', { count: WORKERS });
  const shares = (beside ? shared(files) : [files]).map((share) => ({ dir, paths: share.map(({ path }) => path) }));
  const sums = await Promise.all(shares.map((share) => (beside ? workers.run(share) : sumShare(share))));
  const byPath = new Map(sums.flat().map((sum) => [sum.path, sum]));
  return files.map(({ path }) => byPath.get(path) as FileSum);
}

interface Share {
  dir: string;
  paths: readonly string[];
}

/** Runs in a worker for many bytes. */
export async function sumShare({ dir, paths }: Share): Promise<FileSum[]> {
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
