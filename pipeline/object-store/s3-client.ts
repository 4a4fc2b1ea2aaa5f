import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client as S3,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import type { FileSum } from '../publish/durable.ts';
import { type Answer, Passing, refusal } from '../pull/downloader.ts';
import { StoreFault } from './layout.ts';

/** A part of a large object, which is held in memory while it is sent. S3 takes at most 10,000 parts: 160 GB. */
const PART_BYTES = 16 * 2 ** 20;
const ATTEMPTS = 5;
/** Nothing moves for so long: the request is given up. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 15_000;
/** Larger than any object that is read whole: a pointer has a few hundred bytes. */
const ANSWER_MAX_BYTES = 16_000_000;
const ANSWER_MAX_MS = 60_000;
/** Pages of a list; a store of ten years has a tenth of them. */
const PAGES_MAX = 1_000;

export interface S3Options {
  /** Bytes of a part of a large object; a smaller object is sent whole. */
  partBytes?: number;
  /** Tries of a request; default 5. */
  attempts?: number;
  /** Milliseconds that a small object may take to come. */
  answerMs?: number;
}

export interface StoredObject {
  key: string;
  bytes: number;
  /** On the clock of the store. */
  changedAt: Date;
}

/** Bytes of a small object with the mark that a conditional write names. */
export interface TaggedObject {
  content: Buffer;
  etag: string;
}

/** A conditional write expects nothing, or the object with this mark. */
export type Expected = { etag: string | null };

interface Place {
  Bucket: string;
  Key: string;
}

/** Objects below one prefix of one bucket of any store that speaks S3. Each body is signed with its SHA-256, which the store checks. */
export class S3Client {
  readonly #config: SnapshotStoreConfig;
  readonly #options: S3Options;
  readonly #s3: S3;

  constructor(config: SnapshotStoreConfig, options: S3Options = {}) {
    const { endpoint, region, accessKeyId, secretAccessKey } = config;
    this.#config = config;
    this.#options = options;
    this.#s3 = new S3({
      region,
      credentials: { accessKeyId, secretAccessKey },
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
      maxAttempts: options.attempts ?? ATTEMPTS,
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
      // The signed SHA-256 covers each body; stores other than Amazon's refuse the checksums that come beside it.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** For messages. */
  get name(): string {
    const { bucket, prefix } = this.#config;
    return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  }

  /** An object from a byte on, for a download that checks it and goes on where it stopped. */
  async open(key: string, from: number, signal?: AbortSignal): Promise<Answer> {
    const command = new GetObjectCommand({ ...this.#place(key), ...(from > 0 && { Range: `bytes=${from}-` }) });
    try {
      const found = await this.#s3.send(command, signal && { abortSignal: signal });
      const { ETag, ContentRange, ContentLength, $metadata } = found;
      const status = $metadata.httpStatusCode ?? 0;
      return { status, etag: ETag, range: ContentRange, length: ContentLength, chunks: bodyOf(found) };
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return { status, chunks: nothing() };
      if (status !== null) throw refusal(`${this.name}/${key}`, status, wordsOf(error), null);
      throw passingOf(error);
    }
  }

  /** A small object; null where there is none. */
  async read(key: string): Promise<TaggedObject | null> {
    const { answerMs = ANSWER_MAX_MS } = this.#options;
    return this.#sent(`GET ${this.name}/${key}`, [404], async () => {
      const found = await this.#s3.send(new GetObjectCommand(this.#place(key)));
      const until = Date.now() + answerMs;
      const parts: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of bodyOf(found)) {
        bytes += chunk.length;
        if (bytes > ANSWER_MAX_BYTES) throw new StoreFault(`${key} has more than ${ANSWER_MAX_BYTES} bytes`);
        if (Date.now() > until) throw new StoreFault(`${key} did not come within ${answerMs} ms`);
        parts.push(chunk);
      }
      return { content: Buffer.concat(parts), etag: found.ETag ?? '' };
    });
  }

