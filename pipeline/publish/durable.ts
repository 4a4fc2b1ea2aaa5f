import { createHash } from 'node:crypto';
import { copyFile, link, open, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import type { Effects } from '../effects.ts';

export type FileSum = SnapshotFileSum;

/** Errors that prevent a hard link but not a copy: another device, not supported, too many links. */
const LINK_REFUSED = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Flushes a file or a directory (its entries) to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Largest piece of a file that is read at once. */
const PIECE_BYTES = 1 << 20;

/**
 * SHA-256 and length of a file. Not read as a stream, which takes two new buffers of a whole piece for however small a
 * file: over the files of one publish that made the engine collect garbage for a fifth of the time.
 */
export async function sumFile(dir: string, path: string): Promise<FileSum> {
  const hash = createHash('sha256');
  const file = await open(join(dir, path), 'r');
  try {
    const { size } = await file.stat();
    const piece = Buffer.allocUnsafe(Math.min(Math.max(size, 1), PIECE_BYTES));
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return { path, bytes, sha256: hash.digest('hex') };
      hash.update(piece.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Makes a file durable that was just written into a snapshot, and sums it while the disk works. */
export async function settleFile(dir: string, path: string, effects: Effects): Promise<FileSum> {
  effects.checkpoint(`written:${path}`);
  const [sum] = await bothDone(sumFile(dir, path), sync(join(dir, path)));
  effects.checkpoint(`synced:${path}`);
  return sum;
}

/** Waits for both even when one fails, so that neither writes into a directory that is being removed. */
export async function bothDone<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return [await a, await b];
}

/**
 * Replaces `path` atomically, also across a reboot. `temporary` is a path on the same disk; `name` is that of its checkpoints.
 * Throws with the old content in place, unless the message says that the new one is.
 */
export async function replaceFile(
  path: string,
  temporary: string,
  text: string,
  effects: Effects,
  name = 'current',
): Promise<void> {
  await writeFile(temporary, text);
  effects.checkpoint(`${name}:written`);
  await sync(temporary);
  effects.checkpoint(`${name}:synced`);
  await rename(temporary, path);
  effects.checkpoint(`${name}:renamed`);
  try {
    await sync(dirname(path));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${path} was replaced and its new content holds, but it could not be made durable (${why}): after a power cut the old content may be back; check the disk, then publish again`,
      { cause },
    );
  }
  effects.checkpoint(`${name}:durable`);
}

/** Makes `target` a hard link to `source`, or a copy where links are refused. Neither may be changed later. */
export async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    if (!LINK_REFUSED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(source, target);
  }
}

export interface DirectoryContent {
  /** Everything that is not a directory: sorted paths inside the directory, with forward slashes. */
  files: string[];
  /** Directories below it, deepest first. */
  directories: string[];
}

/** Everything below a directory. */
export async function walk(dir: string): Promise<DirectoryContent> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const pathOf = ({ parentPath, name }: (typeof entries)[number]): string =>
    relative(dir, join(parentPath, name)).replaceAll('\\', '/');
  const depth = (path: string): number => path.split('/').length;
  return {
    files: entries
      .filter((entry) => !entry.isDirectory())
      .map(pathOf)
      .sort(),
    directories: entries
      .filter((entry) => entry.isDirectory())
      .map(pathOf)
      .sort((a, b) => depth(b) - depth(a)),
  };
}
