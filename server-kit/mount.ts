import { randomUUID } from 'node:crypto';
import { type H3, type H3Event, HTTPError, type HTTPResponse } from 'h3';
import type { Logger } from 'pino';
import { isImpersonalPath } from '../contract/impersonal-paths.ts';
import type { Operation, OperationError, OperationInput, OperationOutput } from '../contract/operation.ts';
import { API_NAME, API_VERSION, SCHEMA_VERSION } from '../contract/version.ts';
import { Answer } from './answer/answer.ts';
import { Finished } from './answer/finished.ts';
import { ignoredNotices } from './answer/ignored.ts';
import type { BodyPart } from './answer/joined-body.ts';
import { nextCallsOnce } from './answer/next-calls-once.ts';
import { jsonOf } from './answer/written-json.ts';
import { readBody } from './body.ts';
import { answerWithCaching } from './conditional.ts';
import { clientAddress } from './limits/address.ts';
import { PerRequest } from './limits/per-request.ts';
import { readParameters, readQuery } from './parameters.ts';
import {
  asksForProblemDocument,
  PROBLEM_MEDIA_TYPE,
  Problem,
  type ProblemDetails,
  problemAnswer,
  problemDocument,
} from './problem.ts';
import { wellFormedJson } from './well-formed.ts';

/** Finished JSON text, so that a frequent answer is copied instead of being serialised again. */
export class JsonText {
  readonly buffer: Buffer<ArrayBuffer>;
  /** Those of its members from which next calls are made, since the text is not read again. */
  readonly leads: Readonly<Record<string, unknown>>;
  constructor(buffer: Buffer<ArrayBuffer>, leads: Readonly<Record<string, unknown>> = {}) {
    this.buffer = buffer;
    this.leads = leads;
  }
}

export interface Reply<Data> {
  /** A finished answer is sent as it is, without the envelope. */
  data: Data | JsonText | Finished;
  /** Merged into the envelope's `_meta`. */
  meta?: Record<string, unknown>;
  /** Everything the answer depends on besides the request; gives a strong ETag. */
  validator?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is, instead of the envelope, with the media type in `headers`. Null sends no body. */
  stream?: ReadableStream<Uint8Array> | null;
}

export type Fail<Code> = (code: Code, details?: ProblemDetails) => never;

export interface RequestContext {
  correlationId: string;
  /** The current time, from the server's one clock. */
  now: Date;
  /** Public address without a trailing slash. */
  baseUrl: string;
  /** HEAD where the operation is a GET whose headers alone are wanted. */
  method: string;
  /** The request's path, for the address of the next page. */
  path: string;
  pairs: readonly { name: string; value: string | null }[];
  /** Known parameters as sent, and the names of unknown ones. */
  applied: Readonly<Record<string, string>>;
  ignored: string[];
  /** A request header, or null. */
  header(name: string): string | null;
  /** The address that the request is counted under (server-kit/limits/address.ts). */
  address: string;
  /** SHA-256 of the body as sent; null for a request without one. */
  bodySha256: string | null;
  /** Whether the figures alone are asked for (server-kit/answer/asked-bare.ts). */
  bare: boolean;
  /** The version to answer from, where the gateway makes a permanent file of it; null for the served one. */
  askedVersion: string | null;
  /** Aborts when the client disconnects before the answer. */
  signal(): AbortSignal;
}

export type Handler<Options extends Operation, Services> = (
  input: OperationInput<Options>,
  context: RequestContext,
  services: Services,
  fail: Fail<OperationError<Options>>,
) => Reply<OperationOutput<Options>> | Promise<Reply<OperationOutput<Options>>>;

/** One handler for each operation of a list, by operation id. */
export type Handlers<Operations extends readonly Operation[], Services> = {
  [Options in Operations[number] as Options['id']]: Handler<Options, Services>;
};

export interface MountOptions<Services> {
  services: Services;
  log: Logger;
  now: () => Date;
  /** Fixed public address; null takes it from each request. */
  baseUrl: string | null;
  /** Number of proxies in front whose X-Forwarded-For is trusted; default none. */
  trustedProxies?: number;
  /** Reads which version a request is to be answered from; without it every one is answered from the served version. */
  askedVersion?: (event: H3Event) => string | null;
  /** Reads whether a request asks for the figures alone (server-kit/answer/asked-bare.ts); without it none does. */
  isBare?: (event: H3Event) => boolean;
  /** Called for every answer with a 5xx status. */
  onFailure?: (failure: { at: Date; operation: string; code: string }) => void;
}

