import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type H3Event, HTTPResponse } from 'h3';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { CHANGES_WAIT_MAX_SECONDS, COORDINATION_BODY_MAX_BYTES } from '../contract/limits.ts';
import type { Operation } from '../contract/operation.ts';
import { clientIp } from '../server-kit/address.ts';
import { receivedBytes } from '../server-kit/body.ts';
import { correlationIdOf } from '../server-kit/mount.ts';
import { Problem } from '../server-kit/problem.ts';
import type { Upstream } from './upstream.ts';

/** What of a request reaches the server behind; nothing else does. */
const REQUEST_HEADERS = [
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'if-none-match',
  'idempotency-key',
  'x-api-key',
  'x-release-token',
  'x-withdraw-token',
  'x-webhook-secret',
  'last-event-id',
] as const;

/** What of an answer reaches the client. */
const RESPONSE_HEADERS = [
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-type',
  'etag',
  'idempotency-replayed',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'vary',
  'x-accel-buffering',
  'x-changes-head',
  'x-content-type-options',
  'x-correlation-id',
] as const;

/** A long poll is silent for as long as it waits; a stream must say something more often than this. */
const SILENCE_MAX_MS = (CHANGES_WAIT_MAX_SECONDS + 15) * 1000;
/** An answer of known length up to this is handed on in one piece, which is several times cheaper than a stream. */
const WHOLE_MAX_BYTES = 1_000_000;

export type Forward = (event: H3Event, operation: Operation) => Promise<HTTPResponse>;

/**
 * Hands operations on to the server behind. A body is read whole first, within the operation's ceiling, so that a slow
 * or endless one never reaches that server; answers are streamed. A server that does not answer is the operation's own
 * availability code.
 */
export function forwarder(upstream: Upstream, trustedProxies: number): Forward {
  return async (event, operation) => {
    const body =
      operation.body === undefined
        ? null
        : await receivedBytes(event, operation.bodyMaxBytes ?? COORDINATION_BODY_MAX_BYTES);
    const answer = await upstream
      .send({
        method: event.req.method,
        path: new URL(event.req.url).pathname + event.url.search,
        headers: requestHeaders(event, body, trustedProxies),
        body,
        silenceMs: SILENCE_MAX_MS,
        signal: event.req.signal,
      })
      .catch((cause: unknown) => {
        throw new Problem(unavailableCode(operation), { cause });
      });
    return response(event, operation, answer);
  };
}

/** The 503 of an operation whose server does not answer: the one availability code that it declares. */
export function unavailableCode(operation: Operation): ErrorCode {
  return operation.errors.find((code) => ERRORS[code].family === 'availability') ?? 'DB_ERROR';
}

function requestHeaders(event: H3Event, body: Buffer | null, trustedProxies: number): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    // Addresses in the answer are made of the host that the client asked.
    host: event.url.host,
    'x-forwarded-for': clientIp(event, trustedProxies),
    'x-correlation-id': correlationIdOf(event),
  };
  for (const name of REQUEST_HEADERS) {
    const value = event.req.headers.get(name);
    if (value !== null) headers[name] = value;
  }
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

async function response(event: H3Event, operation: Operation, answer: IncomingMessage): Promise<HTTPResponse> {
  const status = answer.statusCode ?? 502;
  const headers = responseHeaders(answer.headers);
  if (event.req.method === 'HEAD' || status === 204 || status === 304) {
    answer.resume();
    return new HTTPResponse(null, { status, headers });
  }
  const length = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (length > WHOLE_MAX_BYTES) {
    return new HTTPResponse(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
  }
  const body = await buffer(answer).catch((cause: unknown) => {
    throw new Problem(unavailableCode(operation), { cause });
  });
  return new HTTPResponse(body, { status, headers });
}
