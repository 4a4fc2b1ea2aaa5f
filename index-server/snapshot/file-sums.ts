import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a snapshot as its manifest states it. */
export interface StatedFile {
  /** Inside the snapshot directory, with forward slashes. */
  path: string;
  bytes: number;
  sha256: string;
}

/** A file that is not as published, in words for the log. */
export interface Damage {
  path: string;
  found: string;
  expected: string;
  /** A mapping of it, made before, still has its bytes. */
  isGone: boolean;
}

/** Hashed in a millisecond. */
const PIECE_BYTES = 2 ** 20;
const GONE = ['ENOENT', 'ENOTDIR'];
/** Faults of the file itself. Any other, such as too many open files, says nothing of it and is thrown. */
const FAULTS_OF_FILE = [...GONE, 'EACCES', 'EIO', 'EISDIR'];

/**
 * Hashes the files piece by piece, yields the bytes of each piece, and returns the first file that is not as stated;
 * null if all are. Reads as other programs do and not through a mapping: a file that becomes shorter is damage, not the
 * end of the process.
 */
export function* damageByHash(directory: string, files: readonly StatedFile[]): Generator<number, Damage | null> {
  const piece = new Uint8Array(PIECE_BYTES);
  for (const { path, sha256 } of files) {
    const hash = createHash('sha256');
    let descriptor: number | null = null;
    try {
      descriptor = openSync(join(directory, path), 'r');
      for (let count = readSync(descriptor, piece); count > 0; count = readSync(descriptor, piece)) {
        hash.update(piece.subarray(0, count));
        yield count;
      }
    } catch (error) {
      return unreadable(path, error, `SHA-256 ${sha256}`);
    } finally {
      if (descriptor !== null) closeSync(descriptor);
    }
    const found = hash.digest('hex');
    if (found !== sha256) return { path, found: `SHA-256 ${found}`, expected: `SHA-256 ${sha256}`, isGone: false };
  }
  return null;
}

/** Input of the worker of a check. */
export interface CheckJob {
  directory: string;
  files: readonly StatedFile[];
  /** Whether something waits for the result. If not, the check runs slowly. */
  isAwaited: boolean;
}

/** 4 GB, both registries, take 20 s on a quiet machine, and a fifth of a processor. */
const BYTES_PER_SECOND = 200e6;

/** Runs in a worker: the damage of the files, or null. */
export function damageInWorker({ directory, files, isAwaited }: CheckJob): Damage | null {
  const asleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const start = performance.now();
  const reading = damageByHash(directory, files);
  let bytes = 0;
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value;
    bytes += step.value;
    const ahead = start + (bytes / BYTES_PER_SECOND) * 1000 - performance.now();
    if (!isAwaited && ahead > 1) Atomics.wait(asleep, 0, 0, ahead);
  }
}

/** The first file that is missing or has another length than stated; null if there is none. */
export async function damageBySize(directory: string, files: readonly StatedFile[]): Promise<Damage | null> {
  for (const { path, bytes } of files) {
    const expected = `${bytes} bytes`;
    let size: number;
    try {
      size = (await stat(join(directory, path))).size;
    } catch (error) {
      return unreadable(path, error, expected);
    }
    if (size !== bytes) return { path, found: `${size} bytes`, expected, isGone: false };
  }
  return null;
}

/**
 * What the file system says about the files: changes when one of them is written, cut, replaced or removed by other
 * means than damage of the disk.
 */
export async function stampOf(directory: string, paths: readonly string[]): Promise<string> {
  const found = await Promise.all(paths.map((path) => stat(join(directory, path)).then(standingOf, () => 'none')));
  return found.join(' ');
}

function standingOf({ ino, size, ctimeMs }: Stats): string {
  return `${ino}:${size}:${ctimeMs}`;
}

function unreadable(path: string, error: unknown, expected: string): Damage {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!FAULTS_OF_FILE.includes(code)) throw error;
  const isGone = GONE.includes(code);
  return { path, found: isGone ? 'no file' : `a file that cannot be read (${code})`, expected, isGone };
}
