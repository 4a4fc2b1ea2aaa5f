import { ERRORS, type ErrorCode } from '../contract/errors.ts';

export interface ProblemDetails {
  /** To the caller, in words; may be reworded at any time. */
  message?: string;
  /** INVALID_PARAM: which parameter, and what was expected of it. */
  parameter?: string;
  expected?: string;
  /** Every fault found, when there may be several. */
  issues?: { path: string; message: string }[];
  /** Seconds after which a retry makes sense. */
  retryAfterSeconds?: number;
  /** For the log only; never sent. */
  cause?: unknown;
}

/** The only exception that becomes an answer of its own; whatever else is thrown is a 5xx without detail. */
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

/** Seconds a client is told to wait before it repeats a call that failed on our side. */
const AVAILABILITY_RETRY_SECONDS = 5;

/** Status, headers and body of an answer to any exception; `unexpected` ones must be logged by the caller. */
export function problemAnswer(
  error: unknown,
  correlationId: string,
): { status: number; headers: Record<string, string>; body: ErrorBody; unexpected: boolean } {
  const unexpected = !(error instanceof Problem);
  const problem = unexpected ? new Problem('INTERNAL_ERROR') : error;
  const entry = ERRORS[problem.code];
  const { parameter, expected, issues } = problem.details;
  const retryAfter =
    problem.details.retryAfterSeconds ?? (entry.family === 'availability' ? AVAILABILITY_RETRY_SECONDS : undefined);
  return {
    status: entry.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-correlation-id': correlationId,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: {
      error: {
        code: problem.code,
        message: problem.message,
        retryable: entry.retryable,
        hint: entry.hint,
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
