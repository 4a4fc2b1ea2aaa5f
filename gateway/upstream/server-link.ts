import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { GATEWAY_HEADERS } from '../../server-kit/gateway-headers.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { jsonOf } from './answer-body.ts';
import { Pulse } from './pulse.ts';

/** Idle connections that are kept open. */
const FREE_CONNECTIONS_MAX = 256;

/** Pauses between two looks at a server that does not answer. */
const LOOK_PAUSE_FIRST_MS = 500;
const LOOK_PAUSE_MAX_MS = 10_000;
const READINESS_MAX_BYTES = 100_000;

export interface LinkRequest {
  method: string;
  /** Path and query as sent. */
  path: string;
  headers: OutgoingHttpHeaders;
  body: Buffer | null;
  /** The request fails where the server was silent for so long, and within its answer after this long without a byte. */
  silenceMs: number;
  /** Longest wait for the answer of a server that answers others meanwhile; default `silenceMs`. */
  answerMs?: number;
  signal: AbortSignal | null;
  /** Whether its answer may be long in coming, so that silence says nothing of the server. */
  waits: boolean;
}

/** Nothing of the request was sent, so that nothing of it was carried out. */
export class NotSent extends Error {}

/** Part of the patience after which, again and again, a request that waits doubts its server and has it probed. */
const DOUBT_EVERY = 0.25;
/** Part of the patience that a probe may take. */
const PROBE_WITHIN = 0.75;

/** What is known of one server from its probes and answers. */
export interface Standing {
  /** It takes requests: neither down nor draining, and not without a snapshot. */
  isReady: boolean;
  /** It answers neither a request nor a probe. */
  isSilent: boolean;
  /** Requests under way. */
  inFlight: number;
  /** The snapshot that it serves, as far as that is known. */
  snapshot: string | null;
}

/** One server behind the gateway, reached over kept connections. */
export class ServerLink implements Disposable {
  readonly url: string;
  readonly #own: OutgoingHttpHeaders;
  readonly #patienceMs: number;
  readonly #pulse: Pulse;
  readonly #agent: Agent | SecureAgent;
  #inFlight = 0;
  /** Whether the last connection was made. */
  #isReached = true;
  /** What the last look found. */
  #isReady = true;
  #isLooking = false;
  #lookPauseMs = 0;
  #lookAgainAt = 0;
  #snapshot: string | null = null;

