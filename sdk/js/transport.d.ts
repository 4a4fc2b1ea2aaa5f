import type { Operation } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { Deadline } from './waiting.ts';
/** One request that is ready to be sent, as often as needed. */
export interface Prepared {
    name: string;
    operation: Operation;
    address: string;
    method: string;
    headers: Record<string, string>;
    body: string | null;
    timeoutMs: number;
    signal: AbortSignal | undefined;
}
/** Sends requests: the only part of the client that knows of time, chance and the network. */
export declare class Transport {
    #private;
    readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
    readonly random: () => number;
    constructor(options: ClientOptions);
    /** A request with these arguments. A write that takes an Idempotency-Key gets one here, once for all attempts. */
    prepare(name: string, operation: Operation, given: object, { correlationId, signal }: CallOptions): Prepared;
    /** Carries an operation out, repeated where a failure may pass, and resolves with its whole answer. */
    call(prepared: Prepared): Promise<unknown>;
    /** Waits before the next attempt. Throws the failure of the last one where there is to be none. */
    pause({ operation, signal }: Prepared, failures: number, error: unknown): Promise<void>;
    /** One attempt, with the whole body read. Throws NETWORK_ERROR, or the reason of the caller's signal. */
    attempt(prepared: Prepared, attempt: number): Promise<{
        response: Response;
        text: string;
    }>;
    /**
     * One attempt whose body the caller reads, within the deadline, and then releases. Throws also the refusal that came
     * in place of the body.
     */
    open(prepared: Prepared, attempt: number): Promise<{
        response: Response;
        deadline: Deadline;
    }>;
}