const CORRELATION_ID = /^[A-Za-z0-9._-]{8,128}$/;

const correlationIds = new PerRequest<string>();

/** Version 4 is random, so that it identifies nobody. */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The caller's correlation id if it sent a usable one, otherwise a new one; constant for the whole request. On a path
 * whose input may not be repeated, only a random UUID is usable.
 */
export function correlationIdOf(event: H3Event): string {
  const known = correlationIds.get(event);
  if (known !== undefined) return known;
  const sent = event.req.headers.get('x-correlation-id');
  const usable = isImpersonalPath(event.url.pathname) ? RANDOM_UUID : CORRELATION_ID;
  const id = sent && usable.test(sent) ? sent : randomUUID();
  correlationIds.set(event, id);
  return id;
}

/** A path of the contract in the syntax of h3's router. */
export function routeOf(path: string): string {
  return path.replaceAll(/\{([A-Za-z]+)\}/g, ':$1');
}

/** Registers a handler for every operation of the list, and a 405 with Allow for every other method of its path. */
export function mount<const Operations extends readonly Operation[], Services>(
  app: H3,
  operations: Operations,
  handlers: Handlers<Operations, Services>,
  options: MountOptions<Services>,
): void {
  route(app, operations, responderOf(operations, handlers, options));
}

/** What answers every operation of the list by its handler, for routes that do more than that. */
export function responderOf<const Operations extends readonly Operation[], Services>(
  operations: Operations,
  handlers: Handlers<Operations, Services>,
  options: MountOptions<Services>,
): (event: H3Event, operation: Operation) => Promise<HTTPResponse> {
  const byId = handlers as unknown as Record<string, Handler<Operation, Services> | undefined>;
  const missing = operations.find(({ id }) => byId[id] === undefined);
  if (missing) throw new Error(`no handler for operation ${missing.id}`);
  return (event, operation) => answer(event, operation, byId[operation.id]!, options);
}

/** What answers one operation by its handler, for a route that has to choose. */
export function responder<const Options extends Operation, Services>(
  operation: Options,
  handler: Handler<Options, Services>,
  options: MountOptions<Services>,
): (event: H3Event) => Promise<HTTPResponse> {
  return (event) => answer(event, operation, handler as unknown as Handler<Operation, Services>, options);
}

/** Registers every operation of the list with one common responder, and a 405 for the other methods of their paths. */
export function route(
  app: H3,
  operations: readonly Operation[],
  respond: (event: H3Event, operation: Operation) => Promise<HTTPResponse>,
): void {
  const methods = new Map<string, Set<string>>();
  for (const operation of operations) {
    const known = methods.get(operation.path) ?? new Set<string>();
    const answered = operation.method === 'GET' ? (['GET', 'HEAD'] as const) : ([operation.method] as const);
    for (const method of answered) {
      app.on(method, routeOf(operation.path), (event) => respond(event, operation));
      known.add(method);
    }
    methods.set(operation.path, known);
  }
  for (const [path, known] of methods) {
    const allow = [...known, 'OPTIONS'].join(', ');
    app.all(routeOf(path), (event) => otherMethod(event, allow));
  }
}

/** The answer when no route matches or something was thrown outside a handler. */
export function problemResponse(error: unknown, event: H3Event, log: Logger): HTTPResponse {
  return failed(requestProblem(error), event, log);
}

const failures = new PerRequest<string>();

/** Remembers the code that a request failed with, for metrics and the log. */
export function noteFailure(event: H3Event, code: string): void {
  failures.set(event, code);
}

