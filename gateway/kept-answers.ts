import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { H3Event } from 'h3';
import { LRUCache } from 'lru-cache';
import { addressOf } from '../server-kit/address.ts';
import type { AnswerFields } from '../server-kit/answer.ts';
import { acceptsGzip } from '../server-kit/conditional.ts';
import { ownMetaStart } from '../server-kit/mount.ts';
import { bodyOf, type WrittenAnswer, writtenAnswers } from '../server-kit/written-meta.ts';
import type { Admission } from './admission/admission.ts';
import type { Metrics } from './observation/metrics.ts';
import type { Observer } from './observation/observer.ts';

/** Bytes of kept answers: some hundred pages of the usual size. Most of them are those of kept searches. */
const KEPT_BYTES = 32_000_000;
/** An answer to a longer host and address, together, is not kept. */
const KEY_MAX_CHARACTERS = 1_000;
/** Bytes that a kept answer takes besides its texts. */
const OVERHEAD_BYTES = 4096;

/**
 * Request fields that change no answer to a read; which encodings are accepted, and the address, are read. A request with any
 * other field is the app's.
 */
const COMMON_FIELDS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'user-agent', 'accept', 'accept-language', 'accept-encoding', 'x-forwarded-for'],
]);

interface Kept extends WrittenAnswer {
  /** Names and values of the fields in turn, without those of rates. */
  head: readonly string[];
  bytes: number;
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
    const bytes = Number(fields.get('content-length'));
    this.#kept.set(key, { ...written, head: [...fields].flat(), bytes });
  }

  /** Answers a request if its answer is kept. `toApp` hands any other request to the app. */
  handle(request: IncomingMessage, response: ServerResponse, toApp: () => void): void {
    const kept = this.#find(request);
    if (kept === null) toApp();
    else {
      this.#answer(kept, request, response, toApp).catch(() => {
        if (response.headersSent) response.destroy();
        else toApp();
      });
    }
  }

  #find(request: IncomingMessage): Kept | null {
    const key = keyOf(request);
    const kept = key === null ? undefined : this.#kept.get(key);
    return kept?.meta.holds(this.#options.now()) ? kept : null;
  }

  async #answer(kept: Kept, request: IncomingMessage, response: ServerResponse, toApp: () => void): Promise<void> {
    const { admission, observer, metrics, now, trustedProxies } = this.#options;
    const began = performance.now();
    const address = addressOf(request, trustedProxies);
    metrics.begin();
    let rates: Record<string, string> | null;
    try {
      const admitted = admission.admitKept(request, address);
      rates = admitted instanceof Promise ? await admitted : admitted;
    } finally {
      metrics.end();
    }
    if (rates === null) return toApp();
    const own = { correlationId: randomUUID(), now: now() };
    // Its caller may have left while it waited for its turn.
    if (!response.destroyed) send(response, kept, own, rates);
    admission.chargeSize(kept.bytes, () => address);
    observer.noteKept(kept.operation, own.correlationId, began);
  }
}

/** The key of an answer; null for a request that host and address alone do not answer. */
function keyOf({ method, url, headers }: IncomingMessage): string | null {
  if (method !== 'GET' || headers.host === undefined) return null;
  for (const name in headers) if (!COMMON_FIELDS.has(name)) return null;
  if (acceptsGzip(headers['accept-encoding'] ?? null)) return null;
  const key = `${headers.host} ${url}`;
  return key.length > KEY_MAX_CHARACTERS ? null : key;
}

function send(
  response: ServerResponse,
  kept: Kept,
  own: { correlationId: string; now: Date },
  rates: Record<string, string>,
): void {
  const head = [...kept.head];
  head[head.indexOf('x-correlation-id') + 1] = own.correlationId;
  for (const name in rates) head.push(name, rates[name]!);
  // Without a reason phrase, as the app answers.
  response.writeHead(200, '', head);
  // All text is ASCII, which Node writes faster as Latin-1.
  for (const part of bodyOf(kept, ownMetaStart(own))) response.write(part, 'latin1');
  response.end();
}
