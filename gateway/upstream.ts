import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';

/** Connections that are kept to one server; more requests than that wait for a free one. */
const CONNECTIONS_MAX = 256;

export interface UpstreamRequest {
  method: string;
  /** Path and query as sent. */
  path: string;
  headers: OutgoingHttpHeaders;
  body: Buffer | null;
  /** Longest silence, before the answer and within it. */
  silenceMs: number;
  signal: AbortSignal | null;
}

/** A server behind this one, over connections that are kept. Its address may move while it is restarted. */
export class Upstream implements Disposable {
  /** Base address without a trailing slash; null while there is none. */
  url: string | null;
  readonly #plain = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  readonly #secure = new SecureAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });

  constructor(url: string | null) {
    this.url = url;
  }

  /**
   * Sends a request and resolves with the answer once its headers are there. Rejects where the server cannot be
   * reached, is silent too long, or `signal` aborts. A read that met a connection just closed is sent once more.
   */
  async send(options: UpstreamRequest): Promise<IncomingMessage> {
    const first = await this.#attempt(options);
    if (!(first instanceof Error)) return first;
    const second = await this.#attempt(options);
    if (!(second instanceof Error)) return second;
    throw second;
  }

  /** Resolves with the error where a kept connection had been closed by the other side and a repeat does no harm. */
  #attempt(options: UpstreamRequest): Promise<IncomingMessage | Error> {
    const { url } = this;
    if (url === null) return Promise.reject(new Error('the server is not running'));
    const secure = url.startsWith('https:');
    return new Promise((resolve, reject) => {
      const sent = (secure ? secureRequest : request)(`${url}${options.path}`, {
        method: options.method,
        headers: options.headers,
        agent: secure ? this.#secure : this.#plain,
        ...(options.signal ? { signal: options.signal } : {}),
      });
      sent.setTimeout(options.silenceMs, () => sent.destroy(new Error(`no sign of life for ${options.silenceMs} ms`)));
      sent.on('response', resolve);
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const repeatable = sent.reusedSocket && error.code === 'ECONNRESET' && ['GET', 'HEAD'].includes(options.method);
        if (repeatable) resolve(error);
        else reject(error);
      });
      sent.end(options.body ?? undefined);
    });
  }

  [Symbol.dispose](): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}
