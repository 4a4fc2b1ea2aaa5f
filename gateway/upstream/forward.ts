import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { H3Event, HTTPResponse } from 'h3';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import {
  BOARD_FOLLOWING_GRACE_SECONDS,
  CHANGES_WAIT_MAX_SECONDS,
  COORDINATION_BODY_MAX_BYTES,
  RATE_WINDOW_SECONDS,
} from '../../contract/limits/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { Answer } from '../../server-kit/answer/answer.ts';
import { ASKED_BARE_HEADER } from '../../server-kit/answer/asked-bare.ts';
import { ASKED_VERSION_HEADER } from '../../server-kit/answer/asked-version.ts';
import { jsonBytes } from '../../server-kit/body.ts';
import { addressGroup, clientAddress, clientIp } from '../../server-kit/limits/address.ts';
import { correlationIdOf, noteFailure } from '../../server-kit/mount.ts';
import { queryPairs } from '../../server-kit/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import { isBare, versionOfFile } from '../observation/inner-requests.ts';
import { bytesOf } from './answer-body.ts';
import { QueueRefusal } from './request-queue.ts';
import { NotSent } from './server-link.ts';
import type { Upstream } from './upstream.ts';

/** Request headers that are passed on; all others are dropped. */
const REQUEST_HEADERS = [
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'if-match',
  'if-none-match',
  'if-range',
  'idempotency-key',
  'x-api-key',
  'x-release-token',
  'x-withdraw-token',
  'x-webhook-secret',
  'x-prediction-token',
  'last-event-id',
  'range',
] as const;

/** Response headers that are passed on; all others are dropped. */
const RESPONSE_HEADERS = [
  'accept-ranges',
  'allow',
  'cache-control',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-location',
  'content-range',
  'content-type',
  'etag',
  'idempotency-replayed',
  'last-modified',
  'link',
  'location',
  'repr-digest',
  'retry-after',
  'vary',
  'x-accel-buffering',
  'x-changes-head',
  'x-content-type-options',
  'x-correlation-id',
] as const;

/** Longest silence before an answer that may last. A long poll is silent while it waits; a stream sends something more often. */
const FOLLOWING_SILENCE_MAX_MS = (CHANGES_WAIT_MAX_SECONDS + BOARD_FOLLOWING_GRACE_SECONDS) * 1000;
/** An answer of known length up to this is read whole and sent in one piece: several times cheaper than a stream. */
const WHOLE_MAX_BYTES = 1_000_000;

export type Forward = (event: H3Event, operation: Operation) => Promise<HTTPResponse>;

export interface ForwardOptions {
  trustedProxies: number;
  /** Aborts when this process begins to drain; long polls and streams then end. */
  draining: AbortSignal | null;
  /** Refuses a body that the server behind cannot judge alone. */
  check?: (event: H3Event, operation: Operation, body: Buffer) => Promise<void>;
  /** Headers of the gateway's own that a request gains. */
  beside?: (operation: Operation, body: Buffer | null) => Promise<OutgoingHttpHeaders>;
}

/**
 * Forwards operations to the server behind. The request body is read whole first, up to the operation's limit, so that a
 * slow or endless body never reaches that server; answers are streamed. If the server does not answer, or the queue has
 * no place for the request, the caller gets the operation's own availability code.
 */
export function forwarder(upstream: Upstream, options: ForwardOptions): Forward {
  return async (event, operation) => {
    const body =
      operation.body === undefined
        ? null
        : await jsonBytes(event, operation.bodyMaxBytes ?? COORDINATION_BODY_MAX_BYTES);
    if (body !== null) await options.check?.(event, operation, body);
    const queue = queueOf(event, operation);
    const address = clientAddress(event, options.trustedProxies);
    const { patienceMs, answerMs } = upstream;
    const limits =
      queue === 'following'
        ? { silenceMs: FOLLOWING_SILENCE_MAX_MS }
        : { silenceMs: patienceMs, answerMs: answerMs + (operation.asksOutsideSeconds ?? 0) * 1000 };
    const path = new URL(event.req.url).pathname + event.url.search;
    const own = (await options.beside?.(operation, body)) ?? {};
    const send = (sentPath: string, signal: AbortSignal) =>
      upstream.send({
        method: event.req.method,
        path: sentPath,
        headers: { ...requestHeaders(event, body, options.trustedProxies), ...own },
        body,
        ...limits,
        signal,
        queue,
        holder: { subject: address, group: addressGroup(address) },
      });
    const drain = queue === 'following' ? options.draining : null;
    const answer = await answeredBeforeDrain(send, path, event.req.signal, drain).catch((cause: unknown) => {
      throw unavailable(operation, cause);
    });
    return response(event, operation, answer, drain);
  };
}

type Send = (path: string, signal: AbortSignal) => Promise<IncomingMessage>;

/** A long poll that still waits when the drain begins is sent again without its wait, so that it ends with a page. */
async function answeredBeforeDrain(
  send: Send,
  path: string,
  gone: AbortSignal,
  drain: AbortSignal | null,
): Promise<IncomingMessage> {
  if (drain === null) return send(path, gone);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  if (!drain.aborted) drain.addEventListener('abort', end, { once: true });
  try {
    return await send(drain.aborted ? withoutWait(path) : path, AbortSignal.any([gone, ended.signal]));
  } catch (error) {
    if (!ended.signal.aborted || gone.aborted) throw error;
    return await send(withoutWait(path), gone);
  } finally {
    drain.removeEventListener('abort', end);
  }
}

