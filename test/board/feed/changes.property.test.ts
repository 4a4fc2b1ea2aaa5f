import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_KINDS, type EventKind } from '../../../contract/ids.ts';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';
import { plainEvent } from '../../support/plain/plain-event.ts';
import { amountOf } from '../../support/runner/amount.ts';

/** A step of an interleaving: a write, a fault, a change of clock, a restart, or a reader that takes its next page. */
type Step =
  | { do: 'post'; kinds: EventKind[] }
  | { do: 'fail'; kind: EventKind }
  | { do: 'clock'; milliseconds: number }
  | { do: 'restart' }
  | { do: 'read'; reader: number };

const kind = fc.constantFrom(...EVENT_KINDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('post' as const), kinds: fc.array(kind, { maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), kind }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      milliseconds: fc.constantFrom(-86_400_000, -3_600_000, -1, 1, 5, 3_600_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), reader: fc.nat(2) }) },
);

/**
 * A reader that follows the rules of the feed. One that asks for a single kind continues from `head` after a last page.
 */
class Reader {
  readonly kind: EventKind | null;
  readonly seen: string[] = [];
  #since: string | null = null;

  constructor(kind: EventKind | null) {
    this.kind = kind;
  }

  /** Takes one page. Returns whether there is more. */
  async read(feed: TestBoard, limit: number): Promise<boolean> {
    const query = new URLSearchParams({ limit: String(limit) });
    if (this.#since !== null) query.set('since', this.#since);
    if (this.kind !== null) query.set('kind', this.kind);
    const { status, body } = await feed.get(`/api/v1/changes?${query}`);
    expect(status).toBe(200);
    const { events, truncated, nextSince, head, counts } = body.data;
    this.seen.push(...events.map(({ id }: { id: string }) => id));
    expect(Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(events.length);
    this.#since = this.kind !== null && !truncated && head !== null && head > nextSince ? head : nextSince;
    return truncated;
  }
}

describe('any interleaving of writes and paged reads', () => {
  it('shows each event once and in order: clock frozen or jumping, writes failing, file reopened, readers filtered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        kind,
        async (steps, limit, only) => {
          await using feed = await openBoard();
          const written: { id: string; kind: EventKind }[] = [];
          const readers = [new Reader(null), new Reader(only), new Reader(null)];
          const running: Promise<unknown>[] = [];
          for (const now of steps) {
            if (now.do === 'post') {
              // Writes are not awaited, so that pages are read while writes wait for their commit.
              for (const each of now.kinds) {
                const id = `o${written.length}`;
                written.push({ id, kind: each });
                running.push(post(feed.board, each, id));
              }
            } else if (now.do === 'fail') {
              running.push(
                feed.board
                  .write(async (tx) => {
                    await tx.appendEvent(tx.nextTime(), plainEvent(now.kind, 'never'));
                    throw new Error('refused');
                  })
                  .catch(() => undefined),
              );
            } else if (now.do === 'clock') feed.clock.advance(now.milliseconds);
            else if (now.do === 'restart') await feed.reopen();
            else await readers[now.reader]!.read(feed, limit);
          }
          await Promise.all(running);
          for (const reader of readers) {
            while (await reader.read(feed, limit));
            const wanted = written.filter((event) => reader.kind === null || event.kind === reader.kind);
            expect(reader.seen).toEqual(wanted.map(({ id }) => id));
          }
        },
      ),
      { seed: 20261121, numRuns: amountOf({ quick: 15, deep: 60 }) },
    );
  });
});
