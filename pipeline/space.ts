import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Bytes on disk for each registration, of the 629,000 of docs/performance.md: the payload
 * parts (717 MB) and the working database (713 MB); a snapshot beside the payloads, which it shares.
 */
export const WORK_BYTES_EACH: number = (717e6 + 713e6) / 629_000;
export const SNAPSHOT_BYTES_EACH: number = (3.97e9 - 717e6) / 629_000;

/** A disk is full, or has less free than a stage will need. */
export class NoSpace extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoSpace';
  }
}

/** Free bytes for this user on the file system of a directory. */
export type FreeBytes = (directory: string) => Promise<number>;

/** Of the directory, or of the one that it would be made in. */
export async function freeBytes(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(directory) === directory) throw error;
    return freeBytes(dirname(directory));
  }
}

/** Bytes of the files below a directory; 0 where there is none. */
export async function bytesUnder(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Throws NoSpace where the directory's disk has less than `needed` bytes free. `stage` is what will write them. */
export async function assertSpace(
  stage: string,
  { directory, needed }: { directory: string; needed: number },
  free: FreeBytes = freeBytes,
): Promise<void> {
  const left = await free(directory);
  if (left >= needed) return;
  throw new NoSpace(
    `${stage} needs about ${megabytes(needed)} in ${directory}, which has ${megabytes(left)} free; free space or choose another directory, and run again: what was stored before is kept`,
  );
}

/**
 * The error with the directories and what they have free, where it or one of its causes says that a disk is full; else as
 * it is. Neither Node nor DuckDB names the directory.
 */
export async function withSpace(
  error: unknown,
  directories: readonly string[],
  free: FreeBytes = freeBytes,
): Promise<unknown> {
  if (error instanceof NoSpace || !isFull(error)) return error;
  const lines: string[] = [];
  for (const directory of directories) lines.push(`${directory} has ${await freeText(directory, free)} free`);
  return new NoSpace(`a disk is full: ${lines.join(', ')}; free space and run again: what was stored before is kept`, {
    cause: error,
  });
}

/**
 * `withSpace` for work whose unfinished bytes are removed after a fault: what was free then says nothing of the need. Call it
 * before they are removed.
 */
export async function withSpaceTaken(
  error: unknown,
  { stage, directory, written }: { stage: string; directory: string; written: () => Promise<number> },
  free: FreeBytes = freeBytes,
): Promise<unknown> {
  if (error instanceof NoSpace || !isFull(error)) return error;
  const [left, bytes] = [await freeText(directory, free), megabytes(await written().catch(() => 0))];
  return new NoSpace(
    `${stage} filled the disk of ${directory}: ${left} were left after ${bytes}, which are removed again; it needs more than ${bytes} there; free space or choose another directory, and run again: what was stored before is kept`,
    { cause: error },
  );
}

async function freeText(directory: string, free: FreeBytes): Promise<string> {
  return megabytes(await free(directory).catch(() => 0));
}

function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isMarked = ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
  return isMarked || /No space left on device/.test(error.message) || isFull(error.cause);
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${Math.ceil(bytes / 1e6)} MB`;
}
