import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delayed } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import got, { RequestError } from 'got';
import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import type { FileSum } from '../publish/durable.ts';
import { ServiceClient, type ServiceOptions } from '../pull/service-client.ts';
import { RETRIED_STATUS, waitAfter } from '../raw/http-client.ts';
import { StoreFault } from './store-fault.ts';

/** A part of a large object, which is held in memory while it is sent. S3 takes at most 10,000 parts: 160 GB. */
const PART_BYTES = 16 * 2 ** 20;
const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 10_000;
/** Nothing moves for so long: the request is given up. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 15_000;
/** Larger than any answer that is read whole: a list has 1,000 objects a page, and a pointer or report a few hundred bytes. */
const ANSWER_MAX_BYTES = 16_000_000;
/** An answer that has begun ends within this, or never. */
const ANSWER_MAX_MS = 60_000;
/** Pages of a list; a store of ten years has a tenth of them. */
const PAGES_MAX = 1_000;
/** Characters shown of what the store says. */
const SAID_CHARACTERS = 300;

export interface S3Options {
  /** Bytes of a part of a large object; a smaller object is sent whole. */
  partBytes?: number;
  /** Milliseconds before the second try of a request, doubled for each later one. */
  waitAfter?: (attempt: number) => number;
  /** Told what is waited for, before each wait. */
  notice?: (text: string) => void;
  /** How long an answer may take that has begun. */
  answerMs?: number;
}

interface Call {
  /** Inside the prefix; empty asks the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer | { path: string; sum: FileSum };
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
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

/** What a conditional write expects to be there: nothing, or the object with this mark. */
export type Expected = { etag: string | null };

/** A request under way, as far as its answer is watched. */
type Sending<Response> = Promise<Response> & {
  on(event: 'downloadProgress', listener: (progress: { transferred: number }) => void): unknown;
};

const EMPTY_SUM = createHash('sha256').digest('hex');
const LIST_PARSER = new XMLParser({
  parseTagValue: false,
  isArray: (name) => ['Contents', 'Upload', 'Part'].includes(name),
});

/** Objects below one prefix of one bucket of any store that speaks S3. Each request is signed; each body is sent with its SHA-256, which the store checks. */
export class S3Client {
  readonly #config: SnapshotStoreConfig;
  readonly #options: S3Options;
  readonly #bucketUrl: string;
  readonly #keys = new Map<string, ArrayBuffer>();

  constructor(config: SnapshotStoreConfig, options: S3Options = {}) {
    const { bucket, endpoint, region } = config;
    this.#config = config;
    this.#options = options;
    this.#bucketUrl = endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
  }

  /** For messages. */
  get name(): string {
    const { bucket, prefix } = this.#config;
    return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  }

  /** Reads large objects with all that a pull has: ranges, waits, limits. Paths begin with a slash and are keys. */
  reader(options: Omit<ServiceOptions, 'url' | 'authorise' | 'isImmutable'>): ServiceClient {
    const url = this.#url('').replace(/\/$/, '');
    const authorise = (address: string) => this.#signed('GET', new URL(address), {}, EMPTY_SUM);
    return new ServiceClient({ ...options, url, authorise, isImmutable: true });
  }

  /** A small object; null where there is none. */
  async read(key: string): Promise<TaggedObject | null> {
    const { status, headers, body } = await this.#send('GET', { key }, [200, 404]);
    return status === 404 ? null : { content: body, etag: String(headers.etag ?? '') };
  }

  /** Length of an object; null where there is none. */
  async size(key: string): Promise<number | null> {
    const { status, headers } = await this.#send('HEAD', { key }, [200, 404]);
    return status === 404 ? null : Number(headers['content-length']);
  }

  /** Replaces a small object, whatever is there. */
  async write(key: string, content: Buffer): Promise<void> {
    await this.#send('PUT', { key, body: content }, [200]);
  }

  /** Writes a small object where what is there is what was expected; returns false, with nothing written, where it is not. */
  async writeIf(key: string, content: Buffer, { etag }: Expected): Promise<boolean> {
    const headers: Record<string, string> = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
    // 409: another write to the object was under way at this moment. 404: the object that was expected is gone.
    const { status } = await this.#send('PUT', { key, body: content, headers }, [200, 404, 409, 412]);
    return status === 200;
  }

  async remove(key: string): Promise<void> {
    await this.#send('DELETE', { key }, [200, 204, 404]);
  }

