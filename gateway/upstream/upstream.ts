import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import {
  BOARD_ANSWER_MAX_SECONDS,
  BOARD_FOLLOWING_MAX_PER_ADDRESS,
  BOARD_FOLLOWING_MAX_PER_GROUP,
  BOARD_FOLLOWING_MAX_REQUESTS,
  BOARD_SHORT_CONCURRENT_REQUESTS,
  BOARD_SHORT_QUEUED_REQUESTS,
  BOARD_SHORT_WAIT_MAX_SECONDS,
  BOARD_SILENCE_MAX_SECONDS,
} from '../../contract/limits/limits.ts';
import { GATEWAY_HEADERS } from '../../server-kit/gateway-headers.ts';
import { type Holder, type QueueOptions, RequestQueue } from './request-queue.ts';
import { inOrderOfChoice } from './server-choice.ts';
import { isRead, type LinkRequest, NotSent, ServerLink, type Standing } from './server-link.ts';

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

/** Time between two looks at each of several servers. */
const LOOK_EVERY_MS = 1_000;
/** Servers that one request tries, the first included. */
const TRIES_MAX = 3;

interface UpstreamRequest extends Omit<LinkRequest, 'waits'> {
  queue: QueueName;
  /** Caller whose share of the queue it counts against; default none. */
  holder?: Holder;
}

interface UpstreamOptions {
  queues?: Partial<Record<QueueName, QueueOptions>>;
  /** What the gateway proves itself with to the servers; null sends nothing. */
  secret?: string | null;
  /** A server that answers neither request nor probe for this long counts as silent. */
  patienceMs?: number;
  /** How long a short request may wait for its answer while others are answered. */
  answerMs?: number;
  /** Time between two looks at each of several servers. */
  lookEveryMs?: number;
}

/**
 * The servers behind the gateway that answer one kind of operation: one whose address may change when it restarts, or
 * several that answer alike.
 */
export class Upstream implements Disposable {
  readonly queues: Readonly<Record<QueueName, RequestQueue>>;
  readonly patienceMs: number;
  readonly answerMs: number;
  readonly #own: OutgoingHttpHeaders;
  readonly #lookEveryMs: number;
  #links: ServerLink[] = [];
  #looking: NodeJS.Timeout | null = null;
  #turn = 0;

  constructor(url: string | readonly string[] | null, options: UpstreamOptions = {}) {
    const { queues = {}, secret = null, patienceMs = BOARD_SILENCE_MAX_SECONDS * 1000 } = options;
    const { short, following, own } = { ...QUEUES, ...queues };
    this.patienceMs = patienceMs;
    this.answerMs = Math.max(patienceMs, options.answerMs ?? BOARD_ANSWER_MAX_SECONDS * 1000);
    this.queues = {
      short: new RequestQueue(short),
      following: new RequestQueue(following),
      own: new RequestQueue(own),
    };
    this.#own = secret === null ? {} : { [GATEWAY_HEADERS.secret]: secret };
    this.#lookEveryMs = options.lookEveryMs ?? LOOK_EVERY_MS;
    this.#reach(url === null ? [] : [url].flat());
  }

  /** Base address of the one server, without a trailing slash; null while it is not running. */
  get url(): string | null {
    return this.#links[0]?.url ?? null;
  }

  set url(url: string | null) {
    if (url !== null && this.#links.length === 1 && this.#links[0]!.url === url) return;
    this.#reach(url === null ? [] : [url]);
  }

  /** What is known of each server, in the order of the addresses. */
  get standings(): Standing[] {
    return this.#links.map(({ standing }) => standing);
  }

  /**
   * Sends a request when its turn comes, to the server that has the least to do, and resolves with the answer once its
   * headers have arrived. Rejects with QueueRefusal or NotSent if the request was never sent, NotSent at once while all
   * servers are silent; rejects also if the server falls silent or takes too long, or if `signal` aborts. A read that got no
   * answer goes to another server; a write only if it did not reach the first.
   */
  async send(options: UpstreamRequest): Promise<IncomingMessage> {
    this.#turn += 1;
    this.#inOrder();
    const leave = await this.queues[options.queue].enter(options.holder ?? null, options.signal);
    try {
      const answer = await this.#fromFirstThatAnswers(options);
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

  async #fromFirstThatAnswers(options: UpstreamRequest): Promise<IncomingMessage> {
    const tried = new Set<ServerLink>();
    for (;;) {
      const link = this.#inOrder().find((one) => !tried.has(one));
      if (link === undefined) throw new NotSent('no server is left to be asked');
      tried.add(link);
      try {
        // A long poll is silent while nothing happens.
        return await link.send({ ...options, waits: options.queue === 'following' });
      } catch (error) {
        const mayGoOn = isRead(options.method) || error instanceof NotSent;
        const isLast = tried.size >= Math.min(TRIES_MAX, this.#links.length);
        if (!mayGoOn || isLast || options.signal?.aborted || this.#inOrder().every((one) => tried.has(one)))
          throw error;
      }
    }
  }

  /** Servers that may be asked, the best first. Throws NotSent where there is none. */
  #inOrder(): ServerLink[] {
    if (this.#links.length === 0) throw new NotSent('the server is not running');
    const order = inOrderOfChoice(this.standings, this.#turn);
    if (order.length === 0) throw new NotSent('the server does not answer, not even a probe');
    return order.map((place) => this.#links[place]!);
  }

  #reach(urls: readonly string[]): void {
    this[Symbol.dispose]();
    this.#links = urls.map((url) => new ServerLink(url, this.#own, this.patienceMs));
    // One server is asked whatever is known of it.
    if (urls.length < 2) return;
    const look = (): void => {
      for (const link of this.#links) void link.look();
    };
    this.#looking = setInterval(look, this.#lookEveryMs).unref();
    look();
  }

  [Symbol.dispose](): void {
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
    for (const link of this.#links) link[Symbol.dispose]();
    this.#links = [];
  }
}

function isFinished(method: string, answer: IncomingMessage): boolean {
  const { statusCode, headers } = answer;
  return headers['content-length'] !== undefined || method === 'HEAD' || statusCode === 204 || statusCode === 304;
}
