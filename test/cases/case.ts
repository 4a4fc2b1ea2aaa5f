import type { ErrorCode } from '../../contract/errors/errors.ts';

/**
 * The operation cases: the guarantees of each operation, as data that does not depend on the door. Arguments are one
 * flat object, as `contract/interfaces/arguments.ts` defines it.
 */

export type Given = Record<string, unknown>;

/** `{data, _meta}` as parsed. */
export interface Envelope {
  // biome-ignore lint/suspicious/noExplicitAny: cases look into answers of every shape
  data: any;
  // biome-ignore lint/suspicious/noExplicitAny: cases look into answers of every shape
  _meta: any;
}

export interface Failure {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  hint: string;
  correlationId: string;
  parameter?: string;
  expected?: string;
  issues?: { path: string; message: string }[];
  retryAfterSeconds?: number;
}

/** What a door returns. `status` is null where the door shows no HTTP status. `local` is set where nothing was sent. */
export type Answered =
  | { ok: true; status: number | null; envelope: Envelope }
  | { ok: false; status: number | null; error: Failure; local?: boolean };

/** The data of each earlier step's answer, in order; null for a refusal. */
// biome-ignore lint/suspicious/noExplicitAny: cases look into answers of every shape
export type Earlier = readonly any[];
export type OfEarlier<Value> = Value | ((...earlier: Earlier) => Value);
// biome-ignore lint/suspicious/noExplicitAny: cases look into answers of every shape
export type Facts = Record<string, any> | readonly any[];

/** Facts that the answer must contain. The schema checks the rest. */
export interface Success {
  status?: number;
  data?: OfEarlier<Facts>;
  meta?: OfEarlier<Facts>;
}

export interface Refusal {
  status: number;
  code: ErrorCode;
  /** The invalid parameter, if one is named. */
  parameter?: string;
  /** Paths of all issues, in order. */

  issues?: readonly string[];
}

export type Expected = Success | Refusal;

export type Step = {
  /** Operation id. */
  operation: string;
  given?: OfEarlier<Given>;
  /** The value of X-Api-Key, a header that is not an argument. */
  apiKey?: (...earlier: Earlier) => string;
  /** Moves the clock on before the step. */
  hoursLater?: number;
} & Expected;

/** Cases by the guarantee that each checks: one step, or several. */
export type Cases = Readonly<Record<string, Step | readonly Step[]>>;

export interface Case {
  title: string;
  steps: readonly Step[];
}

export function isRefusal(expected: Expected): expected is Refusal {
  return 'code' in expected;
}

export function resolved<Value>(value: OfEarlier<Value>, earlier: Earlier): Value {
  return typeof value === 'function' ? (value as (...earlier: Earlier) => Value)(...earlier) : value;
}