  /** Every object whose key begins with `start`, and the store's clock when it began to list them. */
  async list(start: string): Promise<{ now: Date; objects: StoredObject[] }> {
    const objects: StoredObject[] = [];
    const root = this.#key('');
    let now: Date | null = null;
    let token: string | null = null;
    let pages = 0;
    do {
      this.#countPage(pages++);
      const query: Record<string, string> = { 'list-type': '2', prefix: this.#key(start) };
      if (token !== null) query['continuation-token'] = token;
      const { headers, body } = await this.#send('GET', { key: '', query }, [200]);
      now ??= new Date(String(headers.date));
      const listed = parsed(body).ListBucketResult ?? {};
      for (const { Key, Size, LastModified } of listed.Contents ?? [])
        objects.push({ key: String(Key).slice(root.length), bytes: Number(Size), changedAt: new Date(LastModified) });
      token = listed.IsTruncated === 'true' ? String(listed.NextContinuationToken) : null;
    } while (token !== null);
    return { now, objects };
  }

  /**
   * Sends a file. The store refuses bytes that have not the SHA-256 of the request, and the length is asked again afterwards. A large file
   * goes in parts, and parts that an earlier try left are not sent again.
   */
  async writeFile(key: string, path: string, sum: FileSum, told: (bytes: number) => void): Promise<void> {
    const { partBytes = PART_BYTES } = this.#options;
    if (sum.bytes > partBytes) await this.#writeParts({ key, path, sum, partBytes }, told);
    else {
      await this.#send('PUT', { key, body: { path, sum } }, [200]);
      told(sum.bytes);
    }
    const stored = await this.size(key);
    if (stored !== sum.bytes)
      throw new StoreFault(
        `${this.name}/${key} has ${stored} bytes after ${sum.path} was sent, which has ${sum.bytes}`,
      );
  }

  async #writeParts(
    { key, path, sum, partBytes }: { key: string; path: string; sum: FileSum; partBytes: number },
    told: (bytes: number) => void,
  ): Promise<void> {
    const begun = (await this.uploads(key)).findLast((one) => one.key === key)?.id;
    const upload = begun ?? (await this.#beginUpload(key));
    const there = await this.#parts(key, upload);
    const etags: string[] = [];
    const hash = createHash('sha256');
    const file = await open(path, 'r');
    try {
      for (let from = 0, number = 1; from < sum.bytes; from += partBytes, number += 1) {
        const part = await pieceOf(file, from, Math.min(partBytes, sum.bytes - from));
        hash.update(part);
        // The mark of a part is its MD5 in every store but those that encrypt with a key of their own: there it is sent again.
        const md5 = `"${createHash('md5').update(part).digest('hex')}"`;
        if (there.get(number) !== md5) {
          const query = { partNumber: String(number), uploadId: upload };
          const { headers } = await this.#send('PUT', { key, query, body: part }, [200]);
          etags.push(String(headers.etag));
        } else etags.push(md5);
        told(part.length);
      }
    } finally {
      await file.close();
    }
    const found = hash.digest('hex');
    if (found !== sum.sha256) {
      await this.endUpload(key, upload);
      throw new StoreFault(`${sum.path} has the SHA-256 ${found}, expected ${sum.sha256}: it is damaged on this disk`);
    }
    const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const { body: said } = await this.#send('POST', { key, query: { uploadId: upload }, body }, [200]);
    // The store answers 200 before it has put the parts together, and may fail afterwards.
    if (parsed(said).Error !== undefined)
      throw new StoreFault(`${this.name}/${key}: the store could not put the parts together: ${saidIn(said)}`);
  }

  /** Uploads in parts that have not ended, of objects whose keys begin with `start`; the store gives at most 1,000. */
  async uploads(start: string): Promise<{ key: string; id: string; begunAt: Date }[]> {
    const query = { uploads: '', prefix: this.#key(start) };
    const { body } = await this.#send('GET', { key: '', query }, [200]);
    const found = (parsed(body).ListMultipartUploadsResult?.Upload ?? []) as Record<string, string>[];
    const root = this.#key('').length;
    return found.map(({ Key = '', UploadId = '', Initiated = '' }) => {
      return { key: Key.slice(root), id: UploadId, begunAt: new Date(Initiated) };
    });
  }

  /** Gives up an upload in parts. */
  async endUpload(key: string, id: string): Promise<void> {
    await this.#send('DELETE', { key, query: { uploadId: id } }, [204, 404]);
  }

  async #beginUpload(key: string): Promise<string> {
    const { body } = await this.#send('POST', { key, query: { uploads: '' } }, [200]);
    return String(parsed(body).InitiateMultipartUploadResult?.UploadId);
  }

  /** Marks of the parts that are there, by number. */
  async #parts(key: string, upload: string): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    let after: string | null = null;
    let pages = 0;
    do {
      this.#countPage(pages++);
      const query: Record<string, string> = { uploadId: upload };
      if (after !== null) query['part-number-marker'] = after;
      const { body } = await this.#send('GET', { key, query }, [200]);
      const listed = parsed(body).ListPartsResult ?? {};
      for (const { PartNumber, ETag } of listed.Part ?? []) found.set(Number(PartNumber), quoted(String(ETag)));
      after = listed.IsTruncated === 'true' ? String(listed.NextPartNumberMarker) : null;
    } while (after !== null);
    return found;
  }

  #countPage(before: number): void {
    if (before >= PAGES_MAX) throw new StoreFault(`${this.name}: the store gives a list without end`);
  }

