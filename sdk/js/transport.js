import { answerOf, failureOf, refuseRedirect } from './answers.js';
import { argumentError, TrialBoardError } from './error.js';
import { placementOf } from './placement.js';
import { delayBefore, mayRepeat } from './retry.js';
import { randomUuid } from './uuid.js';
import { Deadline, sleep } from './waiting.js';
const DEFAULT_RETRIES = 3;
const DEFAULT_TIMEOUT_MS = 30_000;
const PRINTABLE = /^[\x20-\x7e]+$/;
/** Sends requests: the only part of the client that knows of time, chance and the network. */
export class Transport {
    #base;
    #headers;
    #fetch;
    #retries;
    #timeoutMs;
    #onResponse;
    sleep;
    random;
    constructor(options) {
        this.#base = baseOf(options.baseUrl);
        this.#headers = {
            accept: 'application/json',
            ...(options.apiKey === undefined ? {} : { 'x-api-key': printable('apiKey', options.apiKey) }),
            ...(options.userAgent === undefined ? {} : { 'user-agent': printable('userAgent', options.userAgent) }),
        };
        // A browser's own fetch refuses to be called as a method of something else.
        this.#fetch = options.fetch ?? ((address, init) => fetch(address, init));
        this.#retries = wholeNumber('retries', options.retries ?? DEFAULT_RETRIES);
        this.#timeoutMs = wholeNumber('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
        this.#onResponse = options.onResponse;
        this.sleep = options.sleep ?? sleep;
        this.random = options.random ?? Math.random;
    }
    /** A request with these arguments. A write that takes an Idempotency-Key gets one here, once for all attempts. */
    prepare(name, operation, given, { correlationId, signal }) {
        const { path, headers, body } = placementOf(operation, given);
        if (correlationId !== undefined && !PRINTABLE.test(correlationId)) {
            throw argumentError('correlationId', 'printable ASCII characters');
        }
        const wait = operation.waits ? Number(given.wait) : 0;
        return {
            name,
            operation,
            address: `${this.#base}${path}`,
            method: operation.method,
            headers: {
                ...this.#headers,
                ...(operation.keyed ? { 'idempotency-key': randomUuid(this.random) } : {}),
                ...headers,
                ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                ...(correlationId === undefined ? {} : { 'x-correlation-id': correlationId }),
            },
            body: body === undefined ? null : JSON.stringify(body),
            timeoutMs: this.#timeoutMs + (wait > 0 ? wait * 1000 : 0),
            signal,
        };
    }
    /** Carries an operation out, repeated where a failure may pass, and resolves with its whole answer. */
    async call(prepared) {
        for (let failures = 0;;) {
            try {
                const { response, text } = await this.attempt(prepared, failures + 1);
                return answerOf(prepared.operation, response, text);
            }
            catch (error) {
                failures += 1;
                await this.pause(prepared, failures, error);
            }
        }
    }
    /** Waits before the next attempt. Throws the failure of the last one where there is to be none. */
    async pause({ operation, signal }, failures, error) {
        if (!(error instanceof TrialBoardError) || failures > this.#retries || !mayRepeat(operation, error))
            throw error;
        await this.sleep(delayBefore(failures, error, this.random), signal);
    }
    /** One attempt, with the whole body read. Throws NETWORK_ERROR, or the reason of the caller's signal. */
    async attempt(prepared, attempt) {
        const deadline = new Deadline(prepared.timeoutMs, prepared.signal);
        try {
            const answered = await deadline.within(async () => {
                const response = await this.#send(prepared, deadline);
                return { response, text: await response.text() };
            });
            this.#look(prepared, attempt, answered.response);
            return answered;
        }
        finally {
            deadline.release();
        }
    }
    /**
     * One attempt whose body the caller reads, within the deadline, and then releases. Throws also the refusal that came
     * in place of the body.
     */
    async open(prepared, attempt) {
        const deadline = new Deadline(prepared.timeoutMs, prepared.signal);
        try {
            const response = await deadline.within(() => this.#send(prepared, deadline));
            this.#look(prepared, attempt, response);
            if (!response.ok)
                throw failureOf(response, await deadline.within(() => response.text()));
            return { response, deadline };
        }
        catch (error) {
            deadline.release();
            throw error;
        }
    }
    #send({ address, method, headers, body }, { signal }) {
        // No cookies; and keys and tokens go to the address that was given and no other.
        return this.#fetch(address, { method, headers, body, signal, redirect: 'manual', credentials: 'omit' });
    }
    #look({ name }, attempt, response) {
        this.#onResponse?.({ operation: name, attempt, status: response.status, headers: response.headers });
        refuseRedirect(response);
    }
}
function baseOf(text) {
    let url;
    try {
        url = new URL(text);
    }
    catch {
        throw new TypeError('baseUrl must be an absolute address, for example https://board.example');
    }
    const extra = url.username || url.password || url.search || url.hash;
    if (!['http:', 'https:'].includes(url.protocol) || extra !== '') {
        throw new TypeError('baseUrl must be an http or https address without user, query or fragment');
    }
    return url.href.replace(/\/+$/, '');
}
function printable(name, value) {
    if (PRINTABLE.test(value))
        return value;
    throw new TypeError(`${name} must be printable ASCII characters`);
}
function wholeNumber(name, value) {
    if (Number.isSafeInteger(value) && value >= 0)
        return value;
    throw new TypeError(`${name} must be a whole number from 0`);
}
