import got, { RequestError } from 'got';
import PQueue from 'p-queue';
import type { Effects } from '../effects.ts';
import { SourceFault, type SourceName } from './fetch-log.ts';

export interface ClientOptions {
  registry: SourceName;
  /** Origin of the registry, e.g. `https://clinicaltrials.gov`. */
  baseUrl: string;
  /** Most requests a second; default 1 (the registries publish no limit, robots.txt asks for one). */
  rate?: number;
  /** E-mail address for the user agent, so that the registry can reach the operator. */
  contact?: string;
  /** Waits so many milliseconds; tests pass a function that returns at once. */
  delay?: (milliseconds: number) => Promise<void>;
  /** Milliseconds until a request is given up; default 300,000 for the whole request, a fifth of it without any byte. */
  timeoutMs?: number;
  /** Tries of one request, the first included; default 6. */
  attempts?: number;
  /** Most bytes of a decoded answer; default 256 MiB. 1,000 studies have 17 MB on average. */
  maxBodyBytes?: number;
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

/** Seconds. When a registry asks for a longer pause, the run stops. */
const MAX_RETRY_AFTER_S = 600;
/** Statuses that may change when the request is sent again. */
export const RETRIED_STATUS: ReadonlySet<number> = new Set([
  408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524,
]);

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

interface Failure {
  code: SourceFault['code'];
  message: string;
  /** Milliseconds that the registry asked to wait; null when it did not say. */
  waitMs: number | null;
  cause?: unknown;
}

/** A polite client of one registry: one request at a time, at a limited rate, tried again with growing waits. */
export class RegistryClient {
  readonly #options: ClientOptions;
  readonly #effects: Effects;
  readonly #base: URL;
  readonly #queue: PQueue;
  readonly #delay: (milliseconds: number) => Promise<void>;
  readonly #attempts: number;

  constructor(options: ClientOptions, effects: Effects) {
    this.#options = options;
    this.#effects = effects;
    this.#base = new URL(options.baseUrl);
    this.#queue = new PQueue({ concurrency: 1, interval: Math.ceil(1000 / (options.rate ?? 1)), intervalCap: 1 });
    this.#delay = options.delay ?? wait;
    this.#attempts = options.attempts ?? 6;
  }

  /**
   * Requests a path below the base URL and reads the body. When `read` throws UnsoundBody, the request is tried again.
   * Throws SourceFault: `unreachable`, `refused`, `not-the-registry`, or the code of the last UnsoundBody.
   */
  async get<T>(path: string, query: Record<string, string>, read: (body: Buffer) => T): Promise<Answer<T>> {
    const url = this.#urlOf(path, query);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#queue.add(() => this.#tryOnce(url, read));
      if ('answer' in outcome) return outcome.answer;
      const { code, message, waitMs, cause } = outcome.failure;
      if (attempt === this.#attempts) {
        const tried = attempt === 1 ? '' : `, after ${attempt} tries; the last good set is kept, run again later`;
        throw new SourceFault(this.#options.registry, code, `${url}: ${message}${tried}`, { cause });
      }
      await this.#delay(waitMs ?? waitAfter(attempt));
    }
  }

  #urlOf(path: string, query: Record<string, string>): string {
    const search = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    const root = this.#options.baseUrl.replace(/\/+$/, '');
    return `${root}${path}${search.length > 0 ? '?' : ''}${search.join('&')}`;
  }

  async #tryOnce<T>(url: string, read: (body: Buffer) => T): Promise<{ answer: Answer<T> } | { failure: Failure }> {
    try {
      const { status, headers, body } = await this.#request(url);
      const failure = this.#judgeStatus(url, status, headers);
      if (failure) return { failure };
      return { answer: { value: read(body), body, url, receivedAt: this.#effects.now().toISOString() } };
    } catch (error) {
      if (error instanceof UnsoundBody) return { failure: { code: error.code, message: error.message, waitMs: null } };
      if (error instanceof RequestError) {
        const message = `no answer (${error.code}: ${error.message})`;
        return { failure: { code: 'unreachable', message, waitMs: null, cause: error } };
      }
      throw error;
    }
  }

  async #request(url: string): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
    const { registry, contact, timeoutMs = 300_000, maxBodyBytes = 256 * 1024 * 1024 } = this.#options;
    const stream = got.stream(url, {
      headers: { 'user-agent': userAgent(contact), accept: '*/*' },
      retry: { limit: 0 },
      throwHttpErrors: false,
      decompress: true,
      timeout: { request: timeoutMs, socket: Math.ceil(timeoutMs / 5), connect: 15_000 },
      followRedirect: (response) => new URL(response.headers.location ?? '', url).host === this.#base.host,
      maxRedirects: 3,
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBodyBytes) {
        stream.destroy();
        const message = `${url}: the answer is larger than ${maxBodyBytes} bytes; ask for smaller pages`;
        throw new SourceFault(registry, 'not-the-registry', message);
      }
      parts.push(chunk);
    }
    const response = stream.response!;
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) };
  }

  /** Null for an answer to read, a failure for one to try again; throws when trying again cannot help. */
  #judgeStatus(url: string, status: number, headers: Record<string, unknown>): Failure | null {
    const { registry } = this.#options;
    if (status === 200) return null;
    if (RETRIED_STATUS.has(status)) {
      const waitMs = retryAfterMs(headers['retry-after'], this.#effects.now());
      if (waitMs !== null && waitMs > MAX_RETRY_AFTER_S * 1000) {
        const message = `${url}: HTTP ${status} asks to wait ${Math.ceil(waitMs / 1000)} s; run again after that`;
        throw new SourceFault(registry, 'refused', message);
      }
      return { code: status === 429 ? 'refused' : 'unreachable', message: `HTTP ${status}`, waitMs };
    }
    if (status >= 300 && status < 400) {
      const message = `${url}: redirected to ${String(headers.location)}, which is another host; check the registry's address`;
      throw new SourceFault(registry, 'not-the-registry', message);
    }
    throw new RequestRefused(registry, status, `${url}: HTTP ${status}; the registry does not take this request`);
  }
}

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

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** True when the body is a web page: a portal, a block page or a maintenance notice instead of the registry's data. */
export function isHtml(body: Buffer): boolean {
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(body.toString('latin1', 0, 2048));
}
