import { TrialBoardError } from './error.js';
/** Readings of what came back. */
/** No answer came, or it broke off. */
export function networkError(cause, message) {
    return new TrialBoardError({
        code: 'NETWORK_ERROR',
        status: 0,
        message,
        retryable: true,
        hint: 'Check the address of the service and the connection, then repeat the call.',
        cause,
    });
}
/** Something other than the service answered, for example a proxy. */
function unexpectedAnswer(response, what, cause) {
    const { status, headers } = response;
    return new TrialBoardError({
        code: 'UNEXPECTED_ANSWER',
        status,
        message: `The answer (status ${status}) is not the service's: ${what}.`,
        retryable: status >= 500 || status === 429,
        hint: 'Check that baseUrl is the final address of the service, and what stands between it and you.',
        correlationId: headers.get('x-correlation-id') ?? undefined,
        retryAfterSeconds: retryAfterOf(headers),
        cause,
    });
}
/** Retry-After in whole seconds, the only form that the service sends. */
function retryAfterOf(headers) {
    const text = headers.get('retry-after') ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** Throws where the answer leads elsewhere: keys and tokens are sent to the address that was given and no other. */
export function refuseRedirect(response) {
    const { status, type } = response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
        throw unexpectedAnswer(response, 'it redirects');
    }
}
/** The documented answer. Throws a TrialBoardError for a refusal, and for anything else. */
export function answerOf(operation, response, text) {
    const value = jsonOf(response, text);
    if (!response.ok)
        throw refusalOf(response, value);
    if (operation.bare)
        return value;
    if (!isObject(value) || !Object.hasOwn(value, 'data') || !isObject(value._meta)) {
        throw unexpectedAnswer(response, 'it has no data and _meta');
    }
    return value;
}
/** The error that a failed answer carries, or what says that it carries none. */
export function failureOf(response, text) {
    try {
        return refusalOf(response, jsonOf(response, text));
    }
    catch (error) {
        return error;
    }
}
function jsonOf(response, text) {
    try {
        return JSON.parse(text);
    }
    catch (cause) {
        throw unexpectedAnswer(response, 'it is not JSON', cause);
    }
}
function refusalOf(response, value) {
    const error = isObject(value) ? value.error : undefined;
    if (!isObject(error) || typeof error.code !== 'string' || typeof error.message !== 'string') {
        return unexpectedAnswer(response, 'it has no error with a code');
    }
    const { headers, status } = response;
    const text = (name) => (typeof error[name] === 'string' ? error[name] : undefined);
    const seconds = error.retryAfterSeconds;
    return new TrialBoardError({
        code: error.code,
        status,
        message: error.message,
        retryable: error.retryable === true,
        hint: text('hint') ?? '',
        correlationId: text('correlationId') ?? headers.get('x-correlation-id') ?? undefined,
        parameter: text('parameter'),
        expected: text('expected'),
        issues: Array.isArray(error.issues) ? error.issues.filter(isIssue) : undefined,
        retryAfterSeconds: retryAfterOf(headers) ?? (Number.isSafeInteger(seconds) ? seconds : undefined),
    });
}
function isIssue(value) {
    return isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
}
