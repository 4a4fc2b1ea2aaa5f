import { setTimeout as wait } from 'node:timers/promises';
import got, { RequestError } from 'got';
import PQueue from 'p-queue';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { SourceFault } from './fetch-log.ts';

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

/** A request that brought no usable answer. */
export class WebFault extends Error {
  readonly code: SourceFault['code'] | 'redirect' | 'too-large';
  /** Status of an answer that is a refusal. */
  readonly status: number | undefined;
  /** Milliseconds to wait before another try, null for the usual ones; undefined where no other try can help. */
  readonly againAfter: number | null | undefined;

  constructor(
    code: WebFault['code'],
    message: string,
    { status, againAfter, ...options }: ErrorOptions & { status?: number; againAfter?: number | null } = {},
  ) {
    super(message, options);
    this.name = 'WebFault';
    this.code = code;
    this.status = status;
    this.againAfter = againAfter;
  }
}

/** An invalid body that may be valid when the request is sent again; thrown by the `read` of a request. */
export function unsoundBody(code: SourceFault['code'], message: string): WebFault {
  return new WebFault(code, message, { againAfter: null });
}

export interface WebAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Decompressed. */
  body: Buffer;
  /** Address after redirects. */
  address: string;
}

export interface WebClientOptions extends Required<Pick<RequestOptions, 'timeoutMs' | 'attempts' | 'maxBodyBytes'>> {
  /** Requests at the same time. */
  concurrency: number;
  maxRedirects: number;
  /** Seconds. If the other side asks for a longer pause, the request fails at once. */
  maxRetryAfterS: number;
  /** Whether a redirect to this address is followed. */
  follows(location: URL | null): boolean;
}

/** A polite client: a limited rate, redirects and bytes, and tries again with growing waits. */
export class WebClient {
  readonly #options: RequestOptions & WebClientOptions;
  readonly #effects: Effects;
  readonly #queue: PQueue;

  constructor(options: RequestOptions & WebClientOptions, effects: Effects) {
    const { rate = 1, concurrency } = options;
    this.#options = options;
    this.#effects = effects;
    this.#queue = new PQueue({ concurrency, interval: Math.ceil(1000 / rate), intervalCap: 1 });
  }

  /** Requests an address and reads the answer, of status 200 or 304. Throws WebFault. */
  async get<T>(address: string, headers: Record<string, string>, read: (answer: WebAnswer) => T): Promise<T> {
    const { attempts, delay = wait } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#queue.add(async () => read(await this.#try(address, headers)));
      } catch (error) {
        if (!(error instanceof WebFault) || error.againAfter === undefined) throw error;
        if (tries === attempts) {
          if (tries > 1) error.message += `, after ${tries} tries`;
          throw error;
        }
        await delay(error.againAfter ?? waitAfter(tries));
      }
    }
  }

  async #try(address: string, headers: Record<string, string>): Promise<WebAnswer> {
    const { contact, maxRedirects } = this.#options;
    try {
      const answer = await this.#send(address, { 'user-agent': userAgent(contact), ...headers });
      if (answer.status === 200 || answer.status === 304) return answer;
      throw this.#statusFault(answer);
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause;
      if (cause.code === 'ERR_TOO_MANY_REDIRECTS')
        throw new WebFault('redirect', `it redirects more than ${maxRedirects} times`, { cause });
      const message = `no whole answer (${cause.code}: ${cause.message.slice(0, 200)})`;
      throw new WebFault('unreachable', message, { cause, againAfter: null });
    }
  }

  async #send(address: string, headers: Record<string, string>): Promise<WebAnswer> {
    const { timeoutMs, maxBodyBytes, maxRedirects, follows } = this.#options;
    const stream = got.stream(address, {
      headers,
      retry: { limit: 0 },
      throwHttpErrors: false,
      timeout: { request: timeoutMs, socket: Math.ceil(timeoutMs / 5), connect: Math.min(15_000, timeoutMs) },
      followRedirect: (response) => follows(URL.parse(response.headers.location ?? '', response.url)),
      maxRedirects,
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Counted after decompression, so that a small file that decompresses to a huge one is refused too.
      if (size > maxBodyBytes) {
        stream.destroy();
        throw new WebFault('too-large', `the answer is larger than ${maxBodyBytes} bytes`);
      }
      parts.push(chunk);
    }
    const { statusCode: status, headers: received, url } = stream.response!;
    return { status, headers: received, body: Buffer.concat(parts), address: url };
  }

  #statusFault({ status, headers }: WebAnswer): WebFault {
    if (status >= 300 && status < 400) {
      const target = String(headers.location).slice(0, 200);
      return new WebFault('redirect', `redirected to ${target}, which is not followed; check the address`);
    }
    const waitMs = retryAfterMs(headers['retry-after'], this.#effects.now());
    const wish = waitMs === null ? '' : `, asks to wait ${Math.ceil(waitMs / 1000)} s`;
    const mayPass = RETRIED_STATUS.has(status) && (waitMs ?? 0) <= this.#options.maxRetryAfterS * 1000;
    const again = mayPass ? { againAfter: waitMs } : {};
    return new WebFault('refused', `HTTP ${status}${wish}`, { status, ...again });
  }
}

