import { rejectionHint } from '../contract/declared/submission-guides.ts';
import { ERRORS, type ErrorCode } from '../contract/errors/errors.ts';
import { errorAddress, hintWithPage } from '../contract/interfaces/pages.ts';
import type { Operation } from '../contract/operation.ts';

export interface ProblemDetails {
  /** Text for the caller; its wording may change at any time. */
  message?: string;
  /** INVALID_PARAM: the parameter, and what was expected of it. */
  parameter?: string;
  expected?: string;
  /** Every fault found, if there may be several. */
  issues?: { path: string; message: string }[];
  /** Seconds after which a retry makes sense. */
  retryAfterSeconds?: number;
  /** METHOD_NOT_ALLOWED: the header that names the other methods. */
  allow?: string;
  /** What to do next, where the hint of the code says less. */
  hint?: string;
  /** Where this failure differs from its code: whether the same request can succeed later. */
  retryable?: boolean;
  /** For the log only; never sent. */
  cause?: unknown;
}

/** The only exception that carries its own answer; anything else that is thrown becomes a 5xx without details. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly details: ProblemDetails;

  constructor(code: ErrorCode, details: ProblemDetails = {}) {
    super(details.message ?? ERRORS[code].cause, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Problem';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    retryable: boolean;
    hint: string;
    correlationId: string;
    parameter?: string;
    expected?: string;
    issues?: { path: string; message: string }[];
    retryAfterSeconds?: number;
  };
}

/** RFC 9457, with the fields of the envelope beside its own. */
type ProblemDocument = Omit<ErrorBody['error'], 'message'> & {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
};

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** A failure as a problem document; `type` is the address of the code's page. */
export function problemDocument({ error }: ErrorBody, status: number): ProblemDocument {
  const { message, ...fields } = error;
  return {
    type: errorAddress(error.code),
    title: ERRORS[error.code].cause,
    status,
    detail: message,
    instance: `urn:x-correlation-id:${error.correlationId}`,
    ...fields,
  };
}

/** Whether the client names problem documents and does not prefer plain JSON. */
export function asksForProblemDocument(accept: string | null): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_MEDIA_TYPE)) return false;
  const qualities = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((item) => item.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(type, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  const wanted = qualities.get(PROBLEM_MEDIA_TYPE) ?? 0;
  return wanted > 0 && wanted >= (qualities.get('application/json') ?? 0);
}

/** How long a client is told to wait after a failure on our side. */
const AVAILABILITY_RETRY_SECONDS = 5;

/**
 * Status, headers and body of the answer to any exception; the caller must log the `unexpected` ones. With the operation,
 * the hint of a code that many share names the guide of its own surface.
 */
export function problemAnswer(
  error: unknown,
  correlationId: string,
  operation?: Pick<Operation, 'id'>,
): { status: number; headers: Record<string, string>; body: ErrorBody; unexpected: boolean } {
  const unexpected = !(error instanceof Problem);
  const problem = unexpected ? new Problem('INTERNAL_ERROR') : error;
  const entry = ERRORS[problem.code];
  const { parameter, expected, issues, retryable = entry.retryable } = problem.details;
  const mayPass = entry.family === 'availability' && retryable;
  const retryAfter = problem.details.retryAfterSeconds ?? (mayPass ? AVAILABILITY_RETRY_SECONDS : undefined);
  const hint = problem.details.hint ?? rejectionHint(problem.code, operation?.id) ?? entry.hint;
  return {
    status: entry.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-correlation-id': correlationId,
      ...(problem.details.allow === undefined ? {} : { allow: problem.details.allow }),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: {
      error: {
        code: problem.code,
        message: problem.message,
        retryable,
        hint: hintWithPage(problem.code, hint),
        correlationId,
        ...(parameter === undefined ? {} : { parameter }),
        ...(expected === undefined ? {} : { expected }),
        ...(issues === undefined ? {} : { issues }),
        ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
      },
    },
    unexpected,
  };
}
