import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delayed } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client as S3,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import type { FileSum } from '../publish/durable.ts';
import { type Answer, Passing, refusal, StoreFault } from '../pull/downloader.ts';
import { waitAfter } from '../raw/http-client.ts';

const ATTEMPTS = 5;
/** Nothing moves for so long: the request is given up. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 15_000;
/** Larger than a pointer, which has a few hundred bytes. */
const SMALL_MAX_BYTES = 100_000;

export interface S3Options {
  /** Tries of a request; default 5. */
  attempts?: number;
  /** Milliseconds before the second try to send a file, by the number of tries. */
  waitAfter?: (attempt: number) => number;
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
  async open(key: string, from: number, signal: AbortSignal): Promise<Answer> {
    const command = new GetObjectCommand({ ...this.#place(key), ...(from > 0 && { Range: `bytes=${from}-` }) });
    try {
      const found = await this.#s3.send(command, { abortSignal: signal });
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

  /** An object that is read whole; null where there is none. */
  async read(key: string, maxBytes: number = SMALL_MAX_BYTES): Promise<TaggedObject | null> {
    return this.#sent(`GET ${this.name}/${key}`, [404], async () => {
      const found = await this.#s3.send(new GetObjectCommand(this.#place(key)));
      const parts: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of bodyOf(found)) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new StoreFault(`${key} has more than ${maxBytes} bytes`);
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

  /** Writes a small object where the one with this mark is there, or none for null; returns false, with nothing written, where it is not. */
  async writeIf(key: string, content: Buffer, etag: string | null): Promise<boolean> {
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
      for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#s3 }, { Bucket, Prefix })) {
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents)
          objects.push({ key: Key.slice(root), bytes: Size, changedAt: LastModified });
      }
    });
    return objects;
  }

  /** Sends a file. Throws StoreFault, with nothing stored, where its bytes have not the SHA-256 of `sum`. */
  async writeFile(key: string, path: string, { bytes, sha256 }: FileSum): Promise<void> {
    const { attempts = ATTEMPTS, waitAfter: pause = waitAfter } = this.#options;
    const { size } = await stat(path);
    if (size !== bytes)
      throw new StoreFault(`${path} has ${size} bytes, expected ${bytes}: it is damaged on this disk`);
    for (let tries = 1; ; tries += 1) {
      const body = createReadStream(path);
      const command = new PutObjectCommand({ ...this.#place(key), Body: body, ContentLength: bytes });
      // The stated sum is signed in place of one that is computed, which would read the file once more: the store compares the bytes with it.
      command.middlewareStack.add(
        (next) => (args) => {
          Object.assign((args.request as { headers: object }).headers, { 'x-amz-content-sha256': sha256 });
          return next(args);
        },
        { step: 'build' },
      );
      try {
        await this.#s3.send(command);
        return;
      } catch (error) {
        const fault = statusOf(error) === null ? passingOf(error) : refusal('', statusOf(error)!, wordsOf(error), null);
        if (fault instanceof Passing && tries < attempts) await delayed(pause(tries));
        else throw this.#faultOf(`PUT ${this.name}/${key}`, error);
      } finally {
        body.destroy();
      }
    }
  }

  #place(key: string): { Bucket: string; Key: string } {
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
      throw this.#faultOf(request, error);
    }
  }

  #faultOf(request: string, error: unknown): StoreFault {
    const status = statusOf(error);
    const why = status === null ? passingOf(error) : refusal('', status, wordsOf(error), null);
    return new StoreFault(`${request}: ${why.message.replace(/^: /, '')}`, { cause: error });
  }
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