  /** Replaces a small object. */
  async write(key: string, content: Buffer): Promise<void> {
    const command = new PutObjectCommand({ ...this.#place(key), Body: content });
    await this.#sent(`PUT ${this.name}/${key}`, [], () => this.#s3.send(command));
  }

  /** Writes a small object where the expected one is there; returns false, with nothing written, where it is not. */
  async writeIf(key: string, content: Buffer, { etag }: Expected): Promise<boolean> {
    const condition = etag === null ? { IfNoneMatch: '*' } : { IfMatch: etag };
    const command = new PutObjectCommand({ ...this.#place(key), Body: content, ...condition });
    // 409: another write to the object was under way at this moment. 404: the object that was expected is gone.
    const done = await this.#sent(`PUT ${this.name}/${key}`, [404, 409, 412], () => this.#s3.send(command));
    return done !== null;
  }

  async remove(key: string): Promise<void> {
    await this.#sent(`DELETE ${this.name}/${key}`, [404], () =>
      this.#s3.send(new DeleteObjectCommand(this.#place(key))),
    );
  }

  /** Every object whose key begins with `start`. */
  async list(start: string): Promise<StoredObject[]> {
    const { Bucket, Key: Prefix } = this.#place(start);
    const root = this.#place('').Key.length;
    const objects: StoredObject[] = [];
    await this.#sent(`LIST ${this.name}/${start}`, [], async () => {
      let pages = 0;
      for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#s3 }, { Bucket, Prefix })) {
        if (++pages > PAGES_MAX) throw new StoreFault(`${this.name}: the store gives a list without end`);
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents)
          objects.push({ key: Key.slice(root), bytes: Size, changedAt: LastModified });
      }
    });
    return objects;
  }

  /**
   * Sends a file, a large one in parts, and calls `sent` with the bytes of each. Throws StoreFault, with nothing stored, where its bytes have
   * not the SHA-256 of `sum`.
   */
  async writeFile(key: string, path: string, sum: FileSum, sent: (bytes: number) => void): Promise<void> {
    const { partBytes = PART_BYTES } = this.#options;
    const file = await open(path, 'r');
    try {
      if (sum.bytes > partBytes) return await this.#writeParts(key, file, { sum, partBytes, sent });
      const content = await pieceOf(file, 0, sum.bytes);
      assertSum(sum, createHash('sha256').update(content).digest('hex'));
      await this.write(key, content);
      sent(sum.bytes);
    } finally {
      await file.close();
    }
  }

  async #writeParts(
    key: string,
    file: FileHandle,
    { sum, partBytes, sent }: { sum: FileSum; partBytes: number; sent: (bytes: number) => void },
  ): Promise<void> {
    const place = this.#place(key);
    await this.#sent(`PUT ${this.name}/${key}`, [], async () => {
      const { UploadId = '' } = await this.#s3.send(new CreateMultipartUploadCommand(place));
      const upload = { ...place, UploadId };
      try {
        const hash = createHash('sha256');
        const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
        for (let from = 0; from < sum.bytes; from += partBytes) {
          const part = await pieceOf(file, from, Math.min(partBytes, sum.bytes - from));
          hash.update(part);
          const PartNumber = Parts.length + 1;
          const { ETag } = await this.#s3.send(new UploadPartCommand({ ...upload, PartNumber, Body: part }));
          Parts.push({ PartNumber, ETag });
          sent(part.length);
        }
        assertSum(sum, hash.digest('hex'));
        await this.#s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      } catch (error) {
        await this.endUpload(key, UploadId).catch(() => undefined);
        throw error;
      }
    });
  }

  /** Uploads in parts that have not ended, of objects whose keys begin with `start`; the store gives at most 1,000. */
  async uploads(start: string): Promise<{ key: string; id: string; begunAt: Date }[]> {
    const { Bucket, Key: Prefix } = this.#place(start);
    const root = this.#place('').Key.length;
    const found = await this.#sent(`LIST ${this.name}/${start}`, [], () =>
      this.#s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
    );
    return (found?.Uploads ?? []).map(({ Key = '', UploadId = '', Initiated = new Date() }) => {
      return { key: Key.slice(root), id: UploadId, begunAt: Initiated };
    });
  }

  /** Gives up an upload in parts. */
  async endUpload(key: string, id: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ ...this.#place(key), UploadId: id });
    await this.#sent(`DELETE ${this.name}/${key}`, [404], () => this.#s3.send(command));
  }

  #place(key: string): Place {
    const { bucket, prefix } = this.#config;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  /** The result of a request; null where the store answers with one of these statuses. Throws StoreFault for each other fault. */
  async #sent<T>(request: string, statuses: readonly number[], send: () => Promise<T>): Promise<T | null> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof StoreFault) throw error;
      const status = statusOf(error);
      if (status !== null && statuses.includes(status)) return null;
      const why = status === null ? passingOf(error).message : refusal('', status, wordsOf(error), null).message;
      throw new StoreFault(`${request}: ${why.replace(/^: /, '')}`, { cause: error });
    }
  }
}

function assertSum({ path, sha256 }: FileSum, found: string): void {
  if (found === sha256) return;
  throw new StoreFault(`${path} has the SHA-256 ${found}, expected ${sha256}: it is damaged on this disk`);
}

async function pieceOf(file: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(bytes);
  let read = 0;
  while (read < bytes) {
    const { bytesRead } = await file.read(piece, read, bytes - read, from + read);
    if (bytesRead === 0) throw new StoreFault('a file of the snapshot became shorter while it was sent');
    read += bytesRead;
  }
  return piece;
}

/** The body of an answer. A connection that breaks off may be tried again. */
async function* bodyOf({ Body }: GetObjectCommandOutput): AsyncGenerator<Uint8Array> {
  try {
    yield* Body as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw passingOf(error);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The status of an answer; null where there was none. */
function statusOf(error: unknown): number | null {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null;
}

function wordsOf(error: unknown): string {
  const { name, message } = error as Error;
  return message === '' || message === name ? name : `${name}: ${message}`;
}

function passingOf(error: unknown): Error {
  const { name, code = name, message } = error as Error & { code?: string };
  if (name === 'AbortError') return error as Error;
  return new Passing(`no whole answer (${code}: ${message})`, null, { cause: error });
}