/** Compares decoded names, because the server behind decodes them too. */
function withoutWait(path: string): string {
  const [pathname = '', search = ''] = path.split('?', 2);
  const kept = search.split('&').filter((pair) => queryPairs(pair)[0]?.name !== 'wait');
  return `${pathname}?${kept.join('&')}`;
}

/** The queue of requests that may last, or the one of requests that end at once. */
function queueOf(event: H3Event, operation: Operation): 'short' | 'following' {
  const { streams } = operation;
  if (streams === undefined) return 'short';
  const accepted = (event.req.headers.get('accept') ?? '').toLowerCase();
  const lasts = operation.envelope === false || streams.some((type) => accepted.includes(type));
  const waits = queryPairs(event.url.search).some(({ name, value }) => name === 'wait' && !/^0*$/.test(value ?? ''));
  return lasts || waits ? 'following' : 'short';
}

function unavailable(operation: Operation, cause: unknown): Problem {
  if (cause instanceof NotSent) {
    const message = 'This part of the service does not answer at present; the request was not carried out.';
    return new Problem(unavailableCode(operation), { message, cause });
  }
  if (!(cause instanceof QueueRefusal)) return new Problem(unavailableCode(operation), { cause });
  if (cause.own) {
    const message =
      'This address, or its group (/24 or /48), has as many streams and long polls open as it may have; end one before you open another.';
    return new Problem('RATE_LIMITED', { message, retryAfterSeconds: RATE_WINDOW_SECONDS, cause });
  }
  const message = 'Too many requests wait for this part of the service; this one was not carried out.';
  return new Problem(unavailableCode(operation), { message, cause });
}

/** The one availability code that the operation declares, for when its server does not answer. */
export function unavailableCode(operation: Operation): ErrorCode {
  return operation.errors.find((code) => ERRORS[code].family === 'availability') ?? 'DB_ERROR';
}

function requestHeaders(event: H3Event, body: Buffer | null, trustedProxies: number): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    // The server behind makes the addresses in its answer from the host that the client asked.
    host: event.url.host,
    'x-forwarded-for': clientIp(event, trustedProxies),
    'x-correlation-id': correlationIdOf(event),
  };
  for (const name of REQUEST_HEADERS) {
    const value = event.req.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const version = versionOfFile(event);
  if (version !== null) headers[ASKED_VERSION_HEADER] = version;
  if (isBare(event)) headers[ASKED_BARE_HEADER] = 'true';
  if (body !== null) headers['content-length'] = body.length;
  return headers;
}

function responseHeaders(sent: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    RESPONSE_HEADERS.flatMap((name) => {
      const value = sent[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

async function response(
  event: H3Event,
  operation: Operation,
  answer: IncomingMessage,
  drain: AbortSignal | null,
): Promise<HTTPResponse> {
  const status = answer.statusCode ?? 502;
  const headers = { ...responseHeaders(answer.headers), ...fileLength(operation, answer.headers) };
  if (event.req.method === 'HEAD' || status === 204 || status === 304) {
    answer.resume();
    return new Answer(event, null, { status, headers });
  }
  const length = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (length > WHOLE_MAX_BYTES && status < 400) {
    const endless = operation.envelope !== false && drain !== null;
    return new Answer(event, endless ? endedBy(drain, answer) : streamOf(answer), { status, headers });
  }
  const body = await bytesOf(answer, { maxBytes: WHOLE_MAX_BYTES }).catch((cause: unknown) => {
    throw new Problem(unavailableCode(operation), { cause });
  });
  if (status >= 500) noteFailure(event, codeIn(body));
  return new Answer(event, body, { status, headers });
}

/** A streamed file keeps its length, so that a client can tell when a download broke off. */
function fileLength({ statuses }: Operation, sent: IncomingHttpHeaders): Record<string, string> {
  const length = sent['content-length'];
  return length !== undefined && statuses?.includes(206) ? { 'content-length': length } : {};
}

function streamOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  return Readable.toWeb(answer) as ReadableStream<Uint8Array>;
}

/** Passes the stream on, and closes it without an error once the drain begins: its reader resumes on another server. */
function endedBy(drain: AbortSignal, answer: IncomingMessage): ReadableStream<Uint8Array> {
  const source = streamOf(answer).getReader();
  let end: () => void = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      end = () => {
        controller.close();
        void source.cancel().catch(() => {});
      };
      if (drain.aborted) end();
      else drain.addEventListener('abort', end, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await source.read();
        if (drain.aborted) return;
        if (!done) return controller.enqueue(value);
        drain.removeEventListener('abort', end);
        controller.close();
      } catch (error) {
        drain.removeEventListener('abort', end);
        if (!drain.aborted) throw error;
      }
    },
    async cancel(reason) {
      drain.removeEventListener('abort', end);
      await source.cancel(reason);
    },
  });
}

/** The code of an error answer, in either form: envelope or problem document. */
function codeIn(body: Buffer): string {
  try {
    const { error, code } = JSON.parse(body.toString()) as { error?: { code?: string }; code?: string };
    return error?.code ?? code ?? 'INTERNAL_ERROR';
  } catch {
    return 'INTERNAL_ERROR';
  }
}