export interface ClientOptions extends RequestOptions {
  registry: RegistryId;
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

const REGISTRY_DEFAULTS = {
  timeoutMs: 300_000,
  attempts: 6,
  /** 1,000 studies have 17 MB on average. */
  maxBodyBytes: 256 * 1024 * 1024,
  concurrency: 1,
  maxRedirects: 3,
  maxRetryAfterS: 600,
};
/** A portal, a block page or a maintenance notice. */
const HTML = /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;
const WEB_PAGE = 'a web page came instead of data; check the address, or try again later';

/** A client of one registry: one request at a time. */
export class RegistryClient {
  readonly #registry: RegistryId;
  readonly #root: string;
  readonly #effects: Effects;
  readonly #client: WebClient;

  constructor({ registry, baseUrl, ...options }: ClientOptions, effects: Effects) {
    const { host } = new URL(baseUrl);
    const follows = (location: URL | null): boolean => location?.host === host;
    this.#registry = registry;
    this.#root = baseUrl.replace(/\/+$/, '');
    this.#effects = effects;
    this.#client = new WebClient({ ...REGISTRY_DEFAULTS, ...options, follows }, effects);
  }

  /**
   * Requests a path below the base URL and reads the body. When `read` throws `unsoundBody`, the request is tried again.
   * Throws SourceFault: `unreachable`, `refused`, `not-the-registry`, or the code of the last invalid body.
   */
  async get<T>(path: string, query: Record<string, string>, read: (body: Buffer) => T): Promise<Answer<T>> {
    const search = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    const url = `${this.#root}${path}${search.length > 0 ? '?' : ''}${search.join('&')}`;
    try {
      return await this.#client.get(url, { accept: '*/*' }, ({ status, body }) => {
        if (status !== 200) throw new WebFault('refused', `HTTP ${status}`, { status });
        if (HTML.test(body.toString('latin1', 0, 2048))) throw new WebFault('not-the-registry', WEB_PAGE);
        return { value: read(body), body, url, receivedAt: this.#effects.now().toISOString() };
      });
    } catch (error) {
      throw error instanceof WebFault ? this.#faultOf(url, error) : error;
    }
  }

  #faultOf(url: string, { code, message, status, againAfter }: WebFault): SourceFault {
    const advice = againAfter === undefined ? '' : '; the last good set is kept, run again later';
    const isDown = code === 'refused' && status !== undefined && status !== 429 && RETRIED_STATUS.has(status);
    const isOther = code === 'redirect' || code === 'too-large';
    const known = isDown ? 'unreachable' : isOther ? 'not-the-registry' : code;
    // A status that another try may change says nothing of the request itself.
    const refused = againAfter === undefined && status !== undefined ? { status } : {};
    return new SourceFault(this.#registry, known, `${url}: ${message}${advice}`, refused);
  }
}
