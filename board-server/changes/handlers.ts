import { EVENT_ABOUTS, EVENT_KIND_OF, type EventAbout } from '../../contract/event-abouts.ts';
import { EVENT_KINDS, type EventKind } from '../../contract/ids.ts';
import { readInstant } from '../../contract/instants.ts';
import { CHANGES_WINDOW_DAYS } from '../../contract/limits/limits.ts';
import { type CHANGE_OPERATIONS, KIND_EXPECTED, SINCE_EXPECTED } from '../../contract/operations/board/changes.ts';
import type { ChangeFeed } from '../../contract/schemas/board/change.ts';
import { type Fail, type Handlers, JsonText, type Reply, type RequestContext } from '../../server-kit/mount.ts';
import { AGENT_TEXT_HONESTY, FEED_HONESTY } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { storeOr } from '../kit/write.ts';
import type { Listener } from '../store/arrivals.ts';
import type { Board } from '../store/board.ts';
import { type EventFilter, newestEvent } from '../store/event-store.ts';
import { toIso, toMicros } from '../store/instants.ts';
import type { FeedHead, FeedPage, FeedPages, FeedRange } from './feed-pages.ts';
import { headNote } from './head-note.ts';
import { eventStream, exportStream } from './streams.ts';

const WINDOW_MICROS = CHANGES_WINDOW_DAYS * 86_400_000_000;

/** Where a read begins, and what the caller has to know about it. */
interface Cursor {
  after: number;
  requested: string | null;
  clamped: boolean;
}

interface Read {
  page: FeedPage;
  head: FeedHead;
}

export const changeHandlers: Handlers<typeof CHANGE_OPERATIONS, BoardServices & { feedPages: FeedPages }> = {
  changes: async ({ query }, context, { board, feedPages }, fail) => {
    const filter = filterOf(query, fail);
    const streaming = wantsStream(context);
    const resumed = streaming ? context.header('last-event-id') : null;
    const cursor = cursorOf(resumed ?? query.since ?? null, context, fail);
    if (streaming) return streamReply(board, cursor, filter, context, fail);
    const range = { after: cursor.after, filter, limit: query.limit };
    const { page, head } = await storeOr('CHANGES_UNAVAILABLE', () =>
      waitedPage(board, feedPages, { range, seconds: query.wait }, context),
    );
    return {
      data: feedOf({ page, head }, cursor, context),
      meta: {
        ...feedMeta(cursor, head, context),
        ...clockMeta(board),
        honesty: [...FEED_HONESTY, ...AGENT_TEXT_HONESTY],
      },
      // The clock is left out, or a poll of an unchanged board would never be a 304.
      validator: [head?.hash, page.first?.hash, page.last?.hash, page.truncated].join(' '),
      headers: { vary: 'Accept, Accept-Encoding' },
    };
  },

  'changes-export': async ({ query }, _context, { board }, fail) => {
    const after = query.since === undefined ? -Number.MAX_SAFE_INTEGER : sinceOf(query.since, fail);
    const head = await storeOr('CHANGES_UNAVAILABLE', () => newestEvent(board.read));
    return {
      data: '',
      stream: exportStream(board.read, after, head?.ts ?? 0),
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        ...(head ? { 'x-changes-head': toIso(head.ts) } : {}),
      },
    };
  },

  'changes-head': async (_input, _context, { board, signers = [] }) => {
    const head = await storeOr('CHANGES_UNAVAILABLE', () => newestEvent(board.read));
    const data = headNote(head, signers);
    return { data, validator: `${data.hash} ${data.keys.join(' ')}` };
  },
};

/** Says when the clock that dates the events was corrected, where it was since this process began. */
function clockMeta({ effects }: Board): { clockCorrected?: { at: string; bySeconds: number } } {
  const correction = effects.correction?.() ?? null;
  if (correction === null) return {};
  return { clockCorrected: { at: correction.at.toISOString(), bySeconds: correction.bySeconds } };
}

function filterOf(
  { kind, about }: { kind?: string | undefined; about?: EventAbout | undefined },
  fail: Fail<'INVALID_KIND' | 'INVALID_PARAM'>,
): EventFilter {
  const known = kind === undefined ? null : kindOf(kind, fail);
  if (about === undefined) return { kind: known };
  const within = EVENT_KIND_OF[about];
  if (known !== null && known !== within) {
    const expected = `no kind beside it, or kind ${within}, which is how ${about} is told`;
    fail('INVALID_PARAM', { parameter: 'about', expected });
  }
  return { about };
}

