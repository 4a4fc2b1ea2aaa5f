import { setTimeout as wait } from 'node:timers/promises';
import got, { RequestError } from 'got';
import PQueue from 'p-queue';
import type { Effects } from '../effects.ts';
import { SourceFault, type SourceName } from './fetch-log.ts';

/** How a client asks a registry or publisher. */
export interface RequestOptions {
  /** Most requests a second; default 1 (the registries publish no limit, robots.txt asks for one). */
  rate?: number;
  /** E-mail address for the user agent, so that the other side can reach the operator. */
  contact?: string;
  /** Waits so many milliseconds; tests pass a function that returns at once. */
  delay?: (milliseconds: number) => Promise<void>;
  /** Milliseconds for one whole answer; a part of it without any byte ends the request too. */
  timeoutMs?: number;
  /** Tries of one request, the first included. */
  attempts?: number;
  /** Most bytes of a decoded answer. */
  maxBodyBytes?: number;
}

export interface ClientOptions extends RequestOptions {
  registry: SourceName;
  /** Origin of the registry, e.g. `https://clinicaltrials.gov`. */
  baseUrl: string;
}

export interface Answer<T> {
  value: T;
  /** The decoded body as received. */
  body: Buffer;
  url: string;
  receivedAt: string;
}

/** Milliseconds before the second try; doubled for each later one. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** Milliseconds to wait after this many tries (1 is the first) when the server asks for no time of its own. */
export function waitAfter(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
}

/** Statuses that may change when the request is sent again. */
export const RETRIED_STATUS: ReadonlySet<number> = new Set([
  408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524,
]);

/** The pipeline's user agent, with the operator's address when there is one. */
export function userAgent(contact?: string): string {
  return `trial-board/0.1${contact ? ` (${contact})` : ''}`;
}

/** Milliseconds that a Retry-After header asks to wait; null when it is missing or invalid. */
export function retryAfterMs(header: unknown, now: Date): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, time - now.getTime());
}

interface WebRequest {
  headers: Record<string, string>;
  timeoutMs: number;
  /** Milliseconds without any byte. */
  silenceMs: number;
  maxBodyBytes: number;
  maxRedirects: number;
  /** Whether a redirect to this address is followed. */
  follows(location: URL | null): boolean;
  tooLarge(): Error;
}

export interface WebAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Decompressed. */
  body: Buffer;
  /** Address after redirects. */
  address: string;
}

/** Sends one request. Throws got's RequestError where no whole answer comes, and `tooLarge` for too many bytes. */
export async function sendRequest(address: string, request: WebRequest): Promise<WebAnswer> {
  const { headers, timeoutMs, silenceMs, maxBodyBytes, maxRedirects } = request;
  const stream = got.stream(address, {
    headers,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: true,
    timeout: { request: timeoutMs, socket: Math.ceil(silenceMs), connect: Math.min(15_000, timeoutMs) },
    followRedirect: (response) => request.follows(URL.parse(response.headers.location ?? '', response.url)),
    maxRedirects,
  });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Counted after decompression, so that a small file that decompresses to a huge one is refused too.
    if (size > maxBodyBytes) {
      stream.destroy();
      throw request.tooLarge();
    }
    parts.push(chunk);
  }
  const { statusCode: status, headers: received, url } = stream.response!;
  return { status, headers: received, body: Buffer.concat(parts), address: url };
}

/** A failed try that may succeed when it is made again. */
export class PassingFault extends Error {
  /** Milliseconds that the other side asked to wait; null when it did not say. */
  readonly waitMs: number | null;
  /** The fault after the last of so many tries. */
  readonly faultAfter: (tries: number) => Error;

  constructor(waitMs: number | null, faultAfter: PassingFault['faultAfter']) {
    super('a try failed');
    this.waitMs = waitMs;
    this.faultAfter = faultAfter;
  }
}

/** Runs requests at a limited rate, and each again with growing waits as long as it throws PassingFault. */
export class PacedRequests {
  readonly #queue: PQueue;
  readonly #attempts: number;
  readonly #delay: (milliseconds: number) => Promise<unknown>;

  constructor({ rate = 1, delay = wait }: RequestOptions, concurrency: number, attempts: number) {
    this.#queue = new PQueue({ concurrency, interval: Math.ceil(1000 / rate), intervalCap: 1 });
    this.#attempts = attempts;
    this.#delay = delay;
  }

  async run<T>(tryOnce: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#queue.add(tryOnce);
      } catch (error) {
        if (!(error instanceof PassingFault)) throw error;
        if (attempt === this.#attempts) throw error.faultAfter(attempt);
        await this.#delay(error.waitMs ?? waitAfter(attempt));
      }
    }
  }
}

