import { TrialBoardError } from './error.js';
/** Arguments of the page after this one, or null after the last. Throws where a list does not move on. */
export function nextArguments(operation, given, answer) {
    const pagination = (answer._meta.pagination ?? {});
    const { nextCursor, hasMore } = pagination;
    if (typeof nextCursor === 'string') {
        if (nextCursor === given.cursor)
            throw stuck(answer);
        const { offset: _, ...kept } = given;
        return { ...kept, cursor: nextCursor };
    }
    if (nextCursor === null || hasMore === false)
        return null;
    return operation.paging?.by === 'page' ? nextPage(given, pagination, answer) : nextOffset(given, pagination, answer);
}
function nextPage(given, { page, hasMore }, answer) {
    if (hasMore !== true || typeof page !== 'number')
        throw stuck(answer);
    return { ...given, page: page + 1 };
}
/** A list that does not count itself has `hasMore` null: a page that is not full is its last one. */
function nextOffset(given, pagination, answer) {
    const { limit, offset, returned, hasMore } = pagination;
    if (typeof limit !== 'number' || typeof offset !== 'number' || typeof returned !== 'number')
        throw stuck(answer);
    if (hasMore !== true && returned < limit)
        return null;
    if (returned < 1)
        throw stuck(answer);
    return { ...given, offset: offset + returned };
}
function stuck({ _meta }) {
    return new TrialBoardError({
        code: 'UNEXPECTED_ANSWER',
        status: 200,
        message: 'The answer does not say where its next page is.',
        retryable: false,
        hint: 'The service is newer or older than this client; take the SDK from GET /api/v1/sdk.',
        correlationId: _meta.correlationId,
    });
}
/** The list that a page holds. */
export function itemsIn(operation, answer) {
    const list = answer.data?.[operation.paging?.items ?? ''];
    if (Array.isArray(list))
        return list;
    throw stuck(answer);
}
