import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import koffi from 'koffi';

/** A file's bytes, until it is released. */
export interface MappedFile {
  readonly byteLength: number;
  /**
   * A view of all bytes, empty once the file is released. The engine counts the whole view as memory of this process
   * and collects garbage because of it; so a large file that is read a little at a time is copied from instead.
   */
  readonly bytes: Uint8Array;
  /** `mmap`: pages of the file itself; `read`: a copy in memory, on a platform without mmap. */
  through: 'mmap' | 'read';
  /** A view of a part, until the file is released. Keep it: each call makes a new object. */
  part(from: number, length: number): Uint8Array;
  /** Copies the bytes from `from` on into `target`. Throws when the file has too few, or is released. */
  copy(from: number, target: Uint8Array): void;
  release(): void;
  /**
   * Takes the pages read so far out of this process; they stay in the system's cache and come back when read. For a
   * caller that reads the whole file once: otherwise all of it counts as memory of the process.
   */
  letGo(): void;
}

/** An open mapping; nothing is called once it is unmapped. */
export interface Mapping {
  /** `view` and `copy` do not check the range. */
  view(from: number, length: number): ArrayBuffer;
  copy(from: number, target: Uint8Array): void;
  unmap(): void;
  letGo(): void;
}

export interface FileMapper {
  /** Maps the open file read-only; returns null on a platform that cannot. */
  map(descriptor: number, byteLength: number): Mapping | null;
}

/** In some runtimes, a view of 4 GiB or more aborts the process. */
const MAX_VIEW_BYTES = 2 ** 32 - 1;
const READ_AT_ONCE_BYTES = 2 ** 30;

/**
 * Maps the whole file read-only. Throws, naming the file, when it is empty or too large for one view. A snapshot's
 * files are never changed in place: truncating a mapped file would kill the process.
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
    return new OpenFile(path, byteLength, mapped ?? inMemory(readWhole(descriptor, byteLength, path)), mapped !== null);
  } finally {
    closeSync(descriptor);
  }
}

class OpenFile implements MappedFile {
  readonly byteLength: number;
  readonly through: MappedFile['through'];
  readonly #path: string;
  readonly #mapping: Mapping;
  #bytes: Uint8Array | null = null;
  /** Emptied by `release`. */
  readonly #views: ArrayBuffer[] = [];
  #released = false;

  constructor(path: string, byteLength: number, mapping: Mapping, mapped: boolean) {
    this.#path = path;
    this.byteLength = byteLength;
    this.#mapping = mapping;
    this.through = mapped ? 'mmap' : 'read';
  }

  get bytes(): Uint8Array {
    this.#bytes ??= this.#released ? new Uint8Array(0) : this.part(0, this.byteLength);
    return this.#bytes;
  }

  part(from: number, length: number): Uint8Array {
    this.#refuseBeyond(from, length);
    const view = this.#mapping.view(from, length);
    this.#views.push(view);
    return new Uint8Array(view);
  }

  copy(from: number, target: Uint8Array): void {
    this.#refuseBeyond(from, target.length);
    this.#mapping.copy(from, target);
  }

  #refuseBeyond(from: number, length: number): void {
    if (this.#released) throw new Error(`${this.#path} was released`);
    if (!(from >= 0 && length >= 0 && from + length <= this.byteLength)) {
      throw new RangeError(
        `${this.#path} has ${this.byteLength} bytes, not ${length} at ${from}; publish the snapshot again`,
      );
    }
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    // Views are detached first, so that a late reader sees length 0 and touches no page that is gone.
    for (const view of this.#views) view.transfer(0);
    this.#mapping.unmap();
  }

  letGo(): void {
    // After the release, the pages may belong to another mapping.
    if (!this.#released) this.#mapping.letGo();
  }
}

function inMemory(buffer: ArrayBuffer): Mapping {
  const bytes = new Uint8Array(buffer);
  return {
    view: (from, length) => (length === buffer.byteLength ? buffer : buffer.slice(from, from + length)),
    copy: (from, target) => target.set(bytes.subarray(from, from + target.length)),
    unmap: () => {},
    letGo: () => {},
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
  memcpy(to: Uint8Array, from: bigint, length: number): void;
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
      memcpy: library.func('void memcpy(void *to, const void *from, size_t length)'),
      madvise: library.func('int madvise(void *address, size_t length, int advice)'),
    };
  } catch {
    // Another C library (musl) has another name: the file is read instead, and `through` says so.
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
      view: (from, length) => koffi.view(address + BigInt(from), length),
      copy: (from, target) => calls.memcpy(target, address + BigInt(from), target.length),
      unmap: () => unmapInParts(calls, address, byteLength),
      // This is advice: if the system ignores it, the pages stay.
      letGo: () => void calls.madvise(address, byteLength, MADV_DONTNEED),
    };
  },
};

/**
 * Unmapping pages that were read takes about 20 ms a gigabyte; at most this much is unmapped between two other events.
 */
const UNMAPPED_AT_ONCE_BYTES = 2 ** 25;

const toUnmap: { calls: Libc; address: bigint; length: number }[] = [];

function unmapInParts(calls: Libc, address: bigint, length: number): void {
  toUnmap.push({ calls, address, length });
  if (toUnmap.length === 1) setImmediate(unmapPart);
}

function unmapPart(): void {
  const rest = toUnmap[0];
  if (rest === undefined) return;
  const length = Math.min(rest.length, UNMAPPED_AT_ONCE_BYTES);
  if (rest.calls.munmap(rest.address, length) !== 0) throw new Error(`munmap of ${length} bytes failed`);
  rest.address += BigInt(length);
  rest.length -= length;
  if (rest.length === 0) toUnmap.shift();
  if (toUnmap.length > 0) setImmediate(unmapPart);
}
