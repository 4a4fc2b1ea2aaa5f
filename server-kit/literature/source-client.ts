import { setTimeout as wait } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { FaultReason } from '../../contract/schemas/trials/related.ts';
import { LiteratureFault } from './fault.ts';
import type { LiteratureSource } from './paper.ts';

export interface SourceClientOptions {
  source: LiteratureSource;
  /** Base address without a trailing slash; null if the source is switched off. */
  baseUrl: string | null;
  /** Requests that may begin in any one second. */
  requestsPerSecond: number;
  /** Sent as user agent. */
  contactEmail: string | null;
  /** Requests that may wait for their turn; one more is refused at once. */
  maxQueued: number;
  /** Bytes of a decoded body; default 3 MiB. */
  maxBodyBytes?: number | undefined;
  /** Milliseconds before the second try if the source asks for no other pause. */
  retryWaitMs?: number | undefined;
  /** Milliseconds until a request may begin, where several processes keep to the rate together. */
  pace?: Pace | undefined;
}

export type Pace = (source: LiteratureSource, requestsPerSecond: number, signal: AbortSignal) => Promise<number>;

/** Most tries of one request, including the first; few, because the caller waits. */
const TRIES = 2;
const CONCURRENCY = 4;
/** 50 papers with their reference lists take about half of it. A hostile body of this size blocks the thread for 2 s. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
const RETRY_WAIT_MS = 500;
/** Longest pause that a source may ask for; a longer one is not waited for, because no caller would. */
const MAX_RETRY_AFTER_MS = 5_000;
const WORTH_A_RETRY: readonly FaultReason[] = ['rate_limited', 'server_error', 'unreachable'];

/** Loaded with the first question, because it is a fifth of all code that a server loads. */
const http = () => import('got');

interface Outcome {
  status: number;
  retryAfter: string | undefined;
  body: Buffer;
}

/** A client of one source that keeps to its request rate and bounds its answers in bytes and time. */
export class SourceClient {
  readonly #options: SourceClientOptions;
  readonly #queue: PQueue;

  constructor(options: SourceClientOptions) {
    this.#options = options;
    // A sliding window, because the source counts the requests of any second, not of ours.
    const rate = { interval: 1000, intervalCap: options.requestsPerSecond, strict: true };
    this.#queue = new PQueue({ concurrency: CONCURRENCY, ...rate });
  }

  get isOff(): boolean {
    return this.#options.baseUrl === null;
  }

  /** The body as text; rejects with LiteratureFault. An aborted `signal` is a `timeout`. */
  async get(path: string, query: Record<string, string>, signal: AbortSignal): Promise<string> {
    if (this.isOff) throw this.fault('off');
    const url = `${this.#options.baseUrl}${path}?${new URLSearchParams(query)}`;
    for (let tried = 1; ; tried++) {
      if (this.#queue.size >= this.#options.maxQueued) throw this.fault('busy');
      const result = await this.#turn(() => this.#once(url, signal), signal);
      if (typeof result === 'string') return result;
      const { fault, waitMs } = result;
      if (tried === TRIES || !WORTH_A_RETRY.includes(fault.reason) || waitMs > MAX_RETRY_AFTER_MS) throw fault;
      await wait(waitMs, undefined, { signal }).catch(() => {
        throw fault;
      });
    }
  }

  fault(reason: FaultReason, message?: string): LiteratureFault {
    return new LiteratureFault(this.#options.source, reason, message);
  }

  async #turn<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    try {
      return await this.#queue.add(task, { signal });
    } catch (error) {
      throw signal.aborted && !(error instanceof LiteratureFault) ? this.fault('timeout') : error;
    }
  }

  async #once(url: string, signal: AbortSignal): Promise<string | { fault: LiteratureFault; waitMs: number }> {
    try {
      const { pace, source, requestsPerSecond } = this.#options;
      if (pace !== undefined) await wait(await pace(source, requestsPerSecond, signal), undefined, { signal });
      const outcome = await this.#request(url, signal);
      const fault = this.#judge(outcome);
      return fault === null ? this.#text(outcome.body) : { fault, waitMs: this.#waitMs(outcome.retryAfter) };
    } catch (error) {
      if (error instanceof LiteratureFault) return { fault: error, waitMs: 0 };
      if (signal.aborted) return { fault: this.fault('timeout'), waitMs: 0 };
      const { RequestError } = await http();
      // The error's message may quote the address, and with it the key.
      if (error instanceof RequestError) {
        return { fault: this.fault('unreachable', `no answer (${error.code})`), waitMs: this.#waitMs(undefined) };
      }
      throw error;
    }
  }

  async #request(url: string, signal: AbortSignal): Promise<Outcome> {
    const { contactEmail, maxBodyBytes = MAX_BODY_BYTES } = this.#options;
    const { default: got } = await http();
    const stream = got.stream(url, {
      headers: { 'user-agent': `trial-board/0.1${contactEmail ? ` (${contactEmail})` : ''}`, accept: '*/*' },
      retry: { limit: 0 },
      throwHttpErrors: false,
      followRedirect: false,
      signal,
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBodyBytes) {
        stream.destroy();
        throw this.fault('too_large', `an answer of more than ${maxBodyBytes} bytes`);
      }
      parts.push(chunk);
    }
    const { statusCode, headers } = stream.response!;
    return { status: statusCode, retryAfter: headers['retry-after'], body: Buffer.concat(parts) };
  }

  #judge({ status, body }: Outcome): LiteratureFault | null {
    if (status === 429) return this.fault('rate_limited');
    if (status >= 500) return this.fault('server_error', `HTTP ${status}`);
    if (status !== 200) return this.fault('refused', `HTTP ${status}`);
    return isHtml(body) ? this.fault('not_the_source', 'a web page in place of data') : null;
  }

  #text(body: Buffer): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      throw this.fault('malformed', 'not UTF-8');
    }
  }

  #waitMs(header: string | undefined): number {
    if (header !== undefined && /^\d{1,6}$/.test(header)) return Number(header) * 1000;
    const time = Date.parse(header ?? '');
    return Number.isNaN(time) ? (this.#options.retryWaitMs ?? RETRY_WAIT_MS) : Math.max(0, time - Date.now());
  }
}

function isHtml(body: Buffer): boolean {
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(body.toString('latin1', 0, 2048));
}
