import type { ErrorCode } from './types.ts';
/** Codes that this client makes itself, beside those of the service. */
export type ClientErrorCode = 'NETWORK_ERROR' | 'UNEXPECTED_ANSWER';
export interface TrialBoardErrorFields {
  /** A code that a newer service has added is a text of its own. */
  code: ErrorCode | ClientErrorCode | (string & Record<never, never>);
  status: number;
  message: string;
  retryable: boolean;
  hint: string;
  correlationId?: string | undefined;
  parameter?: string | undefined;
  expected?: string | undefined;
  issues?:
    | readonly {
        path: string;
        message: string;
      }[]
    | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}
/** Why a call failed. Branch on `code`; `message` is for people and may be reworded. */
export declare class TrialBoardError extends Error {
  readonly name = 'TrialBoardError';
  readonly code: TrialBoardErrorFields['code'];
  /** HTTP status; 0 where there was no answer, or no request. */
  readonly status: number;
  /** Whether the identical call can succeed later. */
  readonly retryable: boolean;
  /** What to do next. */
  readonly hint: string;
  /** Quote it when you report a fault; undefined where there was no answer. */
  readonly correlationId: string | undefined;
  /** The argument that was not usable, and what was expected of it. */
  readonly parameter: string | undefined;
  readonly expected: string | undefined;
  /** Every problem of the arguments at once. */
  readonly issues: readonly {
    path: string;
    message: string;
  }[];
  /** Seconds that the service asks to wait before the call is repeated. */
  readonly retryAfterSeconds: number | undefined;
  constructor(fields: TrialBoardErrorFields);
}
