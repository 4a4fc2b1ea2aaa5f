import { answerOf, networkError } from './answers.js';
import { TrialBoardError } from './error.js';
import { linesOf } from './lines.js';
import { OPERATIONS } from './operations.js';
import { delayBefore } from './retry.js';
const WAIT_SECONDS = 25;
const PAGE_EVENTS = 200;
/** An empty answer that came sooner was not waited for, and asking again at once would spend the quota. */
const POLL_MIN_MS = 2_000;
/** How the feed writes its own times: as text they stand in the order of time. */
const CURSOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const EXPORT = { method: 'GET', path: '/api/v1/changes/export' };
/** Events as they are posted, for ever; ends by its signal, or by a failure that no waiting mends. */
export async function* follow(transport, { since, kind, wait = WAIT_SECONDS }, options) {
    let cursor = since;
    let etag = null;
    for (;;) {
        const asked = Date.now();
        const given = { since: cursor, kind, wait, limit: PAGE_EVENTS };
        const page = await pageAfter(transport, given, etag, options);
        const { events = [] } = page?.answer.data ?? {};
        if (page && lostBefore(page.answer, cursor)) {
            const held = cursor;
            for await (const event of exportChanges(transport, { since: cursor }, options)) {
                cursor = event.ts;
                if (kind === undefined || event.kind === kind)
                    yield event;
            }
            if (cursor !== held)
                continue;
        }
        yield* events;
        const next = page ? cursorAfter(page.answer.data) : cursor;
        // The validator is of the address asked, and the cursor is part of that.
        if (page)
            etag = next === cursor ? page.etag : null;
        cursor = next;
        const early = POLL_MIN_MS - (Date.now() - asked);
        if (events.length === 0 && early > 0)
            await transport.sleep(early, options.signal);
    }
}
/** One page, however long it takes to get it; null where nothing changed since the validator was given. */
async function pageAfter(transport, given, etag, options) {
    const operation = OPERATIONS.getChanges;
    const prepared = transport.prepare('getChanges', operation, given, options);
    if (etag !== null)
        prepared.headers['if-none-match'] = etag;
    for (let failures = 0;;) {
        try {
            const { response, text } = await transport.attempt(prepared, failures + 1);
            if (response.status === 304)
                return null;
            const answer = answerOf(operation, response, text);
            return { answer, etag: response.headers.get('etag') };
        }
        catch (error) {
            if (!(error instanceof TrialBoardError && error.retryable))
                throw error;
            failures += 1;
            await transport.sleep(delayBefore(failures, error, transport.random), options.signal);
        }
    }
}
/**
 * Whether events between the cursor and this page may be missing: the feed reaches 30 days back, and a page asked for
 * from before that begins later than asked.
 */
function lostBefore({ data, _meta }, cursor) {
    const { clamped } = (_meta.window ?? {});
    if (clamped !== true || cursor === undefined || data.head === null)
        return false;
    return !CURSOR.test(cursor) || data.head > cursor;
}
/** The head is newer than the last event where events of other kinds followed it; nothing lies between. */
function cursorAfter({ nextSince, truncated, head }) {
    return !truncated && head !== null && head > nextSince ? head : nextSince;
}
/** Every event, however old, from a cursor to the newest; resumes after the last one where the transfer breaks off. */
export async function* exportChanges(transport, { since }, options) {
    let cursor = since;
    for (let failures = 0;;) {
        const prepared = transport.prepare('exportChanges', EXPORT, { since: cursor }, options);
        try {
            const { response, deadline } = await transport.open(prepared, failures + 1);
            const head = response.headers.get('x-changes-head');
            try {
                for await (const line of linesOf(response.body, deadline)) {
                    const event = eventOf(line);
                    cursor = event.ts;
                    failures = 0;
                    yield event;
                }
            }
            finally {
                deadline.release();
            }
            if (head === null || (cursor !== undefined && (!CURSOR.test(cursor) || cursor >= head)))
                return;
            throw networkError(undefined, 'The export ended before its last event.');
        }
        catch (error) {
            failures += 1;
            await transport.pause(prepared, failures, error);
        }
    }
}
function eventOf(line) {
    try {
        const event = JSON.parse(line);
        if (typeof event.ts === 'string')
            return event;
    }
    catch {
        // Said below, as for JSON that is no event.
    }
    throw new TrialBoardError({
        code: 'UNEXPECTED_ANSWER',
        status: 200,
        message: 'A line of the export is not an event.',
        retryable: false,
        hint: 'Check that baseUrl is the final address of the service, and what stands between it and you.',
    });
}
