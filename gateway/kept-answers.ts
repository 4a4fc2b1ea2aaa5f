import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { H3Event } from 'h3';
import { LRUCache } from 'lru-cache';
import type { AnswerFields } from '../server-kit/answer/answer.ts';
import { answerSizeOf } from '../server-kit/answer/answer-size.ts';
import { type WrittenAnswer, writtenAnswers } from '../server-kit/answer/written-meta.ts';
import { acceptsGzip } from '../server-kit/conditional.ts';
import { addressOf } from '../server-kit/limits/address.ts';
import { type Awaitable, goOn } from '../server-kit/limits/limits.ts';
import { ownMetaStart } from '../server-kit/mount.ts';
import type { Admission } from './admission/admission.ts';
import { gzipBody, type KeptBody, plainBody } from './kept-body.ts';
import type { Metrics } from './observation/metrics.ts';
import type { Observer } from './observation/observer.ts';

/** Bytes of kept answers: some hundred pages of the usual size. Most of them are those of kept searches. */
const KEPT_BYTES = 32_000_000;
/** An answer to a longer host and address, together, is not kept. */
const KEY_MAX_CHARACTERS = 1_000;
/** Bytes that a kept answer takes besides its texts. */
const OVERHEAD_BYTES = 4096;

/**
 * Request fields that change no answer to a read but its encoding; the address is read, too. A request with any other field
 * is the app's.
 */
const COMMON_FIELDS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'user-agent', 'accept', 'accept-language', 'accept-encoding'],
  // Of pages and of `fetch` in programs.
  ...['origin', 'referer', 'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site', 'priority'],
  ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'],
  // Of proxies.
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip', 'via'],
]);

interface Kept {
  written: WrittenAnswer;
  /** Bytes of the body before it was packed, for which the address is charged. */
  bytes: number;
  isPacked: boolean;
  /** Names and values of the fields in turn, without those of rates. */
  head: readonly string[];
  /** Null until the answer is given again. */
  body: KeptBody | null;
}

/** A request whose answer is kept. */
interface Given {
  kept: Kept;
  request: IncomingMessage;
  response: ServerResponse;
  toApp: () => void;
  /** `performance.now()` of its beginning. */
  began: number;
}

interface KeptAnswersOptions {
  admission: Admission;
  observer: Observer;
  metrics: Metrics;
  now: () => Date;
  trustedProxies: number;
}

/**
 * Whole answers to reads that were asked before by callers without a key, given again as they were sent, but for time,
 * correlation id and rate fields, for as long as they hold. A request is admitted, counted and logged by the same parts as
 * in the app, whose router and handlers it goes around; whatever is to be refused is left to the app.
 */
export class KeptAnswers {
  readonly #options: KeptAnswersOptions;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + OVERHEAD_BYTES,
  });

  constructor(options: KeptAnswersOptions) {
    this.#options = options;
  }

  /** Keeps the answer that the app is about to send, with the fields that it has before those of rates. */
  take(event: H3Event, { status }: Response, fields: AnswerFields): void {
    const written = writtenAnswers.get(event);
    const request = event.runtime?.node?.req as IncomingMessage | undefined;
    if (written === undefined || request === undefined || status !== 200 || written.operation.bucket !== 'read') return;
    const key = keyOf(request);
    if (key === null) return;
    const isPacked = fields.get('content-encoding') === 'gzip';
    this.#kept.set(key, { written, bytes: answerSizeOf(event), isPacked, head: [...fields].flat(), body: null });
  }

  /** Answers a request if its answer is kept. `toApp` hands any other request to the app. */
  handle(request: IncomingMessage, response: ServerResponse, toApp: () => void): void {
    const began = performance.now();
    const kept = this.#find(request);
    if (kept === null) {
      toApp();
      return;
    }
    const giveUp = (): void => {
      if (response.headersSent) response.destroy();
      else toApp();
    };
    try {
      const given = this.#give({ kept, request, response, toApp, began });
      if (given instanceof Promise) this.#inFlight(given).catch(giveUp);
    } catch {
      giveUp();
    }
  }

  #find(request: IncomingMessage): Kept | null {
    const key = keyOf(request);
    const kept = key === null ? undefined : this.#kept.get(key);
    return kept?.written.meta.holds(this.#options.now()) ? kept : null;
  }

  #give({ kept, request, response, toApp, began }: Given): Awaitable<void> {
    const { admission, observer, now, trustedProxies } = this.#options;
    const address = addressOf(request, trustedProxies);
    return goOn(admission.admitKept(request, address), (rates) => {
      if (rates === null) return toApp();
      return goOn(bodyOf(kept), (body) => {
        const own = { correlationId: randomUUID(), now: now() };
        // Its caller may have left while it waited for its turn.
        if (!response.destroyed) send(response, kept.head, body, { ...own, rates });
        admission.chargeKeptSize(kept.bytes, address);
        observer.noteKept(kept.written.operation, own.correlationId, began);
      });
    });
  }

  /** Counts a request while it waits; nobody could see one that is answered at once. */
  async #inFlight(given: Promise<void>): Promise<void> {
    this.#options.metrics.begin();
    try {
      await given;
    } finally {
      this.#options.metrics.end();
    }
  }
}

/** The key of an answer; null for a request that host and address alone do not answer. */
function keyOf({ method, url, headers }: IncomingMessage): string | null {
  if (method !== 'GET' || headers.host === undefined) return null;
  for (const name in headers) if (!COMMON_FIELDS.has(name)) return null;
  const encoding = acceptsGzip(headers['accept-encoding'] ?? null) ? 'gzip ' : '';
  const key = `${encoding}${headers.host} ${url}`;
  return key.length > KEY_MAX_CHARACTERS ? null : key;
}

/** The body of a kept answer, made when it is given again for the first time: most answers never are. */
function bodyOf(kept: Kept): Awaitable<KeptBody> {
  if (kept.body !== null) return kept.body;
  return goOn(kept.isPacked ? gzipBody(kept.written) : plainBody(kept.written), (body) => {
    kept.body = body;
    return body;
  });
}

function send(
  response: ServerResponse,
  kept: readonly string[],
  body: KeptBody,
  own: { correlationId: string; now: Date; rates: Record<string, string> },
): void {
  const head = kept.slice();
  head[head.indexOf('x-correlation-id') + 1] = own.correlationId;
  for (const name in own.rates) head.push(name, own.rates[name]!);
  head.push(...body.fields);
  // Without a reason phrase, as the app answers.
  response.writeHead(200, '', head);
  const parts = body.parts(ownMetaStart(own));
  const last = parts.pop();
  // They leave in one piece.
  response.cork();
  for (const part of parts) response.write(part, 'latin1');
  response.end(last, 'latin1');
}
