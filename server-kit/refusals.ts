import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../contract/errors/errors.ts';
import { Problem, problemAnswer } from './problem.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/**
 * A fault found before any route sees the request: a code of the error catalogue, with the status that HTTP prescribes.
 */
export interface RequestFault {
  status: 400 | 405 | 408 | 413 | 417 | 429 | 431;
  code: ErrorCode;
  expected: string;
  retryAfterSeconds?: number;
}

/** Time that a client has to read the answer before the connection is destroyed. */
const LINGER_MS = 2_000;
/** Soon enough for a client that ends a connection of its own first. */
const CONNECTION_RETRY_SECONDS = 5;
const METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const MALFORMED: RequestFault = {
  status: 400,
  code: 'INVALID_PARAM',
  expected: 'HTTP/1.1 without ambiguous lengths, folded lines or control characters',
};
const UNKNOWN_METHOD: RequestFault = { status: 405, code: 'METHOD_NOT_ALLOWED', expected: `one of ${METHODS}` };

/** Faults by the error code of Node's parser or server; any other one is a malformed request. */
const BY_PARSER_CODE: Record<string, RequestFault> = {
  HPE_INVALID_METHOD: UNKNOWN_METHOD,
  HPE_HEADER_OVERFLOW: { status: 431, code: 'INVALID_PARAM', expected: 'a shorter request line and fewer headers' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'BODY_TOO_LARGE', expected: 'chunks without long extensions' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'INVALID_PARAM', expected: 'the whole request in less time' },
};

/** The fault of a connection on which the parser failed. */
export function parserFault(error: Error): RequestFault {
  return BY_PARSER_CODE[(error as NodeJS.ErrnoException).code ?? ''] ?? MALFORMED;
}

export const EXPECTATION_FAULT: RequestFault = {
  status: 417,
  code: 'INVALID_PARAM',
  expected: 'no Expect header but 100-continue',
};
export const TUNNEL_FAULT: RequestFault = UNKNOWN_METHOD;

/** A connection above the ceiling of its address. */
export function tooManyConnections(ceiling: number): RequestFault {
  const expected = `at most ${ceiling} connections from one address; end one, or use one that is open`;
  return { status: 429, code: 'RATE_LIMITED', expected, retryAfterSeconds: CONNECTION_RETRY_SECONDS };
}

/** Checks a parsed request for its host and the form of its target; null if there is no fault. */
export function requestFault(request: IncomingMessage): RequestFault | null {
  const { url = '', method, rawHeaders } = request;
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (rawHeaders[place]!.toLowerCase() === 'host') hosts += 1;
  }
  const { host } = request.headers;
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) {
    return { status: 400, code: 'INVALID_PARAM', expected: 'exactly one Host header' };
  }
  if (host !== undefined && !HOST.test(host)) {
    return { status: 400, code: 'INVALID_PARAM', expected: 'a Host header that is a name or an address' };
  }
  if (url.startsWith('/')) return null;
  const authority = /^https?:\/\/([^/?]+)/i.exec(url)?.[1];
  const known = (authority !== undefined && HOST.test(authority)) || (url === '*' && method === 'OPTIONS');
  return known ? null : { status: 400, code: 'INVALID_PARAM', expected: 'a path, or an http address without a user' };
}

/** Answers a request that could be parsed. */
export function refuse(response: ServerResponse, fault: RequestFault): string {
  const { headers, body, correlationId } = refusal(fault);
  response.writeHead(fault.status, headers).end(body);
  return correlationId;
}

/** Answers on a connection that sent no valid request, and ends it. */
export function refuseOn(socket: Duplex, fault: RequestFault): string {
  const { headers, body, correlationId } = refusal(fault);
  const lines = Object.entries({ ...headers, date: new Date().toUTCString() }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // Unread bytes at the time that a connection is destroyed would discard the answer too.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  return correlationId;
}

function refusal({ code, expected, status, retryAfterSeconds }: RequestFault) {
  const correlationId = randomUUID();
  const message = `The request is not usable: expected ${expected}.`;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const details = code === 'INVALID_PARAM' ? { message, parameter: 'request', expected } : { message, ...wait };
  const answer = problemAnswer(new Problem(code, details), correlationId);
  const body = JSON.stringify(answer.body);
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...answer.headers,
    ...(status === 405 ? { allow: METHODS } : {}),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { headers, body, correlationId };
}