/** What is told within a kind is often taken for one; the refusal then names the filter that finds it. */
function kindOf(text: string, fail: Fail<'INVALID_KIND'>): EventKind {
  const known = EVENT_KINDS.find((kind) => kind === text);
  if (known !== undefined) return known;
  const word = text.trim().toLowerCase().replaceAll('_', '-');
  const about = EVENT_ABOUTS.find((each) => each === word || `${each}s` === word);
  if (about === undefined || about === EVENT_KIND_OF[about])
    return fail('INVALID_KIND', { parameter: 'kind', expected: KIND_EXPECTED });
  const expected = `${KIND_EXPECTED}; ${about} is told as kind ${EVENT_KIND_OF[about]}: use about=${about} in place of kind`;
  return fail('INVALID_KIND', { parameter: 'kind', expected });
}

function sinceOf(text: string, fail: Fail<'INVALID_SINCE'>): number {
  return readInstant(text.trim()) ?? fail('INVALID_SINCE', { parameter: 'since', expected: SINCE_EXPECTED });
}

function cursorOf(sent: string | null, context: RequestContext, fail: Fail<'INVALID_SINCE'>): Cursor {
  const oldest = toMicros(context.now) - WINDOW_MICROS;
  if (sent === null) return { after: oldest, requested: null, clamped: false };
  const after = sinceOf(sent, fail);
  return { after: Math.max(after, oldest), requested: sent, clamped: after < oldest };
}

function wantsStream(context: RequestContext): boolean {
  const types = (context.header('accept') ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  return types.includes('text/event-stream');
}

/**
 * The page. While it is empty the request waits for an event; where no place to wait is free, it gets the empty page.
 */
async function waitedPage(
  board: Board,
  pages: FeedPages,
  { range, seconds }: { range: FeedRange; seconds: number },
  context: RequestContext,
): Promise<Read> {
  if (seconds === 0) return pages.read(board.read, range);
  using listener: Listener | null = board.arrivals.listen(range.filter, context.address);
  const read = await pages.read(board.read, range);
  if (read.page.last !== undefined || listener === null) return read;
  await listener.wait(seconds * 1000, context.signal());
  return pages.read(board.read, range);
}

async function streamReply(
  board: Board,
  cursor: Cursor,
  filter: EventFilter,
  context: RequestContext,
  fail: Fail<'CHANGES_UNAVAILABLE'>,
): Promise<Reply<ChangeFeed>> {
  const head = await storeOr('CHANGES_UNAVAILABLE', () => newestEvent(board.read));
  const listener =
    board.arrivals.listen(filter, context.address) ??
    fail('CHANGES_UNAVAILABLE', { message: 'As many readers as can be served are listening already; poll instead.' });
  const { window } = feedMeta(cursor, head, context);
  return {
    data: {} as ChangeFeed,
    stream: eventStream(board, { after: cursor.after, filter, listener, window, signal: context.signal() }),
    headers: { 'content-type': 'text/event-stream; charset=utf-8', vary: 'Accept', 'x-accel-buffering': 'no' },
  };
}

function feedOf(
  { page: { json, counts, aboutCounts, last, truncated }, head }: Read,
  cursor: Cursor,
  context: RequestContext,
): JsonText {
  const since = toIso(cursor.after);
  const nextSince = last === undefined ? since : toIso(last.ts);
  const { since: _, ...kept } = context.applied;
  const fields: Omit<ChangeFeed, 'events'> = {
    since,
    until: toIso(Math.max(toMicros(context.now), head?.ts ?? 0)),
    nextSince,
    next: `${context.baseUrl}${context.path}?${new URLSearchParams({ since: nextSince, ...kept })}`,
    truncated,
    head: head === undefined ? null : toIso(head.ts),
    counts,
    aboutCounts,
  };
  return new JsonText(Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"events":[${json}]}`), { ...fields });
}

function feedMeta(cursor: Cursor, head: FeedHead, context: RequestContext) {
  return {
    filters: context.applied,
    window: {
      maxDays: CHANGES_WINDOW_DAYS,
      clamped: cursor.clamped,
      requestedSince: cursor.requested,
      future: cursor.requested !== null && cursor.after > Math.max(toMicros(context.now), head?.ts ?? 0),
    },
  };
}
