import type { Answer, Operations } from './types.ts';
/** `fetch`, as far as the client uses it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;
/** Told of every answer as it arrives, failures and repeats included. */
export interface ResponseNotice {
    /** Name of the method, for example `searchTrials`. */
    operation: string;
    /** From 1. */
    attempt: number;
    status: number;
    headers: Headers;
}
export interface ClientOptions {
    /** Address of the service without `/api/v1`, for example `https://board.example`. */
    baseUrl: string;
    /** Raises the read quota; everything works without one. */
    apiKey?: string | undefined;
    /** Default the global one. */
    fetch?: Fetch | undefined;
    /** Repeats after a failure that may pass; default 3, 0 for none. */
    retries?: number | undefined;
    /** Longest time of one attempt in milliseconds, a long poll's own wait not counted; default 30,000. */
    timeoutMs?: number | undefined;
    /** Waits between attempts; rejects when the signal aborts. */
    sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
    /** From 0 inclusive to 1 exclusive, spreads repeats; default Math.random. */
    random?: (() => number) | undefined;
    /** Sent as User-Agent; leave it out in browsers, which keep their own. */
    userAgent?: string | undefined;
    /** Where the rate fields, the status and the correlation id of each answer can be seen. */
    onResponse?: ((notice: ResponseNotice) => void) | undefined;
}
export interface CallOptions {
    /** Ends the call, which rejects with the signal's own reason. */
    signal?: AbortSignal | undefined;
    /** Goes through every log of the service; 8 to 128 letters, digits and . _ - characters. */
    correlationId?: string | undefined;
}
/** Methods that answer in pages. */
export type PagedName = {
    [Name in keyof Operations]: Operations[Name] extends {
        paged: true;
    } ? Name : never;
}[keyof Operations];
/** Methods whose pages hold one list. */
export type ListName = {
    [Name in keyof Operations]: Operations[Name] extends {
        item: unknown;
    } ? Name : never;
}[keyof Operations];
export type Item<Name extends ListName> = Operations[Name] extends {
    item: infer One;
} ? One : never;
/** An answer whose data nothing is known of yet. */
export type AnyAnswer = Answer<unknown>;
