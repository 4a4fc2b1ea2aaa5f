import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'h3';
import { describe, expect, it, vi } from 'vitest';
import { hashOf } from '../../../board-server/store/event-chain.ts';
import { boardForEach } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';
import { onSqlite } from '../../support/board/store.ts';

const feed = boardForEach();

const request = (path: string, init?: RequestInit) => feed.app.fetch(new Request(`http://test.example${path}`, init));

/** Resolves once `count` readers wait. */
const waiting = (count: number) =>
  vi.waitFor(() => expect(feed.board.arrivals.waiting).toBe(count), { interval: 2, timeout: 900_000 });

/** Opens an event stream. `until` reads text until it contains `part`. */
async function openStream(path: string, headers: Record<string, string> = {}) {
  const response = await request(path, { headers: { accept: 'text/event-stream', ...headers } });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  return {
    response,
    reader,
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended without ${part}: ${text}`);
        text += decoder.decode(value, { stream: true });
      }
      return text;
    },
  };
}

describe('followers at the same place', () => {
  it('are told of an event by one read, and another filter by one of its own', async () => {
    await post(feed.board, 'claim', 'clm_0');
    const since = (await feed.get('/api/v1/changes')).body.data.nextSince;
    const all = await Promise.all(Array.from({ length: 8 }, () => openStream(`/api/v1/changes?since=${since}`)));
    const findings = await openStream(`/api/v1/changes?since=${since}&kind=finding`);
    const streams = [...all, findings];
    await Promise.all(streams.map((stream) => stream.until('event: window')));
    // Reading on makes each wait for what comes.
    const told = streams.map((stream) => stream.until('id: 2026'));
    await waiting(9);
    const rows = vi.spyOn(feed.board.read, 'rows');
    await post(feed.board, 'finding', 'fnd_1');
    for (const text of await Promise.all(told)) expect(text.match(/^id: 2026/gm)).toHaveLength(1);
    // For each of the two filters: the event, and that nothing follows it yet.
    const reads = () => rows.mock.calls.filter(([, values]) => 'after' in values && 'until' in values);
    await vi.waitFor(() => expect(reads()).toHaveLength(4), { interval: 2, timeout: 900_000 });
    await Promise.all(streams.map(({ reader }) => reader.cancel()));
  });
});

describe('waiting for an event', () => {
  it('ends with the event as soon as one of the kind is posted', async () => {
    await post(feed.board, 'claim', 'clm_0');
    const answered = feed.get('/api/v1/changes?since=2026-11-21T12:00:00.000000Z&kind=finding&wait=30');
    await waiting(1);
    await post(feed.board, 'claim', 'clm_1');
    await post(feed.board, 'finding', 'fnd_1');
    const { body } = await answered;
    expect(body.data.events.map(({ id }: { id: string }) => id)).toEqual(['fnd_1']);
    expect(feed.board.arrivals.waiting).toBe(0);
  });

  it('answers at once when there is something already', async () => {
    await post(feed.board, 'claim', 'clm_0');
    expect((await feed.get('/api/v1/changes?wait=30')).body.data.events).toHaveLength(1);
  });

  it('ends with an empty page after the seconds asked for', async () => {
    const started = performance.now();
    const { status, body } = await feed.get('/api/v1/changes?wait=1');
    expect([status, body.data.events]).toEqual([200, []]);
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  it('ends when the client goes away', async () => {
    const server = createServer(toNodeHandler(feed.app)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const accept of ['application/json', 'text/event-stream']) {
      const gone = new AbortController();
      const init = { signal: gone.signal, headers: { accept } };
      const call = fetch(`http://127.0.0.1:${port}/api/v1/changes?wait=30`, init).then((response) => response.text());
      await waiting(1);
      gone.abort();
      await expect(call).rejects.toThrow();
      await waiting(0);
    }
    server.close();
  });

  it('sees an event that is committed between its read and its wait', async () => {
    using listener = feed.board.arrivals.listen({ kind: 'claim' }, '::1');
    await post(feed.board, 'claim', 'clm_1');
    // If the wait missed the event, it would last until the test's time limit.
    await listener!.wait(3_600_000, new AbortController().signal);
  });

  it('holds 20 readers of an address and 5,000 in all, answers the next as it is, and refuses a stream', async () => {
    const held = Array.from({ length: 20 }, () => feed.board.arrivals.listen({}, 'unknown'));
    expect(held.every((listener) => listener !== null)).toBe(true);
    expect((await feed.get('/api/v1/changes?wait=30')).body.data.events).toEqual([]);
    const refused = await feed.get('/api/v1/changes', { headers: { accept: 'text/event-stream' } });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'CHANGES_UNAVAILABLE']);
    for (let address = 1; address < 250; address += 1) {
      for (let place = 0; place < 20; place += 1) held.push(feed.board.arrivals.listen({}, `10.0.0.${address}`));
    }
    expect(feed.board.arrivals.waiting).toBe(5000);
    expect(feed.board.arrivals.listen({}, '10.0.1.99')).toBeNull();
    for (const listener of held) listener?.[Symbol.dispose]();
    expect(feed.board.arrivals.waiting).toBe(0);
  });

  it('ends for everyone when the board is closed', async () => {
    const poll = feed.get('/api/v1/changes?wait=30');
    await waiting(1);
    feed.board.arrivals.close();
    expect((await poll).status).toBe(200);
  });
});

