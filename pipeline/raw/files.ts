import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline as pipelineWithCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { errorCode } from '../error-code.ts';
import { sync } from '../publish/durable.ts';

/** Bytes per read; large, because each chunk costs a turn of the event loop. */
const CHUNK_BYTES = 256 * 1024;
/** Level 3 already shrinks registry text to a quarter; higher levels cost more time than the saved disk is worth. */
const GZIP_LEVEL = 3;
export const GZIP_SHRINKS = 4;
const FILE_MODE = 0o644;

/** A file that cannot be read as a registry's records, or whose stored bytes are no longer those received. */
export class FileFault extends Error {
  /** `other-form`: the values of a column are in a form that cannot be read with certainty. */
  readonly kind: 'truncated' | 'damaged' | 'malformed' | 'other-form' | 'unsafe' | 'unreadable';

  constructor(kind: FileFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileFault';
    this.kind = kind;
  }
}

/** Reads a file in order, unpacked when `gzip` is true. Throws FileFault, or the file system's own error. */
export async function* readChunks(path: string, gzip: boolean): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (!gzip) {
    yield* source as AsyncIterable<Buffer>;
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // The loop below gets every error of the pipeline; the callback only prevents that it is thrown twice.
  pipelineWithCallback(source, gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'Z_BUF_ERROR') throw new FileFault('truncated', 'the gzip data ends early', { cause: error });
    if (code?.startsWith('Z_')) throw new FileFault('damaged', 'the gzip data is damaged', { cause: error });
    throw error;
  }
}

/** The first bytes of a file; fewer where the file ends earlier. */
export async function firstBytes(path: string, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Writes the chunks gzipped to a new file; SHA-256 and length are those of the chunks. */
export async function writeGzipped(
  path: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const summed = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(summed(), createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES }), createWriteStream(path));
  return { sha256: hash.digest('hex'), bytes };
}

/**
 * Copies a file of the operator's. Never a link: whoever writes to that file later would change what is kept under its hash. The copy shares its
 * blocks where the file system can.
 */
export async function copyInput(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  // A copy takes over the mode of the operator's file, which need not let this user write.
  await chmod(to, FILE_MODE);
}

/** Replaces a file atomically and durably: after a crash either the old or the new one is there, complete. */
export async function replaceFile(path: string, data: string | Buffer): Promise<void> {
  const temporary = `${path}.part`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await sync(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
