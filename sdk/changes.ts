import { answerOf, networkError } from './answers.ts';
import { TrialBoardError } from './error.ts';
import { linesOf } from './lines.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import type { CallOptions } from './options.ts';
import { delayBefore } from './retry.ts';
import type { Transport } from './transport.ts';
import type { GetChangesArguments, GetChangesData, Operations } from './types.ts';

/** Reading the change feed to its end and on, without a gap and without a repeat. */

export type ChangeEvent = GetChangesData['events'][number];

export interface FollowArguments {
  /** Cursor, exclusive: the `ts` of the last event that you hold. Left out, it begins 30 days back. */
  since?: string | undefined;
  /** Only events of this kind. */
  kind?: GetChangesArguments['kind'];
  /** Seconds that the service holds an empty answer back, 0 to 30; default 25. */
  wait?: number | undefined;
}

const WAIT_SECONDS = 25;
const PAGE_EVENTS = 200;
/** An empty answer that came sooner was not waited for, and asking again at once would spend the quota. */
const POLL_MIN_MS = 2_000;
/** How the feed writes its own times: as text they stand in the order of time. */
const CURSOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

const EXPORT: Operation = { method: 'GET', path: '/api/v1/changes/export' };

interface Page {
  answer: Operations['getChanges']['answer'];
  etag: string | null;
}

/** Events as they are posted, for ever; ends by its signal, or by a failure that no waiting mends. */
export async function* follow(
  transport: Transport,
  { since, kind, wait = WAIT_SECONDS }: FollowArguments,
  options: CallOptions,
): AsyncGenerator<ChangeEvent, void, undefined> {
  let cursor = since;
  let etag: string | null = null;
  for (;;) {
    const asked = Date.now();
    const given = { since: cursor, kind, wait, limit: PAGE_EVENTS };
    const page: Page | null = await pageAfter(transport, given, etag, options);
    const { events = [] } = page?.answer.data ?? {};
    if (page && lostBefore(page.answer, cursor)) {
      const held: string | undefined = cursor;
      for await (const event of exportChanges(transport, { since: cursor }, options)) {
        cursor = event.ts;
        if (kind === undefined || event.kind === kind) yield event;
      }
      if (cursor !== held) continue;
    }
    yield* events;
    const next: string | undefined = page ? cursorAfter(page.answer.data) : cursor;
    // The validator is of the address asked, and the cursor is part of that.
    if (page) etag = next === cursor ? page.etag : null;
    cursor = next;
    const early = POLL_MIN_MS - (Date.now() - asked);
    if (events.length === 0 && early > 0) await transport.sleep(early, options.signal);
  }
}

/** One page, however long it takes to get it; null where nothing changed since the validator was given. */
async function pageAfter(
  transport: Transport,
  given: GetChangesArguments,
  etag: string | null,
  options: CallOptions,
): Promise<Page | null> {
  const operation = OPERATIONS.getChanges;
  const prepared = transport.prepare('getChanges', operation, given, options);
  if (etag !== null) prepared.headers['if-none-match'] = etag;
  for (let failures = 0; ; ) {
    try {
      const { response, text } = await transport.attempt(prepared, failures + 1);
      if (response.status === 304) return null;
      const answer = answerOf(operation, response, text) as Page['answer'];
      return { answer, etag: response.headers.get('etag') };
    } catch (error) {
      if (!(error instanceof TrialBoardError && error.retryable)) throw error;
      failures += 1;
      await transport.sleep(delayBefore(failures, error, transport.random), options.signal);
    }
  }
}

/**
 * Whether events between the cursor and this page may be missing: the feed reaches 30 days back, and a page asked for
 * from before that begins later than asked.
 */
function lostBefore({ data, _meta }: Page['answer'], cursor: string | undefined): boolean {
  const { clamped } = (_meta.window ?? {}) as { clamped?: boolean };
  if (clamped !== true || cursor === undefined || data.head === null) return false;
  return !CURSOR.test(cursor) || data.head > cursor;
}

/** The head is newer than the last event where events of other kinds followed it; nothing lies between. */
function cursorAfter({ nextSince, truncated, head }: GetChangesData): string {
  return !truncated && head !== null && head > nextSince ? head : nextSince;
}

/** Every event, however old, from a cursor to the newest; resumes after the last one where the transfer breaks off. */
export async function* exportChanges(
  transport: Transport,
  { since }: { since?: string | undefined },
  options: CallOptions,
): AsyncGenerator<ChangeEvent, void, undefined> {
  let cursor = since;
  for (let failures = 0; ; ) {
    const prepared = transport.prepare('exportChanges', EXPORT, { since: cursor }, options);
    try {
      const { response, deadline } = await transport.open(prepared, failures + 1);
      const head = response.headers.get('x-changes-head');
      try {
        for await (const line of linesOf(response.body!, deadline)) {
          const event = eventOf(line);
          cursor = event.ts;
          failures = 0;
          yield event;
        }
      } finally {
        deadline.release();
      }
      if (head === null || (cursor !== undefined && (!CURSOR.test(cursor) || cursor >= head))) return;
      throw networkError(undefined, 'The export ended before its last event.');
    } catch (error) {
      failures += 1;
      await transport.pause(prepared, failures, error);
    }
  }
}

function eventOf(line: string): ChangeEvent {
  try {
    const event = JSON.parse(line) as ChangeEvent;
    if (typeof event.ts === 'string') return event;
  } catch {
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
