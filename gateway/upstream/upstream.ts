import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import {
  BOARD_FOLLOWING_MAX_PER_ADDRESS,
  BOARD_FOLLOWING_MAX_REQUESTS,
  BOARD_SHORT_CONCURRENT_REQUESTS,
  BOARD_SHORT_QUEUED_REQUESTS,
  BOARD_SHORT_WAIT_MAX_SECONDS,
} from '../../contract/limits.ts';
import { Lane, type LaneOptions } from './lane.ts';

/** Connections that are kept without a request on them. */
const FREE_CONNECTIONS_MAX = 256;

/**
 * Requests that end at once, those that may last (long polls, streams, the export), and the gateway's own questions
 * (keys, status, readiness) each have places of their own, so that none can hold up another.
 */
export const LANES = {
  short: {
    concurrent: BOARD_SHORT_CONCURRENT_REQUESTS,
    queued: BOARD_SHORT_QUEUED_REQUESTS,
    waitMs: BOARD_SHORT_WAIT_MAX_SECONDS * 1000,
  },
  // To wait for a place to wait in serves nobody.
  following: {
    concurrent: BOARD_FOLLOWING_MAX_REQUESTS,
    queued: 0,
    waitMs: 0,
    perSubject: BOARD_FOLLOWING_MAX_PER_ADDRESS,
  },
  own: { concurrent: 32, queued: 1024, waitMs: 1_000 },
} as const satisfies Record<string, LaneOptions>;
export type LaneName = keyof typeof LANES;

export interface UpstreamRequest {
  method: string;
  /** Path and query as sent. */
  path: string;
  headers: OutgoingHttpHeaders;
  body: Buffer | null;
  /** Longest silence, before the answer and within it. */
  silenceMs: number;
  signal: AbortSignal | null;
  lane: LaneName;
  /** Whose share of the lane it takes; default nobody's. */
  subject?: string;
}

/** A server behind this one, over connections that are kept. Its address may move while it is restarted. */
export class Upstream implements Disposable {
  /** Base address without a trailing slash; null while there is none. */
  url: string | null;
  readonly lanes: Readonly<Record<LaneName, Lane>>;
  readonly #plain = new Agent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS_MAX });
  readonly #secure = new SecureAgent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS_MAX });

  constructor(url: string | null, lanes: Partial<Record<LaneName, LaneOptions>> = {}) {
    this.url = url;
    const { short, following, own } = { ...LANES, ...lanes };
    this.lanes = { short: new Lane(short), following: new Lane(following), own: new Lane(own) };
  }

  /**
   * Sends a request when it is its turn and resolves with the answer once its headers are there. Rejects with
   * LaneRefusal where it was never sent, or where the server cannot be reached, is silent too long, or `signal` aborts.
   * A read that met a connection just closed is sent once more.
   */
  async send(options: UpstreamRequest): Promise<IncomingMessage> {
    if (this.url === null) throw notRunning();
    const leave = await this.lanes[options.lane].enter(options.subject ?? '', options.signal);
    try {
      const answer = await this.#sendTwice(options);
      // An answer of known length is finished over there: who reads it slowly keeps no place. Others end with the stream.
      if (isFinished(options.method, answer)) leave();
      else answer.once('close', leave);
      return answer;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #sendTwice(options: UpstreamRequest): Promise<IncomingMessage> {
    const first = await this.#attempt(options);
    if (!(first instanceof Error)) return first;
    const second = await this.#attempt(options);
    if (!(second instanceof Error)) return second;
    throw second;
  }

  /** Resolves with the error where a kept connection had been closed by the other side and a repeat does no harm. */
  #attempt(options: UpstreamRequest): Promise<IncomingMessage | Error> {
    const { url } = this;
    if (url === null) return Promise.reject(notRunning());
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

function notRunning(): Error {
  return new Error('the server is not running');
}

function isFinished(method: string, answer: IncomingMessage): boolean {
  const { statusCode, headers } = answer;
  return headers['content-length'] !== undefined || method === 'HEAD' || statusCode === 204 || statusCode === 304;
}