  #key(key: string): string {
    const { prefix } = this.#config;
    return prefix === '' ? key : `${prefix}/${key}`;
  }

  #url(key: string): string {
    return `${this.#bucketUrl}/${this.#key(key)}`;
  }

  async #signed(
    method: string,
    url: URL,
    headers: Record<string, string>,
    sum: string,
  ): Promise<Record<string, string>> {
    const { accessKeyId, secretAccessKey, region } = this.#config;
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, accessKeyId, secretAccessKey, region, service: 's3', cache: this.#keys },
      headers: { ...headers, 'x-amz-content-sha256': sum },
    });
    const signed = await signer.sign();
    return Object.fromEntries(signed.headers);
  }

  /** Sends a request until the store answers with one of the statuses; throws StoreFault where it does not. */
  async #send(method: string, call: Call, expected: readonly number[]): Promise<Answer> {
    const { waitAfter: pause = waitAfter, notice } = this.#options;
    const what = `${method} ${this.name}/${call.key}`;
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#sendOnce(method, call).catch((error: unknown) => {
        if (error instanceof RequestError && error.name !== 'AbortError') return error;
        throw error;
      });
      if (!(answer instanceof Error) && expected.includes(answer.status)) return answer;
      const why =
        answer instanceof Error
          ? `no whole answer (${answer.code}: ${answer.message})`
          : `HTTP ${answer.status}${saidIn(answer.body)}`;
      const mayPass = answer instanceof Error || RETRIED_STATUS.has(answer.status);
      if (!mayPass || tries >= ATTEMPTS)
        throw new StoreFault(`${what}: ${why}${mayPass ? `, after ${tries} tries` : ''}`);
      const waitMs = Math.min(pause(tries), LONGEST_WAIT_MS);
      notice?.(`${what}: ${why}; trying again in ${Math.ceil(waitMs / 1000)} s`);
      await delayed(waitMs);
    }
  }

  async #sendOnce(method: string, { key, query = {}, headers = {}, body }: Call): Promise<Answer> {
    const url = new URL(key === '' ? `${this.#bucketUrl}/` : this.#url(key));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const isFile = body !== undefined && 'path' in body;
    const sum = isFile
      ? body.sum.sha256
      : createHash('sha256')
          .update(body ?? '')
          .digest('hex');
    const length = isFile ? body.sum.bytes : (body?.length ?? 0);
    const signed = await this.#signed(method, url, headers, sum);
    const stop = new AbortController();
    const sending = got(url, {
      method: method as 'GET',
      headers: {
        ...signed,
        ...(body === undefined ? {} : { 'content-length': String(length) }),
        'accept-encoding': 'identity',
      },
      ...(body === undefined
        ? {}
        : { body: isFile && length > 0 ? createReadStream(body.path) : isFile ? Buffer.alloc(0) : body }),
      ...{
        retry: { limit: 0 },
        throwHttpErrors: false,
        followRedirect: false,
        decompress: false,
        responseType: 'buffer',
      },
      timeout: { connect: CONNECT_MS, socket: SILENCE_MS, response: SILENCE_MS },
      signal: stop.signal,
    });
    const response = await this.#bounded(sending, stop, `${method} ${this.name}/${key}`);
    return { status: response.statusCode, headers: response.headers, body: Buffer.from(response.body as Uint8Array) };
  }

  /** A store that is broken or hostile may answer without end; what is read whole has a bound in bytes and in time. */
  async #bounded<Response>(sending: Sending<Response>, stop: AbortController, what: string): Promise<Response> {
    const { answerMs = ANSWER_MAX_MS } = this.#options;
    let late: NodeJS.Timeout | undefined;
    let fault: string | null = null;
    const end = (why: string): void => {
      fault = why;
      stop.abort();
    };
    sending.on('downloadProgress', ({ transferred }) => {
      late ??= setTimeout(end, answerMs, `its answer did not end within ${answerMs} ms`);
      if (transferred > ANSWER_MAX_BYTES) end(`its answer has more than ${ANSWER_MAX_BYTES} bytes`);
    });
    try {
      return await sending;
    } catch (error) {
      if (fault === null) throw error;
      throw new StoreFault(`${what}: ${fault}`, { cause: error });
    } finally {
      clearTimeout(late);
    }
  }
}

async function pieceOf(file: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(bytes);
  let got = 0;
  while (got < bytes) {
    const { bytesRead } = await file.read(piece, got, bytes - got, from + got);
    if (bytesRead === 0) throw new StoreFault('a file of the snapshot became shorter while it was sent');
    got += bytesRead;
  }
  return piece;
}

// biome-ignore lint/suspicious/noExplicitAny: what a store answers is looked at member by member.
function parsed(body: Buffer): any {
  const text = body.toString('utf8');
  // A document type could name entities without end.
  if (text.includes('<!')) throw new StoreFault('the store answers with a document type, which S3 has not');
  return LIST_PARSER.parse(text);
}

function quoted(etag: string): string {
  return `"${etag.replaceAll(/&quot;|"/g, '')}"`;
}

/** What an answer says of an error, in brackets, as far as it is short and printable. */
function saidIn(body: Buffer): string {
  const text = body.toString('utf8', 0, 4096);
  const words = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '');
  const said = words
    .filter((word) => word !== '')
    .join(': ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, SAID_CHARACTERS);
  return said === '' ? '' : ` (${said})`;
}