describe('the event stream', () => {
  it('sends what is there and what comes, each under its time as id', async () => {
    await post(feed.board, 'claim', 'clm_1');
    const { response, reader, until } = await openStream('/api/v1/changes');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await until('clm_1')).toContain(
      'id: 2026-11-21T12:00:00.000000Z\ndata: {"ts":"2026-11-21T12:00:00.000000Z"',
    );
    await post(feed.board, 'claim', 'clm_2');
    const text = await until('clm_2"');
    expect(text.startsWith('retry: 3000\nevent: window\ndata: {"maxDays":30,"clamped":false')).toBe(true);
    expect(text.match(/^id: /gm)).toHaveLength(2);
    await reader.cancel();
    expect(feed.board.arrivals.waiting).toBe(0);
  });

  it('resumes after Last-Event-ID, which wins over since, and keeps to its kind', async () => {
    await post(feed.board, 'claim', 'clm_1');
    await post(feed.board, 'finding', 'fnd_1');
    await post(feed.board, 'claim', 'clm_2');
    const headers = { 'last-event-id': '2026-11-21T12:00:00.000000Z' };
    const { reader, until } = await openStream('/api/v1/changes?kind=claim&since=2026-11-01', headers);
    const text = await until('clm_2');
    expect([text.includes('clm_1'), text.includes('fnd_1')]).toEqual([false, false]);
    await reader.cancel();
  });

  it('refuses a Last-Event-ID that is no time as INVALID_SINCE', async () => {
    const headers = { accept: 'text/event-stream', 'last-event-id': 'seven' };
    expect((await feed.get('/api/v1/changes', { headers })).body.error.code).toBe('INVALID_SINCE');
  });

  // Fake timers would stop those of PostgreSQL's driver as well, and its first read would not end.
  onSqlite.it('sends a comment every 15 seconds while nothing is posted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { reader, until } = await openStream('/api/v1/changes');
      const heard = until(': nothing new');
      // The stream's first read must end before its wait begins. It takes real event-loop turns.
      while (feed.board.arrivals.waiting === 0) await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(15_100);
      expect(await heard).toContain('\n\n: nothing new\n\n');
      await reader.cancel();
    } finally {
      vi.useRealTimers();
    }
  });

  it('sends no body to HEAD and holds nobody for it', async () => {
    for (const path of ['/api/v1/changes', '/api/v1/changes/export']) {
      const response = await request(path, { method: 'HEAD', headers: { accept: 'text/event-stream' } });
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
    await waiting(0);
  });
});

describe('the export', () => {
  it('gives every event however old, one a line, each with its hash over the rest of the line', async () => {
    await post(feed.board, 'claim', 'clm_0');
    feed.clock.advance(400 * 86_400_000);
    for (let batch = 0; batch < 4; batch += 1) {
      await Promise.all(Array.from({ length: 300 }, (_, place) => post(feed.board, 'link', `l${batch}-${place}`)));
    }
    const response = await request('/api/v1/changes/export');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    const events = lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect(events).toHaveLength(1201);
    expect(events[0]!.prevHash).toBe('0'.repeat(64));
    for (const [place, event] of events.entries()) {
      expect(event.hash).toBe(hashOf(event));
      if (place > 0) expect(event.prevHash).toBe(events[place - 1]!.hash);
    }
    expect(response.headers.get('x-changes-head')).toBe(events.at(-1)!.ts);
  });

  it('resumes after since and ends at what was there when it began', async () => {
    await post(feed.board, 'claim', 'clm_1');
    await post(feed.board, 'claim', 'clm_2');
    const response = await request('/api/v1/changes/export?since=2026-11-21T12:00:00.000000Z');
    await post(feed.board, 'claim', 'clm_3');
    const text = await response.text();
    expect([text.includes('clm_1'), text.includes('clm_2'), text.includes('clm_3')]).toEqual([false, true, false]);
  });
});
