import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delayed } from 'node:timers/promises';
import got, { RequestError } from 'got';
import type { SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import { RETRIED_STATUS, retryAfterMs, userAgent, waitAfter } from '../raw/http-client.ts';
import type { PartialFile } from './partial-file.ts';

/** The service does not give what it promises, or cannot be reached. The message names the file. */
export class PullFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PullFault';
  }
}

export interface ServiceOptions {
  /** Address of the service, without a trailing slash. */
  url: string;
  now: () => Date;
  /** Told what is waited for, before each wait. */
  notice?: (text: string) => void;
  /** Ends every request and wait. */
  signal?: AbortSignal;
  /** Tries of a request that bring nothing; default 6. */
  attempts?: number;
  /** Milliseconds before the second try of a request, doubled for each later one; default as for the registries. */
  waitAfter?: (attempt: number) => number;
  contact?: string;
  /** Headers that let a request for an address pass; made anew for each try, since signatures hold for minutes. */
  authorise?: (address: string) => Promise<Record<string, string>>;
  /** Whether the bytes at an address can never change, so that a part needs no condition. */
  isImmutable?: boolean;
}

const ATTEMPTS = 6;
/** A try that brought so much may be followed by as many tries again. */
const PROGRESS_BYTES = 1 << 20;
/** When the service asks for a longer pause, the pull stops. */
const MAX_RETRY_AFTER_MS = 600_000;
/** Nothing moves for so long: the request is given up. There is no limit for a whole file, which may be gigabytes. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 15_000;
/** Characters shown of what the service says. */
const SAID_CHARACTERS = 300;
const REMEDY = 'run the same command again later: it goes on where it stopped';

/** A try that may succeed when it is made again. */
class Passing extends Error {
  /** What the service asked for; null when it did not say. */
  readonly waitMs: number | null;

  constructor(message: string, waitMs: number | null, options?: ErrorOptions) {
    super(message, options);
    this.waitMs = waitMs;
  }
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  chunks: AsyncIterable<Buffer>;
}

