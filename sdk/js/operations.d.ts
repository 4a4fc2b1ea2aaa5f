import type { Operation } from './operation.ts';
import type { Operations } from './types.ts';
export declare const OPERATIONS: {
    readonly [Name in keyof Operations]: Operation;
};
