import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import koffi from 'koffi';

/** A file's bytes for as long as it is not released. */
export interface MappedFile {
  readonly byteLength: number;
  /**
   * A view of all bytes, empty once the file is released. The engine counts the whole view as memory of this process and
   * collects garbage for it, so what is large and read a little at a time is copied instead.
   */
  readonly bytes: Uint8Array;
  /** `mmap`: pages of the file itself; `read`: a copy in memory, where mmap is not to be had. */
  through: 'mmap' | 'read';
  /** A view of a part, for as long as the file is not released; to be kept, since each is an object of its own. */
  part(from: number, length: number): Uint8Array;
  /** Fills `target` with the bytes from `from` on. Throws when the file has not so many, or is released. */
  copy(from: number, target: Uint8Array): void;
  release(): void;
  /**
   * Takes the pages read so far out of this process; they stay in the system's cache and come back when read. For who
   * reads the whole file once, and would else be charged with all of it.
   */
  letGo(): void;
}

/** An open mapping; nothing is called once it is unmapped. */
export interface Mapping {
  /** Neither of these checks the range. */
  view(from: number, length: number): ArrayBuffer;
  copy(from: number, target: Uint8Array): void;
  unmap(): void;
  letGo(): void;
}

export interface FileMapper {
  /** Maps the open file read-only, or returns null where this platform cannot. */
  map(descriptor: number, byteLength: number): Mapping | null;
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
  /** To be emptied with the release. */
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
    // Detaching first makes a late reader see length 0 instead of touching pages that are gone.
    for (const view of this.#views) view.transfer(0);
    this.#mapping.unmap();
  }

  letGo(): void {
    // Released pages are no longer this file's to let go of.
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
      view: (from, length) => koffi.view(address + BigInt(from), length),
      copy: (from, target) => calls.memcpy(target, address + BigInt(from), target.length),
      unmap: () => unmapInParts(calls, address, byteLength),
      // Advice: where the system does not take it, the pages stay.
      letGo: () => void calls.madvise(address, byteLength, MADV_DONTNEED),
    };
  },
};

/** Unmapping pages that were read takes time, some 20 ms a gigabyte: so much is unmapped between two other events. */
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
