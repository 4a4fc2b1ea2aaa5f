/** Why a call failed. Branch on `code`; `message` is for people and may be reworded. */
export class TrialBoardError extends Error {
    name = 'TrialBoardError';
    code;
    /** HTTP status; 0 where there was no answer, or no request. */
    status;
    /** Whether the identical call can succeed later. */
    retryable;
    /** What to do next. */
    hint;
    /** Quote it when you report a fault; undefined where there was no answer. */
    correlationId;
    /** The argument that was not usable, and what was expected of it. */
    parameter;
    expected;
    /** Every problem of the arguments at once. */
    issues;
    /** Seconds that the service asks to wait before the call is repeated. */
    retryAfterSeconds;
    constructor(fields) {
        super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
        this.code = fields.code;
        this.status = fields.status;
        this.retryable = fields.retryable;
        this.hint = fields.hint;
        this.correlationId = fields.correlationId;
        this.parameter = fields.parameter;
        this.expected = fields.expected;
        this.issues = fields.issues ?? [];
        this.retryAfterSeconds = fields.retryAfterSeconds;
    }
}
/** An argument that no request can carry. The service refuses such a value with the same code. */
export function argumentError(argument, expected) {
    return new TrialBoardError({
        code: argument === 'idempotencyKey' ? 'INVALID_IDEMPOTENCY_KEY' : 'INVALID_PARAM',
        status: 0,
        message: `The argument ${argument} is not usable: expected ${expected}.`,
        retryable: false,
        hint: 'Correct the argument; nothing was sent.',
        parameter: argument,
        expected,
        issues: [{ path: argument, message: `expected ${expected}` }],
    });
}
