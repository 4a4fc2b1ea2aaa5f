import type { TrialBoardError } from './error.ts';
import type { Operation } from './operation.ts';
/**
 * Whether the same request may be sent again after this failure. A write without an Idempotency-Key may have been
 * carried out where nobody of the service answered, so it is left to the caller.
 */
export declare function mayRepeat(operation: Operation, error: TrialBoardError): boolean;
/** Milliseconds before the next attempt: what the service asks for, else exponential with full jitter. */
export declare function delayBefore(failures: number, error: TrialBoardError, random: () => number): number;
