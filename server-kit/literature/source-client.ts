import { setTimeout as wait } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { FaultReason } from '../../contract/schemas/trials/related.ts';
import { LiteratureFault, type LiteratureSource } from './paper.ts';

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
const HTML = /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

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
      try {
        return await this.#queue.add(() => this.#request(url, signal), { signal });
      } catch (error) {
        if (signal.aborted) throw this.fault('timeout');
        if (!(error instanceof LiteratureFault) || !WORTH_A_RETRY.includes(error.reason)) throw error;
        const { retryAfterMs = this.#options.retryWaitMs ?? RETRY_WAIT_MS } = error;
        if (tried === TRIES || retryAfterMs > MAX_RETRY_AFTER_MS) throw error;
        await wait(retryAfterMs, undefined, { signal }).catch(() => {
          throw error;
        });
      }
    }
  }

  fault(reason: FaultReason, message?: string, retryAfterMs?: number): LiteratureFault {
    return new LiteratureFault(this.#options.source, reason, message, retryAfterMs);
  }

  async #request(url: string, signal: AbortSignal): Promise<string> {
    const { pace, source, requestsPerSecond, contactEmail } = this.#options;
    if (pace !== undefined) await wait(await pace(source, requestsPerSecond, signal), undefined, { signal });
    const agent = `trial-board/0.1${contactEmail ? ` (${contactEmail})` : ''}`;
    const headers = { 'user-agent': agent, accept: '*/*' };
    const response = await fetch(url, { headers, redirect: 'manual', signal }).catch(() => this.#unreachable());
    const { status } = response;
    if (status !== 200) {
      await response.body?.cancel().catch(() => {});
      const retryAfterMs = pauseOf(response.headers.get('retry-after'));
      if (status === 429) throw this.fault('rate_limited', undefined, retryAfterMs);
      throw this.fault(status >= 500 ? 'server_error' : 'refused', `HTTP ${status}`, retryAfterMs);
    }
    const body = await this.#bodyOf(response);
    if (HTML.test(body.toString('latin1', 0, 2048))) {
      throw this.fault('not_the_source', 'a web page in place of data');
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      throw this.fault('malformed', 'not UTF-8');
    }
  }

  async #bodyOf({ body }: Response): Promise<Buffer> {
    const { maxBodyBytes = MAX_BODY_BYTES } = this.#options;
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const part of body ?? []) {
        size += part.length;
        if (size > maxBodyBytes) throw this.fault('too_large', `an answer of more than ${maxBodyBytes} bytes`);
        parts.push(part);
      }
    } catch (error) {
      throw error instanceof LiteratureFault ? error : this.#unreachable();
    }
    return Buffer.concat(parts);
  }

  /** Without the error's message, which may quote the address, and with it the key. */
  #unreachable(): never {
    throw this.fault('unreachable', 'no answer');
  }
}

/** Milliseconds that a Retry-After header asks for. */
function pauseOf(header: string | null): number | undefined {
  if (header !== null && /^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}
