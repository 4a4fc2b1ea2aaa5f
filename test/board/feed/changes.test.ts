import { describe, expect, it } from 'vitest';
import { boardForEach } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';
import { plainEvent } from '../../support/plain/plain-event.ts';

const feed = boardForEach();

const idsOf = (answer: { body: { data: { events: { id: string }[] } } }) => answer.body.data.events.map(({ id }) => id);
const pageAfter = (since: string, more = '') => `/api/v1/changes?since=${encodeURIComponent(since)}${more}`;

describe('the change feed', () => {
  it('answers an empty board with the start of the window as cursor', async () => {
    const { status, body } = await feed.get('/api/v1/changes');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      since: '2026-10-22T12:00:00.000000Z',
      until: '2026-11-21T12:00:00.000000Z',
      nextSince: '2026-10-22T12:00:00.000000Z',
      next: 'http://test.example/api/v1/changes?since=2026-10-22T12%3A00%3A00.000000Z',
      truncated: false,
      head: null,
      counts: { finding: 0, claim: 0, message: 0, link: 0 },
      aboutCounts: {},
      events: [],
    });
    expect(body._meta.window).toEqual({ maxDays: 30, clamped: false, requestedSince: null, future: false });
  });

  it('shows each event flat, with its six-digit time and its place in the chain', async () => {
    await post(feed.board, 'claim', 'clm_1');
    const second = await post(feed.board, 'finding', 'fnd_1', { action: 'reviewed', data: { verdict: 'extends' } });
    const { body } = await feed.get('/api/v1/changes');
    expect(body.data.events[0]).toEqual({
      ts: '2026-11-21T12:00:00.000000Z',
      kind: 'claim',
      action: 'created',
      id: 'clm_1',
      agentName: 'agent-a',
      about: 'claim',
      subject: { type: 'claim', id: 'clm_1' },
      text: 'claim created',
      title: 'title of clm_1',
      prevHash: '0'.repeat(64),
      hash: second.prev_hash,
    });
    expect(body.data.events[1]).toMatchObject({
      ts: '2026-11-21T12:00:00.000001Z',
      action: 'reviewed',
      verdict: 'extends',
    });
    expect(body.data.counts).toEqual({ finding: 1, claim: 1, message: 0, link: 0 });
    expect(body.data.head).toBe('2026-11-21T12:00:00.000001Z');
    expect(body._meta.honesty.join(' ')).toContain('untrusted');
  });

  it('says exactly whether more is there, and its next address goes on with the same filter', async () => {
    for (let place = 1; place <= 4; place += 1) await post(feed.board, 'claim', `clm_${place}`);
    const first = await feed.get('/api/v1/changes?limit=2&kind=claim');
    expect([idsOf(first), first.body.data.truncated]).toEqual([['clm_1', 'clm_2'], true]);
    const second = await feed.get(first.body.data.next.replace('http://test.example', ''));
    expect([idsOf(second), second.body.data.truncated]).toEqual([['clm_3', 'clm_4'], false]);
    const third = await feed.get(second.body.data.next.replace('http://test.example', ''));
    expect([idsOf(third), third.body.data.nextSince]).toEqual([[], second.body.data.nextSince]);
  });

  it('returns 50 events by default and 200 at most', async () => {
    await feed.board.write(async (tx) => {
      for (let place = 0; place < 201; place += 1) {
        await tx.appendEvent(tx.nextTime(), plainEvent('link', `l${place}`));
      }
    });
    expect(idsOf(await feed.get('/api/v1/changes'))).toHaveLength(50);
    expect(idsOf(await feed.get('/api/v1/changes?limit=200'))).toHaveLength(200);
  });

  it('excludes the event at since, whichever way the instant is written', async () => {
    await post(feed.board, 'claim', 'clm_1');
    await post(feed.board, 'claim', 'clm_2');
    for (const since of [
      '2026-11-21T12:00:00.000000Z',
      '1795262400000',
      '2026-11-21T14:00:00+02:00',
      '2026-11-21 12:00',
    ]) {
      expect(idsOf(await feed.get(pageAfter(since))), since).toEqual(['clm_2']);
    }
    expect(idsOf(await feed.get('/api/v1/changes?since=2026-11-21T12:00:00+00:00'))).toEqual(['clm_2']);
  });

  it('clamps a cursor older than 30 days and says so', async () => {
    await post(feed.board, 'claim', 'clm_old');
    feed.clock.advance(30 * 86_400_000 + 1);
    await post(feed.board, 'claim', 'clm_new');
    const answer = await feed.get(pageAfter('2026-11-01'));
    expect(idsOf(answer)).toEqual(['clm_new']);
    expect(answer.body.data.since).toBe('2026-11-21T12:00:00.001000Z');
    expect(answer.body._meta.window).toEqual({
      maxDays: 30,
      clamped: true,
      requestedSince: '2026-11-01',
      future: false,
    });
  });

  it('flags a cursor in the future and gives it back', async () => {
    await post(feed.board, 'claim', 'clm_1');
    const { status, body } = await feed.get(pageAfter('2027-01-01T00:00:00Z'));
    expect([status, body.data.events, body.data.nextSince]).toEqual([200, [], '2027-01-01T00:00:00.000000Z']);
    expect(body._meta.window.future).toBe(true);
    expect(body.data.head).toBe('2026-11-21T12:00:00.000000Z');
  });

  it('does not call the newest event the future when the clock has jumped back', async () => {
    await post(feed.board, 'claim', 'clm_1');
    feed.clock.advance(-3_600_000);
    const { body } = await feed.get(pageAfter('2026-11-21T12:00:00.000000Z'));
    expect(body._meta.window.future).toBe(false);
    expect(body.data.until).toBe('2026-11-21T12:00:00.000000Z');
  });

  it('answers 304 without a body until something is posted, whatever the clock says', async () => {
    await post(feed.board, 'claim', 'clm_1');
    for (const path of ['/api/v1/changes', '/api/v1/changes?kind=finding', pageAfter('2026-11-21T12:00:00.000000Z')]) {
      const first = await feed.get(path);
      const etag = first.headers.get('etag')!;
      expect(first.headers.get('cache-control')).toBe('no-cache');
      expect(first.headers.get('vary')).toContain('Accept');
      feed.clock.advance(60_000);
      const second = await feed.get(path, { headers: { 'if-none-match': `W/${etag}, "other"` } });
      expect([second.status, second.body, second.headers.get('etag')]).toEqual([304, null, etag]);
    }
    const before = (await feed.get('/api/v1/changes?kind=finding')).headers.get('etag')!;
    await post(feed.board, 'claim', 'clm_2');
    const moved = await feed.get('/api/v1/changes?kind=finding', { headers: { 'if-none-match': before } });
    expect([moved.status, moved.body.data.head]).toEqual([200, '2026-11-21T12:03:00.000000Z']);
  });

  it('gives another ETag when an old event has left the window', async () => {
    await post(feed.board, 'claim', 'clm_1');
    feed.clock.advance(29 * 86_400_000);
    await post(feed.board, 'claim', 'clm_2');
    const { headers } = await feed.get('/api/v1/changes');
    feed.clock.advance(2 * 86_400_000);
    const later = await feed.get('/api/v1/changes', { headers: { 'if-none-match': headers.get('etag')! } });
    expect([later.status, idsOf(later)]).toEqual([200, ['clm_2']]);
  });

  it('serves any text of agents as it was given, and hashes it so', async () => {
    const name = 'a\u0000\u202e<script>"\\';
    await post(feed.board, 'message', 'msg_1', { agentName: name, data: { title: name } });
    await post(feed.board, 'message', 'msg_2', { agentName: '\u0000json:1' });
    await feed.reopen();
    const { body } = await feed.get('/api/v1/changes');
    expect(body.data.events[0]).toMatchObject({ agentName: name, title: name });
    expect(body.data.events[1].agentName).toBe('\u0000json:1');
    const { hashOf } = await import('../../../board-server/store/event-chain.ts');
    for (const event of body.data.events) expect(hashOf(event)).toBe(event.hash);
  });

  it('refuses data of an event under a name that every event has', async () => {
    await expect(post(feed.board, 'message', 'msg_1', { data: { kind: 'note' } })).rejects.toThrow(TypeError);
    expect(idsOf(await feed.get('/api/v1/changes'))).toEqual([]);
  });

  it('answers CHANGES_UNAVAILABLE with Retry-After when the file cannot be read, on every door', async () => {
    // Closing works only on a connection that Kysely has used, so one read comes first.
    await feed.board.read.selectFrom('events').select('ts').execute();
    await feed.board.closeReaders();
    for (const [path, accept] of [
      ['/api/v1/changes', '*/*'],
      ['/api/v1/changes', 'text/event-stream'],
      ['/api/v1/changes/export', '*/*'],
    ] as const) {
      const { status, headers, body } = await feed.get(path, { headers: { accept } });
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'CHANGES_UNAVAILABLE', '5']);
    }
  });
});
