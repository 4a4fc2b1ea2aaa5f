import { networkError } from './answers.js';
import { TrialBoardError } from './error.js';
/** Waits, and rejects with the signal's reason as soon as it aborts. */
export function sleep(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted)
            return reject(signal.reason);
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener('abort', stop, { once: true });
    });
}
/** Longest delay that timers know; a longer one would end at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
/**
 * Ends work on the network when the caller's signal aborts or the service is silent for too long. `AbortSignal.any` is
 * missing in Node 18, and `AbortSignal.timeout` can neither be taken back nor begin anew for the next part of a stream.
 */
export class Deadline {
    #controller = new AbortController();
    #milliseconds;
    #outer;
    #over = false;
    #stop = () => this.#controller.abort(this.#outer?.reason);
    constructor(milliseconds, outer) {
        this.#milliseconds = Math.min(milliseconds, TIMER_MAX_MS);
        this.#outer = outer;
        outer?.throwIfAborted();
        outer?.addEventListener('abort', this.#stop, { once: true });
    }
    get signal() {
        return this.#controller.signal;
    }
    /** The outcome of the work. Throws the reason of the caller's signal, or NETWORK_ERROR for whatever else it threw. */
    async within(work) {
        const timer = setTimeout(() => {
            this.#over = true;
            this.#controller.abort(new DOMException('The service is silent.', 'TimeoutError'));
        }, this.#milliseconds);
        try {
            return await work();
        }
        catch (error) {
            throw this.#meaningOf(error);
        }
        finally {
            clearTimeout(timer);
        }
    }
    /** Lets go of the caller's signal, which may live for much longer. */
    release() {
        this.#outer?.removeEventListener('abort', this.#stop);
    }
    #meaningOf(error) {
        if (error instanceof TrialBoardError)
            return error;
        if (this.#outer?.aborted)
            return this.#outer.reason;
        return this.#over
            ? networkError(error, `The service did not answer within ${this.#milliseconds} ms.`)
            : networkError(error, 'The service could not be reached, or the connection broke.');
    }
}