/** Seconds. When a registry asks for a longer pause, the run stops. */
const MAX_RETRY_AFTER_S = 600;
const TIMEOUT_MS = 300_000;
/** 1,000 studies have 17 MB on average. */
const MAX_BODY_BYTES: number = 256 * 1024 * 1024;
const ATTEMPTS = 6;

/** An invalid body that may be valid when the request is sent again; thrown by the `read` of a request. */
export class UnsoundBody extends Error {
  readonly code: SourceFault['code'];

  constructor(code: SourceFault['code'], message: string) {
    super(message);
    this.name = 'UnsoundBody';
    this.code = code;
  }
}

/** The registry refused the request itself, so sending it again is useless. */
export class RequestRefused extends SourceFault {
  readonly status: number;

  constructor(registry: SourceName, status: number, message: string) {
    super(registry, 'refused', message);
    this.name = 'RequestRefused';
    this.status = status;
  }
}

/** A polite client of one registry: one request at a time, at a limited rate, tried again with growing waits. */
export class RegistryClient {
  readonly #options: ClientOptions;
  readonly #effects: Effects;
  readonly #requests: PacedRequests;

  constructor(options: ClientOptions, effects: Effects) {
    this.#options = options;
    this.#effects = effects;
    this.#requests = new PacedRequests(options, 1, options.attempts ?? ATTEMPTS);
  }

  /**
   * Requests a path below the base URL and reads the body. When `read` throws UnsoundBody, the request is tried again.
   * Throws SourceFault: `unreachable`, `refused`, `not-the-registry`, or the code of the last UnsoundBody.
   */
  async get<T>(path: string, query: Record<string, string>, read: (body: Buffer) => T): Promise<Answer<T>> {
    const search = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    const root = this.#options.baseUrl.replace(/\/+$/, '');
    const url = `${root}${path}${search.length > 0 ? '?' : ''}${search.join('&')}`;
    return this.#requests.run(async () => {
      try {
        const { status, headers, body } = await this.#request(url);
        if (status !== 200) throw this.#statusFault(url, status, headers);
        return { value: read(body), body, url, receivedAt: this.#effects.now().toISOString() };
      } catch (error) {
        if (error instanceof UnsoundBody) throw this.#passing(url, error.code, error.message, null);
        if (!(error instanceof RequestError)) throw error;
        throw this.#passing(url, 'unreachable', `no answer (${error.code}: ${error.message})`, null, error);
      }
    });
  }

  #passing(url: string, code: SourceFault['code'], what: string, waitMs: number | null, cause?: unknown): PassingFault {
    return new PassingFault(waitMs, (tries) => {
      const tried = tries === 1 ? '' : `, after ${tries} tries; the last good set is kept, run again later`;
      return new SourceFault(this.#options.registry, code, `${url}: ${what}${tried}`, { cause });
    });
  }

  async #request(url: string): Promise<WebAnswer> {
    const { registry, baseUrl, contact, timeoutMs = TIMEOUT_MS, maxBodyBytes = MAX_BODY_BYTES } = this.#options;
    const { host } = new URL(baseUrl);
    const tooLarge = `${url}: the answer is larger than ${maxBodyBytes} bytes; ask for smaller pages`;
    return sendRequest(url, {
      headers: { 'user-agent': userAgent(contact), accept: '*/*' },
      timeoutMs,
      silenceMs: timeoutMs / 5,
      maxBodyBytes,
      maxRedirects: 3,
      follows: (location) => location?.host === host,
      tooLarge: () => new SourceFault(registry, 'not-the-registry', tooLarge),
    });
  }

  /** A fault to try again, or one that no other try can help. */
  #statusFault(url: string, status: number, headers: WebAnswer['headers']): Error {
    const { registry } = this.#options;
    if (RETRIED_STATUS.has(status)) {
      const waitMs = retryAfterMs(headers['retry-after'], this.#effects.now());
      if (waitMs !== null && waitMs > MAX_RETRY_AFTER_S * 1000) {
        const message = `${url}: HTTP ${status} asks to wait ${Math.ceil(waitMs / 1000)} s; run again after that`;
        return new SourceFault(registry, 'refused', message);
      }
      return this.#passing(url, status === 429 ? 'refused' : 'unreachable', `HTTP ${status}`, waitMs);
    }
    if (status >= 300 && status < 400) {
      const message = `${url}: redirected to ${String(headers.location)}, which is another host; check the registry's address`;
      return new SourceFault(registry, 'not-the-registry', message);
    }
    return new RequestRefused(registry, status, `${url}: HTTP ${status}; the registry does not take this request`);
  }
}
