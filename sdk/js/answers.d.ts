import { TrialBoardError } from './error.ts';
import type { Operation } from './operation.ts';
/** Readings of what came back. */
/** No answer came, or it broke off. */
export declare function networkError(cause: unknown, message: string): TrialBoardError;
/** Throws where the answer leads elsewhere: keys and tokens are sent to the address that was given and no other. */
export declare function refuseRedirect(response: Response): void;
/** The documented answer. Throws a TrialBoardError for a refusal, and for anything else. */
export declare function answerOf(operation: Operation, response: Response, text: string): unknown;
/** The error that a failed answer carries, or what says that it carries none. */
export declare function failureOf(response: Response, text: string): TrialBoardError;
