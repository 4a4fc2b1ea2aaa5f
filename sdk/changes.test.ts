import { describe, expect, it, vi } from 'vitest';
import { answer, fakeService, refusal, unreachable } from '../test/support/fake-service.ts';
import type { ChangeEvent, FollowArguments, TrialBoardClient } from './client.ts';

const at = (place: number): string => `2026-11-21T12:00:00.${String(place).padStart(6, '0')}Z`;
const event = (place: number, kind = 'claim'): ChangeEvent => ({
  ts: at(place),
  kind: kind as ChangeEvent['kind'],
  action: 'created',
  id: `x${place}`,
  agentName: 'a',
  prevHash: '',
  hash: '',
});

interface PageShape {
  events?: number[];
  since?: string;
  truncated?: boolean;
  head?: number | null;
  clamped?: boolean;
  etag?: string;
}

function page({ events = [], since = at(0), truncated = false, head, clamped = false, etag }: PageShape): Response {
  const last = events.at(-1);
  const newest = head === undefined ? last : head;
  return answer(
    {
      since,
      nextSince: last === undefined ? since : at(last),
      truncated,
      head: newest === null || newest === undefined ? null : at(newest),
      events: events.map((place) => event(place)),
    },
    { window: { clamped } },
    etag === undefined ? {} : { etag },
  );
}

function exported(events: ChangeEvent[], head: number): Response {
  const lines = events.map((one) => `${JSON.stringify(one)}\n`).join('');
  return new Response(lines, { headers: { 'x-changes-head': at(head) } });
}

/** Times of the first `count` events; then the follower is stopped. */
async function first(client: TrialBoardClient, count: number, given: FollowArguments = {}): Promise<string[]> {
  const times: string[] = [];
  for await (const { ts } of client.follow(given)) {
    times.push(ts);
    if (times.length === count) break;
  }
  return times;
}

const sinceOf = ({ path }: { path: string }): string | null => new URL(`http://x${path}`).searchParams.get('since');

