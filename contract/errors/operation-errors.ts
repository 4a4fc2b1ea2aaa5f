import type { ErrorCode } from './errors.ts';

/** Codes that many operations share, so that a new write does not forget one. */

/** Codes of every write with a body and an Idempotency-Key. */
export const WRITE_ERRORS = [
  'INVALID_BODY',
  'BODY_TOO_LARGE',
  'INVALID_IDEMPOTENCY_KEY',
  'IDEMPOTENCY_KEY_REUSED',
] as const satisfies readonly ErrorCode[];

/** Codes of writes whose body is refused as a submission. */
export const SUBMISSION_ERRORS = [...WRITE_ERRORS, 'submission_rejected'] as const satisfies readonly ErrorCode[];
