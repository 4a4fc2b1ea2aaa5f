import type { H3, H3Event } from 'h3';
import { UNKNOWN_PARAMETER_HINT } from '../contract/errors/errors.ts';
import {
  ArgumentFault,
  httpInput,
  knownArguments,
  refuseUnknown,
  UnknownArgument,
} from '../contract/interfaces/arguments.ts';
import { withNextCalls } from '../contract/interfaces/next-calls.ts';
import type { Detail } from '../contract/interfaces/view.ts';
import type { Operation } from '../contract/operation.ts';
import { sentJson } from '../server-kit/answer/answer.ts';
import { ASKED_BARE_HEADER } from '../server-kit/answer/asked-bare.ts';
import { ASKED_VERSION_HEADER } from '../server-kit/answer/asked-version.ts';
import { correlationIdOf } from '../server-kit/mount.ts';
import { IGNORED_NAMES_MAX, unknownParameter } from '../server-kit/parameters.ts';
import { type ErrorBody, Problem, problemAnswer } from '../server-kit/problem.ts';
import type { Admission } from './admission/admission.ts';
import type { Envelope } from './envelope.ts';
import { markInner } from './observation/inner-requests.ts';
import { plainAnswer } from './plain-answer.ts';
import { plainArguments } from './plain-arguments.ts';
import { takeView, type View } from './view/asked-view.ts';
import { withinCeiling } from './view/ceiling.ts';
import { textsOf } from './view/json.ts';
import { withFewSites } from './view/sites-of-trials.ts';
import { viewed } from './view/viewed.ts';

export type Invoked =
  | { ok: true; status: number; envelope: Envelope }
  | { ok: false; status: number; error: ErrorBody['error'] };

/** Runs one operation for a request that came through another door; `event` is that request. */
export type Invoke = (
  event: H3Event,
  operation: Operation,
  given: Record<string, unknown>,
  asked?: AskedOfAnswer,
) => Promise<Invoked>;

export interface AskedOfAnswer {
  /** The version to answer from; default the one that is served. */
  version?: string | undefined;
  /** Whether the figures alone are asked for (server-kit/answer/asked-bare.ts). */
  bare?: boolean;
}

/** Headers of the outer request that the operation sees; everything else comes from its arguments. */
const HANDED_ON = ['host', 'x-api-key', 'x-forwarded-for', 'user-agent', 'origin', 'sec-fetch-site'] as const;
/** Longest path plus headers made from arguments: what a server behind accepts as a request head, with a margin. */
const HEAD_MAX_CHARACTERS = 8_000;

/**
 * Sends every call of another door through the app itself, as a request of the same client, so that routes, validation,
 * limits, idempotency and errors are those of REST. The outer answer takes the rate fields of the inner one. Arguments that
 * the operation does not take are sent, to be named in `_meta.ignored`, or refused with the names that are near. `byDefault`
 * is how much of an answer a caller gets that does not say; a concise door also cuts what is too long for a model.
 */
export function invoker(
  app: H3,
  admission: Admission,
  unknown: 'sent' | 'refused',
  byDefault: Detail = 'full',
): Invoke {
  return async (event, operation, all, asked = {}) => {
    const correlationId = correlationIdOf(event);
    let request: Request;
    let view: View;
    let given: Record<string, unknown>;
    let leftOut: string[] = [];
    try {
      if (unknown === 'refused') ({ given, leftOut } = plainArguments(operation, all));
      else given = all;
      ({ given, view } = takeView(operation, given, byDefault));
      // An operation that refuses unknown parameters itself does so without their names.
      if (unknown === 'refused' && operation.unknownParameters !== 'refused') refuseUnknown(operation, given);
      request = requestOf(event, operation, given, { correlationId, ...asked });
    } catch (error) {
      if (!(error instanceof ArgumentFault || error instanceof Problem)) throw error;
      // It never becomes a request, so that it is charged here.
      await admission.admitAs(event, operation.bucket);
      const { status, body } = problemAnswer(
        error instanceof Problem ? error : problemOf(error, operation),
        correlationId,
      );
      return { ok: false, status, error: body.error };
    }
    const response = await app.fetch(request);
    admission.adopt(event, response.headers);
    if (operation.envelope === false) return plainAnswer(operation, request, response);
    const answered = (await sentJson(request, response)) as Envelope | ErrorBody;
    if ('error' in answered) {
      const error = unknown === 'refused' ? inNamesOf(operation, given, answered.error) : answered.error;
      return { ok: false, status: response.status, error };
    }
    const body = withIgnored(answered, leftOut);
    const whole = viewed(operation, body, view);
    // Pages, which show answers whole, have links instead.
    if (byDefault === 'full') return { ok: true, status: response.status, envelope: whole };
    // Fields that were asked for by name come whole.
    const shown = view.detail === 'full' && view.fields === null ? withFewSites(operation.id, whole) : whole;
    const { detail, fields } = view;
    const kept = { detail: detail === byDefault ? null : detail, fields: fields?.join(',') };
    const path = new URL(request.url).pathname;
    const led = withNextCalls(body, shown, { concise: detail === 'concise', fields, kept, path });
    const envelope = withinCeiling(operation, led, view);
    return { ok: true, status: response.status, envelope };
  };
}

