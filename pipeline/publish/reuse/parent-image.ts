import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { SERVING_DIR } from '../../../snapshot/format/serving.ts';
import { readImageMetadata, readImageTable } from '../../../snapshot/image/arrow-reader.ts';
import type { FileSum } from '../durable.ts';
import { NotReusable, type ParentSnapshot } from '../serving/reused.ts';

const READ_AT_ONCE_BYTES = 2 ** 30;

/**
 * Reads files of a parent snapshot. Each is checked against its SHA-256 in the manifest, so that its content is what an
 * earlier publish wrote and needs no other check.
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

  /** Lengths of the files whose paths begin with `folder`. */
  lengthsBelow(folder: string): Set<number> {
    return new Set([...this.#files.values()].filter(({ path }) => path.startsWith(folder)).map(({ bytes }) => bytes));
  }

  /**
   * The file's bytes, in `room` if it is given; it must be large enough.
   * @throws NotReusable when it is missing or not the file that the manifest describes
   */
  read(path: string, room?: ArrayBuffer | SharedArrayBuffer): Uint8Array {
    const { bytes, sha256 } = this.#stated(path);
    const content = new Uint8Array(room ?? new ArrayBuffer(bytes), 0, bytes);
    if (!fill(join(this.#dir, path), content)) throw new NotReusable(`${path} of the parent is missing or cut`);
    if (createHash('sha256').update(content).digest('hex') !== sha256) {
      throw new NotReusable(`${path} of the parent is damaged`);
    }
    return content;
  }

  /** An image file as an Arrow table over its bytes. */
  table(path: string, room?: ArrayBuffer): Table {
    return readImageTable(this.read(path, room), path);
  }

  /** What an image file states of itself. The rest of it is not read, so that its checksum is left to whoever reads its content. */
  async metadata(path: string): Promise<Map<string, string>> {
    const { bytes } = this.#stated(path);
    let file: FileHandle | undefined;
    try {
      file = await open(join(this.#dir, path), 'r');
      if ((await file.stat()).size === bytes) return await readImageMetadata(file);
    } catch (cause) {
      throw new NotReusable(`${path} of the parent is missing or damaged`, { cause });
    } finally {
      await file?.close().catch(() => undefined);
    }
    throw new NotReusable(`${path} of the parent is missing or cut`);
  }

  #stated(path: string): FileSum {
    const stated = this.#files.get(path);
    if (stated === undefined) throw new NotReusable(`the parent has no ${path}`);
    return stated;
  }
}

/** Reads the whole file into `content`; false if it is missing or has another length. */
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

/** Path of an image file inside a snapshot. */
export function inImage(file: string): string {
  return `${SERVING_DIR}/${file}`;
}
