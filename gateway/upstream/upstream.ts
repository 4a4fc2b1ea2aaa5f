import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import {
  BOARD_FOLLOWING_MAX_PER_ADDRESS,
  BOARD_FOLLOWING_MAX_REQUESTS,
  BOARD_SHORT_CONCURRENT_REQUESTS,
  BOARD_SHORT_QUEUED_REQUESTS,
  BOARD_SHORT_WAIT_MAX_SECONDS,
} from '../../contract/limits.ts';
import { type QueueOptions, RequestQueue } from './request-queue.ts';

/** Idle connections that are kept open. */
const FREE_CONNECTIONS_MAX = 256;

/**
 * Three kinds of requests have separate queues, so that none can hold up another: short ones, those that may last (long
 * polls, streams, the export), and the gateway's own (keys, status, readiness).
 */
export const QUEUES = {
  short: {
    concurrent: BOARD_SHORT_CONCURRENT_REQUESTS,
    queued: BOARD_SHORT_QUEUED_REQUESTS,
    waitMs: BOARD_SHORT_WAIT_MAX_SECONDS * 1000,
  },
  // Fail at once when all places are taken.
  following: {
    concurrent: BOARD_FOLLOWING_MAX_REQUESTS,
    queued: 0,
    waitMs: 0,
    perSubject: BOARD_FOLLOWING_MAX_PER_ADDRESS,
  },
  own: { concurrent: 32, queued: 1024, waitMs: 1_000 },
} as const satisfies Record<string, QueueOptions>;
export type QueueName = keyof typeof QUEUES;

interface UpstreamRequest {
  method: string;
  /** Path and query as sent. */
  path: string;
  headers: OutgoingHttpHeaders;
  body: Buffer | null;
  /** The request fails after this long without a byte, before the answer or within it. */
  silenceMs: number;
  signal: AbortSignal | null;
  queue: QueueName;
  /** Caller whose share of the queue it counts against; default none. */
  subject?: string;
}

/** A server behind the gateway, reached over kept connections. Its address may change when it restarts. */
export class Upstream implements Disposable {
  /** Base address without a trailing slash; null while the server is not running. */
  url: string | null;
  readonly queues: Readonly<Record<QueueName, RequestQueue>>;
  readonly #plain = new Agent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS_MAX });
  readonly #secure = new SecureAgent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS_MAX });

  constructor(url: string | null, queues: Partial<Record<QueueName, QueueOptions>> = {}) {
    this.url = url;
    const { short, following, own } = { ...QUEUES, ...queues };
    this.queues = {
      short: new RequestQueue(short),
      following: new RequestQueue(following),
      own: new RequestQueue(own),
    };
  }

  /**
   * Sends a request when its turn comes, and resolves with the answer once its headers have arrived. Rejects with
   * QueueRefusal if the request was never sent; rejects also if the server cannot be reached or stays silent too long,
   * or if `signal` aborts. A read whose kept connection had just been closed is sent once more.
   */
  async send(options: UpstreamRequest): Promise<IncomingMessage> {
    const leave = await this.queues[options.queue].enter(options.subject ?? '', options.signal);
    try {
      const answer = await this.#attempt(options, true);
      // The server has finished an answer of known length, so that a slow reader keeps no place. A stream keeps its own.
      if (isFinished(options.method, answer)) leave();
      else answer.once('close', leave);
      return answer;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Sends a GET of the gateway's own. */
  ask(path: string, silenceMs: number): Promise<IncomingMessage> {
    return this.send({ method: 'GET', path, headers: {}, body: null, silenceMs, signal: null, queue: 'own' });
  }

  #attempt(options: UpstreamRequest, mayRepeat: boolean): Promise<IncomingMessage> {
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
        const isRead = options.method === 'GET' || options.method === 'HEAD';
        // The server closed the kept connection before it read the request.
        const wasClosed = sent.reusedSocket && error.code === 'ECONNRESET';
        if (mayRepeat && isRead && wasClosed) resolve(this.#attempt(options, false));
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

function isFinished(method: string, answer: IncomingMessage): boolean {
  const { statusCode, headers } = answer;
  return headers['content-length'] !== undefined || method === 'HEAD' || statusCode === 204 || statusCode === 304;
}
