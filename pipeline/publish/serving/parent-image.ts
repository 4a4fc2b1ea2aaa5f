import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { readImageTable } from '../../../serving-image/arrow-reader.ts';
import type { FileSum } from '../durable.ts';

/** Keys of the wide rows by which a snapshot differs from its parent, told by the SHA-256 of each row's hashed columns. */
export interface DifferingRows {
  /** Canonical ids. */
  trials: readonly string[];
  /** Ids of registrations. */
  registrations: readonly string[];
}

/** The snapshot that a new one follows, as its manifest describes it. */
export interface ParentSnapshot {
  dir: string;
  imageVersion: number;
  /** Files of the serving image and of the tables. */
  files: readonly FileSum[];
  /** Null or left out where it is not known: then every wide row of both is read and compared. */
  differing?: DifferingRows | null;
}

/** Why the image cannot be made from the parent's; it is made whole then. */
export class ParentUnusable extends Error {}

const READ_AT_ONCE_BYTES = 2 ** 30;

/**
 * Reads files of a parent snapshot, each only when its bytes are those that the manifest states: what is read is then what
 * an earlier publish wrote, and nothing in it needs to be doubted.
 */
export class ParentImage {
  readonly #dir: string;
  readonly #files: ReadonlyMap<string, FileSum>;

  constructor({ dir, files }: ParentSnapshot) {
    this.#dir = dir;
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  bytesOf(path: string): number {
    return this.#stated(path).bytes;
  }

  /** How long the files are whose paths begin with `folder`. */
  lengthsBelow(folder: string): Set<number> {
    return new Set([...this.#files.values()].filter(({ path }) => path.startsWith(folder)).map(({ bytes }) => bytes));
  }

  /**
   * The file's bytes, in `room` where it is given, which must be large enough.
   * @throws ParentUnusable when it is missing or not the file that the manifest describes
   */
  read(path: string, room?: ArrayBuffer | SharedArrayBuffer): Uint8Array {
    const { bytes, sha256 } = this.#stated(path);
    const content = new Uint8Array(room ?? new ArrayBuffer(bytes), 0, bytes);
    if (!fill(join(this.#dir, path), content)) throw new ParentUnusable(`${path} of the parent is missing or cut`);
    if (createHash('sha256').update(content).digest('hex') !== sha256) {
      throw new ParentUnusable(`${path} of the parent is damaged`);
    }
    return content;
  }

  /** An image file as an Arrow table over its bytes. */
  table(path: string, room?: ArrayBuffer): Table {
    return readImageTable(this.read(path, room), path);
  }

  #stated(path: string): FileSum {
    const stated = this.#files.get(path);
    if (stated === undefined) throw new ParentUnusable(`the parent has no ${path}`);
    return stated;
  }
}

/** Reads the whole file into `content`; false when there is none of that length. */
function fill(path: string, content: Uint8Array): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  try {
    if (fstatSync(descriptor).size !== content.length) return false;
    let at = 0;
    while (at < content.length) {
      const count = readSync(descriptor, content, at, Math.min(READ_AT_ONCE_BYTES, content.length - at), at);
      if (count === 0) return false;
      at += count;
    }
    return true;
  } finally {
    closeSync(descriptor);
  }
}