/** The code that a request failed with; null if it did not fail, or failed in another process. */
export function failureCodeOf(event: H3Event): string | null {
  return failures.get(event) ?? null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/**
 * Turns any exception into the answer to this request, in the form that the caller asks for. The cause goes to the log.
 */
function failed(error: unknown, event: H3Event, log: Logger, operation?: Operation): HTTPResponse {
  const correlationId = correlationIdOf(event);
  const { status, headers, body, unexpected } = problemAnswer(error, correlationId, operation);
  const request = { correlationId, ...(operation && { operation: operation.id }) };
  const fields = { ...request, err: error };
  const left = status >= 500 && callerLeft(event, error);
  if (left) log.debug(fields, 'the caller left before it was answered');
  else if (unexpected) log.error(fields, 'a request failed unexpectedly');
  // An outage is expected: its cause in a line, without the stack.
  else if (status >= 500) log.warn({ ...request, reason: reasonOf(error) }, 'a request could not be served');
  if (!left) noteFailure(event, body.error.code);
  if (!asksForProblemDocument(event.req.headers.get('accept'))) {
    return new Answer(event, JSON.stringify(body), { status, headers });
  }
  const document = JSON.stringify(problemDocument(body, status));
  return new Answer(event, document, { status, headers: { ...headers, 'content-type': PROBLEM_MEDIA_TYPE } });
}

/**
 * Whether a request failed because its caller disconnected, which is not the service's fault. A programming error still
 * counts.
 */
function callerLeft(event: H3Event, error: unknown): boolean {
  return (
    event.req.signal.aborted && (error instanceof Problem || (error instanceof Error && error.name === 'AbortError'))
  );
}

/** Unwraps what a route or middleware threw. A 400 of h3 itself means an address that cannot be decoded. */
export function requestProblem(error: unknown): unknown {
  if (HTTPError.isError(error) && error.cause instanceof Problem) return error.cause;
  if (!HTTPError.isError(error) || error.status !== 400) return error;
  const expected = 'an address that is percent-encoded as UTF-8';
  return new Problem('INVALID_PARAM', {
    message: `The path is not usable: expected ${expected}.`,
    parameter: 'path',
    expected,
  });
}

/** Answers OPTIONS with the methods that a path has, and refuses any other method with the same list. */
export function otherMethod(event: H3Event, allow: string): HTTPResponse {
  if (event.req.method === 'OPTIONS') return new Answer(event, null, { status: 204, headers: { allow } });
  throw new Problem('METHOD_NOT_ALLOWED', { message: `This path answers ${allow} only.`, allow });
}

async function answer<Services>(
  event: H3Event,
  operation: Operation,
  handler: Handler<Operation, Services>,
  options: MountOptions<Services>,
): Promise<HTTPResponse> {
  const correlationId = correlationIdOf(event);
  try {
    const now = options.now();
    const url = event.url;
    const { pairs, ...query } = readQuery(operation, url.search);
    const params = readParameters(operation.params, pathPairs(event, operation.path));
    const read = operation.body === undefined ? null : await readBody(event, operation);
    const context: RequestContext = {
      correlationId,
      now,
      baseUrl: options.baseUrl ?? ownAddress(event),
      method: event.req.method,
      path: url.pathname,
      pairs,
      applied: query.applied,
      ignored: [...query.ignored, ...(read?.ignored ?? [])],
      header: (name) => event.req.headers.get(name),
      address: clientAddress(event, options.trustedProxies ?? 0),
      bodySha256: read?.sha256 ?? null,
      bare: options.isBare?.(event) ?? false,
      askedVersion: options.askedVersion?.(event) ?? null,
      signal: () => event.req.signal,
    };
    const input = { params: params.values, query: query.values, body: read?.value } as OperationInput<Operation>;
    const reply = await handler(input, context, options.services, (code, details) => {
      throw new Problem(code, details);
    });
    if (reply.stream !== undefined) return await streamed(event, reply, reply.stream, correlationId);
    if (reply.data instanceof Finished) {
      const finished = { body: reply.data, validator: reply.data.digest, status: reply.status ?? 200 };
      return await answerWithCaching(event, operation, finished, reply.headers ?? {}, correlationId);
    }
    const data = reply.data instanceof JsonText ? reply.data.buffer : wellFormedJson(JSON.stringify(reply.data));
    // A static answer depends on nothing but its own content.
    const validator = operation.cache === 'static' ? data.toString() : reply.validator;
    const sent = { ...params.applied, ...query.applied };
    const body = envelope(operation, { ...reply, data }, context, () =>
      nextCallsOnce(operation, { sent, address: `${url.pathname}${url.search}`, validator: reply.validator }, () => ({
        data: reply.data instanceof JsonText ? reply.data.leads : reply.data,
        _meta: reply.meta ?? {},
      })),
    );
    const answered = { body, validator, status: reply.status ?? 200 };
    return await answerWithCaching(event, operation, answered, reply.headers ?? {}, correlationId);
  } catch (error) {
    const response = failed(error, event, options.log, operation);
    const { status = 500 } = response;
    const code = failureCodeOf(event);
    if (status >= 500 && code !== null) options.onFailure?.({ at: options.now(), operation: operation.id, code });
    return response;
  }
}

/** The last address that was asked, since most requests ask the same one. */
let lastAsked = { protocol: '', host: '', address: '' };

/** The public address as a request asks for it. To read a URL's host parses all of it. */
export function ownAddress(event: H3Event): string {
  const { protocol } = event.url;
  const host = event.req.headers.get('host');
  if (host !== null && host === lastAsked.host && protocol === lastAsked.protocol) return lastAsked.address;
  const address = `${protocol}//${event.url.host}`;
  if (host !== null) lastAsked = { protocol, host, address };
  return address;
}

/** Sends a body while it is made. A cache may keep it only if its own headers allow that. */
async function streamed(
  event: H3Event,
  { status = 200, headers: own }: Pick<Reply<unknown>, 'status' | 'headers'>,
  stream: ReadableStream<Uint8Array> | null,
  correlationId: string,
): Promise<HTTPResponse> {
  const headers = {
    'x-correlation-id': correlationId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...own,
  };
  if (event.req.method !== 'HEAD') return new Answer(event, stream, { status, headers });
  await stream?.cancel();
  return new Answer(event, null, { status, headers });
}

/**
 * Path parameters from the address as sent: the router decodes its own in part, and they would be decoded twice. Null
 * for a value that cannot be decoded.
 */
export function pathPairs(event: H3Event, template: string): { name: string; value: string | null }[] {
  if (!template.includes('{')) return [];
  const { pathname } = event.url;
  // Without an escape the router's path is what was sent; to read the address anew parses all of it.
  const sent = (pathname.includes('%') ? new URL(event.req.url).pathname : pathname).split('/');
  return template.split('/').flatMap((segment, place): { name: string; value: string | null }[] => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) return [];
    try {
      return [{ name, value: decodeURIComponent(sent[place] ?? '') }];
    } catch {
      return [{ name, value: null }];
    }
  });
}

