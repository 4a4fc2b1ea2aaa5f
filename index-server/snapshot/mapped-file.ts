import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import koffi from 'koffi';

/** A file's bytes for as long as it is not released; after that every view over `bytes` has length 0. */
export interface MappedFile {
  bytes: Uint8Array;
  /** `mmap`: pages of the file itself; `read`: a copy in memory, where mmap is not to be had. */
  through: 'mmap' | 'read';
  release(): void;
  /**
   * Takes the pages read so far out of this process; they stay in the system's cache and come back when read. For who
   * reads the whole file once, and would else be charged with all of it.
   */
  letGo(): void;
}

export interface FileMapper {
  /** Maps the open file read-only, or returns null where this platform cannot. */
  map(descriptor: number, byteLength: number): { buffer: ArrayBuffer; unmap: () => void; letGo?: () => void } | null;
}

/** A view of 4 GiB or more aborts the process in some of the runtimes that are served. */
const MAX_VIEW_BYTES = 2 ** 32 - 1;
const READ_AT_ONCE_BYTES = 2 ** 30;

/**
 * The whole file read-only. Throws, naming the file, when it is empty or too large for one view; a snapshot's files are
 * never changed in place, because truncating a mapped file would kill the process.
 */
export function mapFile(path: string, mapper: FileMapper = libcMapper): MappedFile {
  const descriptor = openSync(path, 'r');
  try {
    const byteLength = fstatSync(descriptor).size;
    if (byteLength === 0) throw new Error(`${path} is empty; publish the snapshot again`);
    if (byteLength > MAX_VIEW_BYTES) {
      throw new Error(`${path} has ${byteLength} bytes and can only be mapped up to ${MAX_VIEW_BYTES}; split it`);
    }
    const mapped = mapper.map(descriptor, byteLength);
    const buffer = mapped?.buffer ?? readWhole(descriptor, byteLength, path);
    const release = once(buffer, mapped?.unmap);
    // Released pages are no longer this file's to let go of.
    const letGo = (): void => (buffer.detached ? undefined : mapped?.letGo?.());
    return { bytes: new Uint8Array(buffer), through: mapped ? 'mmap' : 'read', release, letGo };
  } finally {
    closeSync(descriptor);
  }
}

/** Detaching first makes a late reader see length 0 instead of touching pages that are gone. */
function once(buffer: ArrayBuffer, unmap: (() => void) | undefined): () => void {
  let released = false;
  return () => {
    if (released) return;
    released = true;
    buffer.transfer(0);
    unmap?.();
  };
}

function readWhole(descriptor: number, byteLength: number, path: string): ArrayBuffer {
  const buffer = new ArrayBuffer(byteLength);
  const bytes = new Uint8Array(buffer);
  let at = 0;
  while (at < byteLength) {
    const count = readSync(descriptor, bytes, at, Math.min(READ_AT_ONCE_BYTES, byteLength - at), at);
    if (count === 0) throw new Error(`${path} ended at byte ${at} of ${byteLength} while it was read`);
    at += count;
  }
  return buffer;
}

const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = 2n ** 64n - 1n;
const MADV_DONTNEED = 4;

interface Libc {
  mmap(address: null, length: number, protection: number, flags: number, descriptor: number, offset: number): bigint;
  munmap(address: bigint, length: number): number;
  madvise(address: bigint, length: number, advice: number): number;
}

let loaded: Libc | null | undefined;

/** The C library's mmap; null on a platform without one. */
function libc(): Libc | null {
  if (loaded !== undefined) return loaded;
  const name = { linux: 'libc.so.6', darwin: 'libSystem.B.dylib' }[process.platform as string];
  loaded = name === undefined ? null : loadLibc(name);
  return loaded;
}

function loadLibc(name: string): Libc | null {
  try {
    const library = koffi.load(name);
    return {
      mmap: library.func(
        'void *mmap(void *address, size_t length, int protection, int flags, int descriptor, int64_t offset)',
      ),
      munmap: library.func('int munmap(void *address, size_t length)'),
      madvise: library.func('int madvise(void *address, size_t length, int advice)'),
    };
  } catch {
    // Another C library (musl) goes by another name: the plain read serves it, and `through` says so.
    return null;
  }
}

export const libcMapper: FileMapper = {
  map(descriptor, byteLength) {
    const calls = libc();
    if (calls === null) return null;
    const address = calls.mmap(null, byteLength, PROT_READ, MAP_SHARED, descriptor, 0);
    if (address === MAP_FAILED) return null;
    return {
      buffer: koffi.view(address, byteLength),
      unmap: () => {
        if (calls.munmap(address, byteLength) !== 0) throw new Error(`munmap of ${byteLength} bytes failed`);
      },
      // Advice: where the system does not take it, the pages stay.
      letGo: () => void calls.madvise(address, byteLength, MADV_DONTNEED),
    };
  },
};
