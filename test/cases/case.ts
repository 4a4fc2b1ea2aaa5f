import type { ErrorCode } from '../../contract/errors.ts';

/**
 * The operation cases: what each operation guarantees, as data, apart from the door through which it is asked.
 * Arguments are one flat object, as `contract/arguments.ts` has it.
 */

export type Given = Record<string, unknown>;

/** `{data, _meta}` as parsed. */
export interface Envelope {
  // biome-ignore lint/suspicious/noExplicitAny: cases look into answers of every shape
  data: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
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

/** What a door hands back; `status` is null where it has no HTTP status to show, `local` where nothing was sent. */
export type Answered =
  | { ok: true; status: number | null; envelope: Envelope }
  | { ok: false; status: number | null; error: Failure; local?: boolean };

/** Data of the answers of the earlier steps of the same case, in order; null for a refusal. */
// biome-ignore lint/suspicious/noExplicitAny: the same
export type Earlier = readonly any[];
export type OfEarlier<Value> = Value | ((...earlier: Earlier) => Value);
// biome-ignore lint/suspicious/noExplicitAny: the same
export type Facts = Record<string, any> | readonly any[];

/** Facts that the answer must contain; what else it contains is the schema's business. */
export interface Success {
  status?: 200 | 201;
  data?: OfEarlier<Facts>;
  meta?: OfEarlier<Facts>;
}

export interface Refusal {
  status: number;
  code: ErrorCode;
  /** The unusable parameter, where there is one. */
  parameter?: string;
  /** Paths of all issues, in order. */
  issues?: readonly string[];
}

export interface Step {
  /** Operation id. */
  operation: string;
  given?: OfEarlier<Given>;
  /** For X-Api-Key, which is no argument. */
  apiKey?: (...earlier: Earlier) => string;
  /** Moves the clock on before the step. */
  hoursLater?: number;
  expect: Success | Refusal;
}

export interface Case {
  /** The guarantee. */
  title: string;
  steps: readonly Step[];
  /** Arguments that no address can carry: asked only of doors that take them as one object. */
  flatOnly?: true;
}

/** A case of one step. */
export function one(title: string, operation: string, given: Given, expect: Success | Refusal): Case {
  return { title, steps: [{ operation, given, expect }] };
}

export function isRefusal(expectation: Success | Refusal): expectation is Refusal {
  return 'code' in expectation;
}

export function resolved<Value>(value: OfEarlier<Value>, earlier: Earlier): Value {
  return typeof value === 'function' ? (value as (...earlier: Earlier) => Value)(...earlier) : value;
}