describe('a follower', () => {
  it('passes on exactly the cursor of each page, over truncated ones too', async () => {
    const { client, sent } = fakeService([
      page({ events: [1, 2], truncated: true, head: 3 }),
      page({ events: [3] }),
      page({ events: [4] }),
    ]);
    expect(await first(client, 4)).toEqual([at(1), at(2), at(3), at(4)]);
    expect(sent.map(sinceOf)).toEqual([null, at(2), at(3)]);
    expect(sent[0]!.path).toBe('/api/v1/changes?wait=25&limit=200');
  });

  it('goes on from the head where only events of other kinds came after', async () => {
    const { client, sent } = fakeService([
      page({ events: [1], head: 5 }),
      page({ since: at(5), head: 7 }),
      page({ events: [9] }),
    ]);
    expect(await first(client, 2, { since: at(0), kind: 'claim', wait: 3 })).toEqual([at(1), at(9)]);
    expect(sent.map(sinceOf)).toEqual([at(0), at(5), at(7)]);
    expect(sent[0]!.path).toContain('kind=claim&wait=3');
  });

  it('sends the validator of an empty page, and an unchanged board costs it nothing', async () => {
    const unchanged = () => new Response(null, { status: 304 });
    const { client, sent } = fakeService([
      page({ since: at(3), head: 3, etag: '"e"' }),
      unchanged(),
      unchanged(),
      page({ events: [4], since: at(3), etag: '"f"' }),
      page({ events: [5] }),
    ]);
    expect(await first(client, 2, { since: at(3) })).toEqual([at(4), at(5)]);
    expect(sent.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"e"', '"e"', '"e"', null]);
    expect(sent.map(sinceOf)).toEqual([at(3), at(3), at(3), at(3), at(4)]);
  });

  it('outlives failures that may pass, however many and however long, and loses nothing by them', async () => {
    const { client, sent, slept } = fakeService([
      page({ events: [1] }),
      unreachable(),
      ...Array.from({ length: 9 }, () => refusal(503, { code: 'CHANGES_UNAVAILABLE' })),
      refusal(429, { code: 'RATE_LIMITED' }, { 'retry-after': '600' }),
      page({ events: [2], since: at(1) }),
    ]);
    expect(await first(client, 2)).toEqual([at(1), at(2)]);
    expect(new Set(sent.slice(1).map(sinceOf))).toEqual(new Set([at(1)]));
    expect(slept.slice(0, 3)).toEqual([250, 500, 1000]);
    expect(slept.at(-1)).toBe(600_000);
  });

  it('ends with a failure that no waiting mends', async () => {
    const { client } = fakeService([refusal(400, { code: 'INVALID_SINCE', retryable: false })]);
    await expect(first(client, 1, { since: 'yesterday' })).rejects.toMatchObject({ code: 'INVALID_SINCE' });
  });

  it('does not ask again at once where an empty answer was not waited for', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { client, slept } = fakeService([
        page({ head: null }),
        () => {
          vi.advanceTimersByTime(25_000);
          return page({ head: null });
        },
        page({ events: [1] }),
      ]);
      await first(client, 1);
      expect(slept).toEqual([2000]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('catches up by the export where its cursor is older than the feed reaches', async () => {
    const { client, sent } = fakeService([
      page({ since: at(50), events: [60], clamped: true }),
      exported([event(20), event(30, 'finding'), event(60)], 60),
      page({ events: [61] }),
    ]);
    expect(await first(client, 3, { since: at(10), kind: 'claim' })).toEqual([at(20), at(60), at(61)]);
    expect(sent.map(({ path }) => path.split('?')[0])).toEqual([
      '/api/v1/changes',
      '/api/v1/changes/export',
      '/api/v1/changes',
    ]);
    expect(sent.map(sinceOf)).toEqual([at(10), at(10), at(60)]);
  });

  it('asks for no export on a board that was quiet for as long', async () => {
    const { client, sent } = fakeService([page({ since: at(50), head: 10, clamped: true }), page({ events: [61] })]);
    expect(await first(client, 1, { since: at(10) })).toEqual([at(61)]);
    expect(sent.map(sinceOf)).toEqual([at(10), at(50)]);
  });

  it('throws the reason of its signal', async () => {
    const control = new AbortController();
    const reason = new Error('enough');
    const { client } = fakeService([page({ events: [1] })]);
    const run = async (): Promise<void> => {
      for await (const _ of client.follow({}, { signal: control.signal })) control.abort(reason);
    };
    await expect(run()).rejects.toBe(reason);
  });
});

describe('an export', () => {
  const all = async (events: AsyncIterable<ChangeEvent>): Promise<string[]> => {
    const times: string[] = [];
    for await (const { ts } of events) times.push(ts);
    return times;
  };
  const broken = (text: string, head: number): Response => {
    let sent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (sent) controller.error(new TypeError('terminated'));
        else controller.enqueue(new TextEncoder().encode(text));
        sent = true;
      },
    });
    return new Response(body, { headers: { 'x-changes-head': at(head) } });
  };

  it('is every event, its lines cut anywhere', async () => {
    const bytes = new TextEncoder().encode(
      `${JSON.stringify({ ...event(1), agentName: 'é😀' })}\n${JSON.stringify(event(2))}\n`,
    );
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { client } = fakeService([new Response(body)]);
    const names: string[] = [];
    for await (const { agentName } of client.exportChanges()) names.push(agentName);
    expect(names).toEqual(['é😀', 'a']);
  });

  it('goes on after the last whole line where it broke off, within a line or between two', async () => {
    const line = (place: number): string => `${JSON.stringify(event(place))}\n`;
    const { client, sent } = fakeService([
      broken(`${line(1)}${line(2)}${line(3).slice(0, 9)}`, 5),
      new Response(`${line(3)}{"ts":`, { headers: { 'x-changes-head': at(5) } }),
      exported([event(4)], 5),
      exported([event(5)], 5),
    ]);
    expect(await all(client.exportChanges({ since: at(0) }))).toEqual([1, 2, 3, 4, 5].map(at));
    expect(sent.map(sinceOf)).toEqual([at(0), at(2), at(3), at(4)]);
  });

  it('fails where it makes no way, as any call does', async () => {
    const { client, sent } = fakeService(Array.from({ length: 5 }, () => exported([], 9)));
    await expect(all(client.exportChanges())).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(sent).toHaveLength(4);
  });

  it('of a board without events is empty', async () => {
    expect(await all(fakeService([new Response('')]).client.exportChanges())).toEqual([]);
    expect(await all(fakeService([exported([], 3)]).client.exportChanges({ since: at(3) }))).toEqual([]);
  });

  it('refuses what is no event, and passes on a refusal', async () => {
    const { client } = fakeService([new Response('<html>\n')]);
    await expect(all(client.exportChanges())).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', retryable: false });
    const refused = fakeService([refusal(400, { code: 'INVALID_SINCE', retryable: false })]);
    await expect(all(refused.client.exportChanges({ since: 'x' }))).rejects.toMatchObject({ code: 'INVALID_SINCE' });
  });

  it('cancels its transfer when it is left', async () => {
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event(1))}\n`)),
      cancel() {
        cancelled = true;
      },
    });
    const { client } = fakeService([new Response(body)]);
    for await (const _ of client.exportChanges()) break;
    expect(cancelled).toBe(true);
  });

  it('does not wait for ever for its next line', async () => {
    const control = { cancelled: false };
    const body = new ReadableStream({
      cancel() {
        control.cancelled = true;
      },
    });
    const stalled = (_sent: unknown, init: RequestInit): Response => {
      const through = new TransformStream();
      body.pipeTo(through.writable, { signal: init.signal! }).catch(() => undefined);
      return new Response(through.readable);
    };
    const { client } = fakeService([stalled], { timeoutMs: 5, retries: 0 });
    await expect(all(client.exportChanges())).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(control.cancelled).toBe(true);
  });
});