let lastInstant = Number.NaN;
let lastText = '';

/** An instant in ISO 8601. A busy server asks many times within one millisecond. */
function textOf(instant: Date): string {
  const milliseconds = instant.getTime();
  if (milliseconds !== lastInstant) {
    lastText = instant.toISOString();
    lastInstant = milliseconds;
  }
  return lastText;
}

/** The JSON of `ownMeta` without its closing brace. Neither an id nor a time has a character that JSON escapes. */
/** Fields that every `_meta` has, also in an answer nested in another. */
export function ownMeta({ correlationId, now }: Pick<RequestContext, 'correlationId' | 'now'>) {
  return {
    api: API_NAME,
    version: API_VERSION,
    schemaVersion: SCHEMA_VERSION,
    correlationId,
    generatedAt: textOf(now),
  };
}

/** `{data, _meta}` in parts; finished JSON is inserted as it is. What is written before the request has its next calls. */
function envelope(
  operation: Operation,
  { data, ...reply }: Omit<Reply<unknown>, 'data'> & { data: BodyPart },
  context: RequestContext,
  nextCalls: () => Record<string, unknown>,
): BodyPart[] {
  if (operation.envelope === false) return [data];
  const given = reply.meta;
  const notices = [...ignoredNotices(operation, context.ignored), ...((given?.notices as string[]) ?? [])];
  const meta = {
    ...ownMeta(context),
    ...(context.ignored.length > 0 ? { ignored: context.ignored } : {}),
    ...given,
    ...(notices.length > 0 ? { notices } : {}),
    ...(context.bare ? {} : nextCalls()),
  };
  return ['{"data":', data, `,"_meta":${jsonOf(meta)}}`];
}
