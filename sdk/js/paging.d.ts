import type { Operation } from './operation.ts';
import type { AnyAnswer } from './options.ts';
type Arguments = Record<string, unknown>;
/** Arguments of the page after this one, or null after the last. Throws where a list does not move on. */
export declare function nextArguments(operation: Operation, given: Arguments, answer: AnyAnswer): Arguments | null;
/** The list that a page holds. */
export declare function itemsIn(operation: Operation, answer: AnyAnswer): unknown[];
export {};