/** The answer with what was sent empty among the arguments that had no effect. */
function withIgnored({ data, _meta }: Envelope, leftOut: readonly string[]): Envelope {
  if (leftOut.length === 0) return { data, _meta };
  return { data, _meta: { ..._meta, ignored: [...textsOf(_meta.ignored), ...leftOut].slice(0, IGNORED_NAMES_MAX) } };
}

function requestOf(
  event: H3Event,
  operation: Operation,
  given: Record<string, unknown>,
  { correlationId, version, bare = false }: AskedOfAnswer & { correlationId: string },
): Request {
  const { path, headers, body } = httpInput(operation, given);
  const size = [path, ...Object.values(headers)].reduce((total, text) => total + text.length, 0);
  if (size > HEAD_MAX_CHARACTERS) {
    throw new ArgumentFault(
      longestOf(given),
      `${HEAD_MAX_CHARACTERS} characters at most, percent-encoded, all together`,
    );
  }
  const all = new Headers({ ...headers, 'x-correlation-id': correlationId, accept: 'application/json' });
  for (const name of HANDED_ON) {
    const value = event.req.headers.get(name);
    if (value !== null) all.set(name, value);
  }
  if (version !== undefined) all.set(ASKED_VERSION_HEADER, version);
  if (bare) all.set(ASKED_BARE_HEADER, 'true');
  if (body !== undefined) all.set('content-type', 'application/json');
  const { ip, signal } = event.req;
  const [url, method] = [new URL(path, event.req.url).href, operation.method];
  const sent = { method, headers: all, signal };
  const request =
    body === undefined
      ? // What h3 and the handlers read of a request without a body: to make a whole one costs as much as to route it.
        ({ url, body: null, ...sent } as Request)
      : new Request(url, { ...sent, body: JSON.stringify(body) });
  markInner(request, event);
  // The client's address is not a header: h3's runtime keeps it beside the request.
  return Object.defineProperty(request, 'ip', { value: ip });
}

/** An error that names an argument as the caller does, where REST has another name for it. */
function inNamesOf(operation: Operation, given: Record<string, unknown>, error: ErrorBody['error']) {
  const { parameter, message, issues } = error;
  const argument = knownArguments(operation).find(
    ({ place, target }) => target === parameter && (place === 'path' || place === 'query'),
  );
  if (argument === undefined || parameter === undefined) return error;
  const name = argument.aliases.find((alias) => Object.hasOwn(given, alias)) ?? argument.name;
  if (name === parameter) return error;
  return {
    ...error,
    parameter: name,
    message: message.replace(`The parameter ${parameter} `, `The parameter ${name} `),
    ...(issues && { issues: issues.map((issue) => (issue.path === parameter ? { ...issue, path: name } : issue)) }),
  };
}

/** The argument with the longest value. */
function longestOf(given: Record<string, unknown>): string {
  const sizes = Object.entries(given).map(([name, value]) => ({ name, size: String(value).length }));
  return sizes.sort((a, b) => b.size - a.size)[0]?.name ?? 'arguments';
}

function problemOf(fault: ArgumentFault, operation: Operation): Problem {
  const { argument, expected, message } = fault;
  // The message would repeat the parameter's name, which may be about a person.
  if (operation.unknownParameters === 'refused') return unknownParameter(Object.keys(operation.query ?? {}));
  if (argument === 'idempotencyKey') return new Problem('INVALID_IDEMPOTENCY_KEY', { message });
  const issues = [{ path: argument, message: `expected ${expected}` }];
  const hint = fault instanceof UnknownArgument ? { hint: UNKNOWN_PARAMETER_HINT } : {};
  return new Problem('INVALID_PARAM', { message, parameter: argument, expected, issues, ...hint });
}