/** Reads files of a running service that is not trusted: of each at most as many bytes as it may have. */
export class ServiceClient {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** A small file; null where the service has none. */
  async small(path: string, maxBytes: number): Promise<Buffer | null> {
    return this.#repeated(path, async () => {
      const { status, chunks } = await this.#request(path, {});
      if (status === 404) return null;
      const parts: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new PullFault(`${this.#named(path)} has more than ${maxBytes} bytes`);
        parts.push(chunk);
      }
      return Buffer.concat(parts);
    });
  }

  /**
   * Adds what is missing to a file, and goes on where a try stopped. `partial` then has as many bytes as `file` states, whose hash
   * is still to be compared.
   */
  async complete(path: string, file: SnapshotFileSum, partial: PartialFile): Promise<void> {
    await this.#repeated(
      path,
      () => this.#continue(path, file, partial),
      () => partial.received,
    );
  }

  async #continue(path: string, file: SnapshotFileSum, partial: PartialFile): Promise<void> {
    const from = partial.bytes;
    if (from === file.bytes) return;
    const unchanged = this.#options.isImmutable === true ? {} : { 'if-range': `"${file.sha256}"` };
    const asked = from === 0 ? {} : { range: `bytes=${from}-`, ...unchanged };
    const { status, headers, chunks } = await this.#request(path, asked);
    if (status === 404) throw new PullFault(`${this.#named(path)}: the service has no such file any more`);
    this.#checkEtag(path, file, headers.etag);
    if (status === 206) this.#checkRange(path, file, from, headers['content-range']);
    // A service, or a proxy before it, may send the whole file in place of a range.
    else await partial.restart();
    const length = Number(headers['content-length'] ?? 0);
    if (partial.bytes + length > file.bytes) throw this.#tooLong(path, file, partial.bytes + length);
    for await (const chunk of chunks) {
      if (partial.bytes + chunk.length > file.bytes) throw this.#tooLong(path, file, partial.bytes + chunk.length);
      await partial.append(chunk);
    }
    if (partial.bytes < file.bytes)
      throw new Passing(`the answer ended after ${partial.bytes} of ${file.bytes} bytes`, null);
  }

  /** The address for a message. */
  #named(path: string): string {
    return `${this.#options.url}${path}`;
  }

  #checkEtag(path: string, { sha256 }: SnapshotFileSum, etag: string | undefined): void {
    const stated = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1];
    if (stated === undefined || stated === sha256) return;
    throw new PullFault(`${this.#named(path)} has the SHA-256 ${stated}, but the manifest states ${sha256}`);
  }

  #checkRange(path: string, { bytes }: SnapshotFileSum, from: number, range: string | undefined): void {
    const expected = `bytes ${from}-${bytes - 1}/${bytes}`;
    if (range === expected) return;
    throw new PullFault(
      `${this.#named(path)}: the service answers with another part than was asked for (${clean(range ?? 'none named')}, expected ${expected})`,
    );
  }

  #tooLong(path: string, { bytes }: SnapshotFileSum, sent: number): PullFault {
    return new PullFault(
      `${this.#named(path)}: the service sends ${sent} bytes or more, but the manifest states ${bytes}`,
    );
  }

  /** Sends a GET. Resolves for 200, 206 and 404; throws Passing for what may pass, else PullFault. */
  async #request(path: string, headers: Record<string, string>): Promise<Answer> {
    const { url, contact, signal, authorise } = this.#options;
    const { host } = new URL(url);
    const signed = (await authorise?.(`${url}${path}`)) ?? {};
    const stream = got.stream(`${url}${path}`, {
      headers: { 'user-agent': userAgent(contact), 'accept-encoding': 'identity', ...headers, ...signed },
      ...{ retry: { limit: 0 }, throwHttpErrors: false, decompress: false, maxRedirects: 3 },
      timeout: { connect: CONNECT_MS, socket: SILENCE_MS, response: SILENCE_MS },
      followRedirect: (response) => new URL(response.headers.location ?? '', `${url}${path}`).host === host,
      ...(signal && { signal }),
    });
    // Whoever reads the stream gets its errors too; without a listener one in between would end the process.
    stream.on('error', () => {});
    try {
      const [response] = (await once(stream, 'response')) as [IncomingMessage];
      const answer = { status: response.statusCode ?? 0, headers: response.headers, chunks: read(stream) };
      if ([200, 206].includes(answer.status)) {
        const { 'content-encoding': encoding = 'identity' } = answer.headers;
        if (encoding === 'identity') return answer;
        throw new PullFault(
          `${this.#named(path)}: the service sends it packed (${clean(encoding)}), which was not asked for`,
        );
      }
      if (answer.status === 404) {
        stream.destroy();
        return answer;
      }
      throw await this.#refusal(path, answer);
    } catch (error) {
      stream.destroy();
      throw passingOf(error);
    }
  }

  async #refusal(path: string, { status, headers, chunks }: Answer): Promise<Error> {
    const said = await saidIn(chunks);
    const what = `HTTP ${status}${said === '' ? '' : ` (${said})`}`;
    if (!RETRIED_STATUS.has(status)) return new PullFault(`${this.#named(path)}: ${what}`);
    const waitMs = retryAfterMs(headers['retry-after'], this.#options.now());
    if (waitMs === null || waitMs <= MAX_RETRY_AFTER_MS) return new Passing(what, waitMs);
    return new PullFault(
      `${this.#named(path)}: ${what} asks to wait ${Math.ceil(waitMs / 1000)} s; run the same command after that`,
    );
  }

  /** Tries until `attempt` succeeds, or too many tries brought nothing. `received` counts the bytes that tries brought. */
  async #repeated<T>(path: string, attempt: () => Promise<T>, received: () => number = () => 0): Promise<T> {
    const { attempts = ATTEMPTS, waitAfter: pause = waitAfter, notice, signal } = this.#options;
    let [tries, counted] = [0, received()];
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        if (received() - counted >= PROGRESS_BYTES) [tries, counted] = [0, received()];
        tries += 1;
        const what = `${this.#named(path)}: ${error.message}`;
        if (tries >= attempts) throw new PullFault(`${what}, after ${tries} tries; ${REMEDY}`, { cause: error.cause });
        const waitMs = error.waitMs ?? pause(tries);
        notice?.(`${what}; trying again in ${Math.ceil(waitMs / 1000)} s`);
        await delayed(waitMs, undefined, signal && { signal });
      }
    }
  }
}

/** The body of an answer. A connection that breaks off may be tried again. */
async function* read(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw passingOf(error);
  }
}

function passingOf(error: unknown): unknown {
  if (!(error instanceof RequestError) || error.name === 'AbortError') return error;
  return new Passing(`no whole answer (${error.code}: ${error.message})`, null, { cause: error });
}

/** What an error answer says, as far as it is short and printable. */
async function saidIn(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk.toString('utf8');
    if (text.length > 16_384) break;
  }
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? clean(error.message) : '';
  } catch {
    return '';
  }
}

/** Text of the service for a terminal. */
function clean(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, SAID_CHARACTERS);
}

/** SHA-256 of bytes that are held, lower-case hex. */
export function sumOfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
