const BASE_MS = 500;
const MAX_MS = 20_000;
/** A rate window of the service. Whoever is asked to wait for longer is told so instead of being kept. */
const RETRY_AFTER_MAX_SECONDS = 60;
/**
 * Whether the same request may be sent again after this failure. A write without an Idempotency-Key may have been
 * carried out where nobody of the service answered, so it is left to the caller.
 */
export function mayRepeat(operation, error) {
    if (!error.retryable || (error.retryAfterSeconds ?? 0) > RETRY_AFTER_MAX_SECONDS)
        return false;
    const answered = error.code !== 'NETWORK_ERROR' && error.code !== 'UNEXPECTED_ANSWER';
    return answered || operation.method === 'GET' || operation.keyed === true;
}
/** Milliseconds before the next attempt: what the service asks for, else exponential with full jitter. */
export function delayBefore(failures, error, random) {
    if (error.retryAfterSeconds !== undefined)
        return error.retryAfterSeconds * 1000;
    return Math.floor(random() * Math.min(MAX_MS, BASE_MS * 2 ** (failures - 1)));
}
