/** Waits, and rejects with the signal's reason as soon as it aborts. */
export declare function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
/**
 * Ends work on the network when the caller's signal aborts or the service is silent for too long. `AbortSignal.any` is
 * missing in Node 18, and `AbortSignal.timeout` can neither be taken back nor begin anew for the next part of a stream.
 */
export declare class Deadline {
    #private;
    constructor(milliseconds: number, outer: AbortSignal | undefined);
    get signal(): AbortSignal;
    /** The outcome of the work. Throws the reason of the caller's signal, or NETWORK_ERROR for whatever else it threw. */
    within<Outcome>(work: () => Promise<Outcome>): Promise<Outcome>;
    /** Lets go of the caller's signal, which may live for much longer. */
    release(): void;
}
