import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import {
  BOARD_FOLLOWING_MAX_PER_ADDRESS,
  BOARD_FOLLOWING_MAX_PER_GROUP,
  BOARD_FOLLOWING_MAX_REQUESTS,
  BOARD_SHORT_CONCURRENT_REQUESTS,
  BOARD_SHORT_QUEUED_REQUESTS,
  BOARD_SHORT_WAIT_MAX_SECONDS,
  BOARD_SILENCE_MAX_SECONDS,
} from '../../contract/limits.ts';
import { GATEWAY_HEADERS } from '../../server-kit/gateway-headers.ts';
import type { Holder, SharedPlaces } from '../../server-kit/shared-places.ts';
import { Pulse } from './pulse.ts';
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
    perGroup: BOARD_FOLLOWING_MAX_PER_GROUP,
  },
  own: { concurrent: 32, queued: 1024, waitMs: 1_000 },
} as const satisfies Record<string, QueueOptions>;
export type QueueName = keyof typeof QUEUES;

/**
 * The queues of one of several gateways before one server: the places of all together are as many as those of one, and
 * what one caller may hold is counted for all.
 */
export function ownShareOf(gateways: number, places: SharedPlaces): Record<QueueName, QueueOptions> {
  const part = ({ concurrent, queued, waitMs }: QueueOptions): QueueOptions => ({
    concurrent: Math.ceil(concurrent / gateways),
    queued: Math.ceil(queued / gateways),
    waitMs,
  });
  const { short, following, own } = QUEUES;
  return { short: part(short), own: part(own), following: { ...following, shared: { places, name: 'following' } } };
}

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
  holder?: Holder;
}

interface UpstreamOptions {
  queues?: Partial<Record<QueueName, QueueOptions>>;
  /** What the gateway proves itself with to the server; null sends nothing. */
  secret?: string | null;
  /** A server that answers neither request nor probe for this long counts as silent. */
  patienceMs?: number;
}

/** The request was never sent, so that nothing of it was carried out. */
export class NotSent extends Error {}

/** Part of the patience after which a request that waits for its answer begins a probe, and that the probe may take. */
const DOUBT_AFTER = 0.45;
const PROBE_WITHIN = 0.5;

/** A server behind the gateway, reached over kept connections. Its address may change when it restarts. */
export class Upstream implements Disposable {
  readonly queues: Readonly<Record<QueueName, RequestQueue>>;
  readonly patienceMs: number;
  readonly #own: OutgoingHttpHeaders;
  readonly #pulse: Pulse;
  readonly #plain = new Agent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS_MAX });
  readonly #secure = new SecureAgent({ keepAlive: true, maxFreeSockets: FREE_CONNECTIONS_MAX });
  #url: string | null;

  constructor(url: string | null, options: UpstreamOptions = {}) {
    const { queues = {}, secret = null, patienceMs = BOARD_SILENCE_MAX_SECONDS * 1000 } = options;
    const { short, following, own } = { ...QUEUES, ...queues };
    this.#url = url;
    this.patienceMs = patienceMs;
    this.queues = {
      short: new RequestQueue(short),
      following: new RequestQueue(following),
      own: new RequestQueue(own),
    };
    this.#own = secret === null ? {} : { [GATEWAY_HEADERS.secret]: secret };
    this.#pulse = new Pulse(() => this.#probe(patienceMs * PROBE_WITHIN));
  }

  /** Base address without a trailing slash; null while the server is not running. */
  get url(): string | null {
    return this.#url;
  }

  set url(url: string | null) {
    this.#url = url;
    this.#pulse.forget();
  }

  /**
   * Sends a request when its turn comes, and resolves with the answer once its headers have arrived. Rejects with
   * QueueRefusal or NotSent if the request was never sent, NotSent at once while the server is silent; rejects also if
   * the server cannot be reached or stays silent too long, or if `signal` aborts. A read whose kept connection had just
   * been closed is sent once more.
   */
  async send(options: UpstreamRequest): Promise<IncomingMessage> {
    this.#refuseWhileSilent();
    const leave = await this.queues[options.queue].enter(options.holder ?? null, options.signal);
    try {
      this.#refuseWhileSilent();
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

  #refuseWhileSilent(): void {
    if (this.#pulse.isSilent) throw new NotSent('the server does not answer, not even a probe');
  }

  #attempt(options: UpstreamRequest, mayRepeat: boolean): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = this.#request(options);
      const cut = (): void => void sent.destroy(new Error(`no byte for ${options.silenceMs} ms`));
      const waiting = [unlessSettled(options.silenceMs, cut)];
      // A long poll is silent while nothing happens.
      if (options.queue !== 'following') {
        waiting.push(unlessSettled(this.patienceMs * DOUBT_AFTER, () => this.#pulse.doubt()));
      }
      const settle = (): void => {
        for (const end of waiting) end();
      };
      sent.on('response', (answer) => {
        settle();
        sent.setTimeout(options.silenceMs, cut);
        if (answer.headers[GATEWAY_HEADERS.refused] === undefined) return resolve(answer);
        answer.resume();
        reject(new NotSent('the board server does not know this gateway: BOARD_SECRET differs between the two'));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        settle();
        const isRead = options.method === 'GET' || options.method === 'HEAD';
        // The server closed the kept connection before it read the request.
        const wasClosed = sent.reusedSocket && error.code === 'ECONNRESET';
        if (mayRepeat && isRead && wasClosed) resolve(this.#attempt(options, false));
        else reject(error);
      });
      sent.end(options.body ?? undefined);
    });
  }

  #request({ method, path, headers, signal }: Pick<UpstreamRequest, 'method' | 'path' | 'headers' | 'signal'>) {
    const { url } = this;
    if (url === null) throw new NotSent('the server is not running');
    const secure = url.startsWith('https:');
    return (secure ? secureRequest : request)(`${url}${path}`, {
      method,
      headers: { ...headers, ...this.#own },
      agent: secure ? this.#secure : this.#plain,
      ...(signal ? { signal } : {}),
    });
  }

  /** Resolves when the server answers or its port is closed; rejects when neither happens within `limitMs`. */
  #probe(limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.url === null) return resolve();
      const sent = this.#request({ method: 'GET', path: '/healthz', headers: {}, signal: null });
      const settle = unlessSettled(limitMs, () => void sent.destroy(new Silence()));
      sent.on('response', (answer) => {
        settle();
        answer.resume();
        resolve();
      });
      sent.on('error', (error) => {
        settle();
        if (error instanceof Silence) reject(error);
        else resolve();
      });
      sent.end();
    });
  }

  [Symbol.dispose](): void {
    this.#pulse[Symbol.dispose]();
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

class Silence extends Error {}

/**
 * Acts after so long, unless the returned function was called before. It first lets the sockets be read: after a pause of
 * this process the answer may be there already.
 */
function unlessSettled(milliseconds: number, act: () => void): () => void {
  let settled = false;
  const timer = setTimeout(
    () =>
      setImmediate(() => {
        if (!settled) act();
      }),
    milliseconds,
  );
  return () => {
    settled = true;
    clearTimeout(timer);
  };
}

function isFinished(method: string, answer: IncomingMessage): boolean {
  const { statusCode, headers } = answer;
  return headers['content-length'] !== undefined || method === 'HEAD' || statusCode === 204 || statusCode === 304;
}
