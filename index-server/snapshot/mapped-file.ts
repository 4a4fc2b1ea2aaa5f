import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import koffi from 'koffi';

/** Access to the bytes of an open file; no function checks its range, and none is called after `release`. */
interface Source {
  view(from: number, length: number): ArrayBuffer;
  copy(from: number, target: Uint8Array): void;
  release(): void;
}

/** In some runtimes, a view of 4 GiB or more aborts the process. */
const MAX_VIEW_BYTES = 2 ** 32 - 1;

/**
 * Maps the whole file read-only, or reads it into memory on a platform without mmap. Throws, naming the file, when it is empty or too
 * large for one view. A snapshot's files are never changed in place: truncating a mapped file would kill the process.
 */
export function mapFile(path: string, map: typeof mapped = mapped): MappedFile {
  const descriptor = openSync(path, 'r');
  try {
    const byteLength = fstatSync(descriptor).size;
    if (byteLength === 0) throw new Error(`${path} is empty; publish the snapshot again`);
    if (byteLength > MAX_VIEW_BYTES) {
      throw new Error(`${path} has ${byteLength} bytes and can only be mapped up to ${MAX_VIEW_BYTES}; split it`);
    }
    return new MappedFile(path, byteLength, map(descriptor, byteLength) ?? inMemory(readFileSync(descriptor)));
  } finally {
    closeSync(descriptor);
  }
}

/** A file's bytes, until it is released. */
export class MappedFile {
  readonly byteLength: number;
  readonly #path: string;
  readonly #source: Source;
  /** Emptied by `release`. */
  readonly #views: ArrayBuffer[] = [];
  #bytes: Uint8Array | null = null;
  #released = false;

  constructor(path: string, byteLength: number, source: Source) {
    this.#path = path;
    this.byteLength = byteLength;
    this.#source = source;
  }

  /**
   * A view of all bytes, empty once the file is released. The engine counts the whole view as memory of this process and collects
   * garbage because of it; so a large file that is read a little at a time is copied from instead.
   */
  get bytes(): Uint8Array {
    this.#bytes ??= this.#released ? new Uint8Array(0) : this.part(0, this.byteLength);
    return this.#bytes;
  }

  /** A view of a part, until the file is released. Keep it: each call makes a new object. */
  part(from: number, length: number): Uint8Array {
    this.#refuseBeyond(from, length);
    const view = this.#source.view(from, length);
    this.#views.push(view);
    return new Uint8Array(view);
  }

  /** Copies the bytes from `from` on into `target`. Throws when the file has too few, or is released. */
  copy(from: number, target: Uint8Array): void {
    this.#refuseBeyond(from, target.length);
    this.#source.copy(from, target);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    // Views are detached first, so that a late reader sees length 0 and touches no page that is gone.
    for (const view of this.#views) view.transfer(0);
    this.#source.release();
  }

  #refuseBeyond(from: number, length: number): void {
    if (this.#released) throw new Error(`${this.#path} was released`);
    if (from >= 0 && length >= 0 && from + length <= this.byteLength) return;
    const has = `${this.#path} has ${this.byteLength} bytes`;
    throw new RangeError(`${has}, not ${length} at ${from}; publish the snapshot again`);
  }
}

function inMemory(bytes: Buffer<ArrayBuffer>): Source {
  return {
    view: (from, length) => new Uint8Array(bytes.subarray(from, from + length)).buffer,
    copy: (from, target) => target.set(bytes.subarray(from, from + target.length)),
    release: () => {},
  };
}

const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = 2n ** 64n - 1n;

interface Libc {
  mmap(address: null, length: number, protection: number, flags: number, descriptor: number, offset: number): bigint;
  munmap(address: bigint, length: number): number;
  memcpy(to: Uint8Array, from: bigint, length: number): void;
}

let libc: Libc | null | undefined;

/** The C library; null on a platform whose library has another name, as with musl. */
function loadLibc(): Libc | null {
  const name = { linux: 'libc.so.6', darwin: 'libSystem.B.dylib' }[process.platform as string];
  if (name === undefined) return null;
  try {
    const library = koffi.load(name);
    return {
      mmap: library.func(
        'void *mmap(void *address, size_t length, int protection, int flags, int descriptor, int64_t offset)',
      ),
      munmap: library.func('int munmap(void *address, size_t length)'),
      memcpy: library.func('void memcpy(void *to, const void *from, size_t length)'),
    };
  } catch {
    return null;
  }
}

/** The open file mapped; null on a platform that cannot. */
function mapped(descriptor: number, byteLength: number): Source | null {
  libc = libc === undefined ? loadLibc() : libc;
  if (libc === null) return null;
  const { mmap, munmap, memcpy } = libc;
  const address = mmap(null, byteLength, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address === MAP_FAILED) return null;
  return {
    view: (from, length) => koffi.view(address + BigInt(from), length),
    copy: (from, target) => memcpy(target, address + BigInt(from), target.length),
    release: () => void munmap(address, byteLength),
  };
}