  constructor(url: string, own: OutgoingHttpHeaders, patienceMs: number) {
    this.url = url;
    this.#own = own;
    this.#patienceMs = patienceMs;
    this.#agent = new (url.startsWith('https:') ? SecureAgent : Agent)({
      keepAlive: true,
      maxFreeSockets: FREE_CONNECTIONS_MAX,
    });
    this.#pulse = new Pulse(() => this.#probe(patienceMs * PROBE_WITHIN));
  }

  get standing(): Standing {
    const { isSilent } = this.#pulse;
    return { isReady: this.#isReached && this.#isReady, isSilent, inFlight: this.#inFlight, snapshot: this.#snapshot };
  }

  /**
   * Resolves with the answer once its headers have arrived. Rejects with NotSent if no connection could be made, and
   * otherwise if the server stays silent too long, or if `signal` aborts. A read whose kept connection had just been closed
   * is sent once more.
   */
  async send(options: LinkRequest): Promise<IncomingMessage> {
    this.#inFlight += 1;
    const end = (): void => {
      this.#inFlight -= 1;
    };
    try {
      const answer = await this.#attempt(options, true);
      this.#isReached = true;
      this.#snapshot = versionOf(answer.headers[GATEWAY_HEADERS.snapshot]) ?? this.#snapshot;
      answer.once('close', end);
      return answer;
    } catch (error) {
      end();
      if (error instanceof NotSent) this.#isReached = false;
      throw error;
    }
  }

  /**
   * Asks the server whether it takes requests, and which snapshot it serves; less and less often while it does not
   * answer. Never rejects.
   */
  async look(): Promise<void> {
    if (this.#isLooking || performance.now() < this.#lookAgainAt) return;
    this.#isLooking = true;
    try {
      const sent = { method: 'GET', path: '/readyz', headers: {}, body: null, signal: null, waits: true };
      const answer = await this.#attempt({ ...sent, silenceMs: this.#patienceMs * PROBE_WITHIN }, true);
      const limits = { maxBytes: READINESS_MAX_BYTES, maxMs: this.#patienceMs * PROBE_WITHIN };
      const { snapshot } = (await jsonOf(answer, limits)) as { snapshot?: unknown };
      this.#isReady = answer.statusCode === 200;
      this.#snapshot = versionOf(snapshot);
      this.#isReached = true;
      this.#lookPauseMs = 0;
    } catch {
      this.#isReached = false;
      this.#lookPauseMs = Math.min(LOOK_PAUSE_MAX_MS, Math.max(LOOK_PAUSE_FIRST_MS, this.#lookPauseMs * 2));
    }
    this.#lookAgainAt = performance.now() + this.#lookPauseMs;
    this.#isLooking = false;
  }

  #attempt(options: LinkRequest, mayRepeat: boolean): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = this.#request(options);
      let isConnected = false;
      sent.on('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isConnected = true));
        else isConnected = true;
      });
      const cut = (): void => void sent.destroy(new Error(`no byte for ${options.silenceMs} ms`));
      const settle = this.#watch(options, (reason) => void sent.destroy(new Error(reason)));
      sent.on('response', (answer) => {
        settle();
        this.#pulse.heard();
        sent.setTimeout(options.silenceMs, cut);
        if (answer.headers[GATEWAY_HEADERS.refused] === undefined) return resolve(answer);
        answer.resume();
        reject(new NotSent('the board server does not know this gateway: BOARD_SECRET differs between the two'));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        settle();
        // The server closed the kept connection before it read the request.
        const wasClosed = sent.reusedSocket && error.code === 'ECONNRESET';
        if (mayRepeat && isRead(options.method) && wasClosed) resolve(this.#attempt(options, false));
        else if (isConnected || options.signal?.aborted) reject(error);
        else reject(new NotSent(`no connection: ${error.message}`, { cause: error }));
      });
      sent.end(options.body ?? undefined);
    });
  }

  /** Gives a request up where its answer takes too long or its server falls silent, until the returned function is called. */
  #watch({ silenceMs, answerMs = silenceMs, waits }: LinkRequest, giveUp: (reason: string) => void): () => void {
    const endLimit = unlessSettled(answerMs, () => giveUp(`no answer for ${answerMs} ms`));
    let endDoubt = (): void => {};
    const doubtLater = (): void => {
      endDoubt = unlessSettled(this.#patienceMs * DOUBT_EVERY, () => {
        if (this.#pulse.silentMs >= silenceMs) giveUp(`neither it nor a probe was answered for ${silenceMs} ms`);
        else doubtLater();
        this.#pulse.doubt();
      });
    };
    if (!waits) doubtLater();
    return () => {
      endLimit();
      endDoubt();
    };
  }

  #request({ method, path, headers, signal }: Pick<LinkRequest, 'method' | 'path' | 'headers' | 'signal'>) {
    return (this.url.startsWith('https:') ? secureRequest : request)(`${this.url}${path}`, {
      method,
      headers: { ...headers, ...this.#own },
      agent: this.#agent,
      ...(signal ? { signal } : {}),
    });
  }

  /** Resolves when the server answers or its port is closed; rejects when neither happens within `limitMs`. */
  #probe(limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
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
    this.#agent.destroy();
  }
}

/** Whether a request may be sent again wherever its first answer was lost. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** What is no name of a version would sort before all of them, and its server be asked first for ever. */
function versionOf(told: unknown): string | null {
  return typeof told === 'string' && VERSION_PATTERN.test(told) ? told : null;
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
