import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueueRefusal, RequestQueue } from '../../gateway/upstream/request-queue.ts';
import { QUEUES, Upstream } from '../../gateway/upstream/upstream.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { type FakeServer, fakeServer } from '../support/raw-socket.ts';
import { until } from '../support/until.ts';

const WAIT_MS = 60_000;

describe('a queue', () => {
  const open = (change: Partial<ConstructorParameters<typeof RequestQueue>[0]> = {}): RequestQueue =>
    new RequestQueue({ concurrent: 2, queued: 3, waitMs: WAIT_MS, ...change });

  it('holds exactly as many as it has places, lets exactly as many wait, and refuses the next at once', async () => {
    const queue = open();
    const leaves = [await queue.enter(null, null), await queue.enter(null, null)];
    const waiting = [1, 2, 3].map(() => queue.enter(null, null));
    await expect(queue.enter(null, null)).rejects.toThrow(QueueRefusal);
    expect([queue.inUse, queue.waiting, queue.refused]).toEqual([2, 3, 1]);
    for (const leave of leaves) leave();
    const next = await Promise.all(waiting.slice(0, 2));
    expect([queue.inUse, queue.waiting]).toEqual([2, 1]);
    for (const leave of next) leave();
    (await waiting[2]!)();
    expect([queue.inUse, queue.waiting]).toEqual([0, 0]);
  });

  it('serves in the order of arrival', async () => {
    const queue = open({ concurrent: 1 });
    const order: string[] = [];
    const leave = await queue.enter(null, null);
    const all = ['a', 'b', 'c'].map(async (name) => {
      const mine = await queue.enter(null, null);
      order.push(name);
      mine();
    });
    leave();
    await Promise.all(all);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('gives a place back once, however often it is left', async () => {
    const queue = open();
    const leave = await queue.enter(null, null);
    await queue.enter(null, null);
    leave();
    leave();
    expect(queue.inUse).toBe(1);
  });

  it('ends a wait that lasts too long', async () => {
    vi.useFakeTimers();
    try {
      const queue = open({ concurrent: 1 });
      await queue.enter(null, null);
      const late = expect(queue.enter(null, null)).rejects.toThrow('no turn within 60000 ms');
      await vi.advanceTimersByTimeAsync(WAIT_MS);
      await late;
      expect([queue.inUse, queue.waiting, queue.refused]).toEqual([1, 0, 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is left by a caller that has gone while it waited, and not entered by one that is gone', async () => {
    const queue = open({ concurrent: 1 });
    await queue.enter(null, null);
    const gone = new AbortController();
    const waiting = queue.enter(null, gone.signal);
    expect(queue.waiting).toBe(1);
    gone.abort();
    await expect(waiting).rejects.toThrow('aborted');
    expect(queue.waiting).toBe(0);
    await expect(queue.enter(null, gone.signal)).rejects.toThrow('aborted');
    expect([queue.inUse, queue.refused]).toEqual([1, 0]);
  });

  it('gives one subject, and one group of subjects, no more than its share, which it gets back as it leaves', async () => {
    const queue = open({ concurrent: 4, perSubject: 1, perGroup: 2 });
    const holder = (subject: string, group = 'g') => ({ subject, group });
    const leave = await queue.enter(holder('a'), null);
    await expect(queue.enter(holder('a'), null)).rejects.toMatchObject({ own: true });
    await queue.enter(holder('b'), null);
    await expect(queue.enter(holder('c'), null)).rejects.toMatchObject({ own: true });
    await queue.enter(holder('c', 'other'), null);
    leave();
    await queue.enter(holder('a'), null);
  });
});

describe('the way to a board that is slow', () => {
  let board: FakeServer;
  let origin: BareOrigin;
  let upstream: Upstream;
  /** Requests that the board has not answered yet, oldest first. */
  let held: ServerResponse[];
  let arrived: () => void;
  beforeAll(async () => {
    board = await fakeServer();
    const queues = {
      short: { concurrent: 3, queued: 2, waitMs: WAIT_MS },
      following: { ...QUEUES.following, concurrent: 4 },
    };
    upstream = new Upstream(board.url, { queues, patienceMs: WAIT_MS });
    origin = await openBareOrigin({ upstream });
  });
  afterAll(async () => {
    await origin[Symbol.asyncDispose]();
    await board[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    held = [];
    arrived = () => {};
    board.seen = [];
    board.answer = (_request, response) => {
      held.push(response);
      arrived();
    };
  });

  const claim = () => origin.ask('/api/v1/claims', { method: 'POST', body: CLAIM });
  const arrivals = (count: number): Promise<void> =>
    new Promise((resolve) => {
      arrived = () => {
        if (held.length >= count) resolve();
      };
      arrived();
    });
  /** A request that the test can abort. Resolves once the headers of the answer are there. */
  const left = (path: string, signal: AbortSignal | null, headers = {}, url = origin.url): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { headers, agent: false, ...(signal && { signal }) });
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end();
    });
  const answerAll = (): void => {
    board.answer = (_request, response) => void response.end('{"data":1}');
    for (const response of held.splice(0)) response.end('{"data":1}');
  };

  it('refuses exactly what has no place, at once and truthfully, and serves the others', async () => {
    const sent = [1, 2, 3, 4, 5].map(() => claim());
    await arrivals(3);
    await until(() => upstream.queues.short.waiting === 2);
    const refused = await Promise.all([1, 2].map(() => claim()));
    for (const { status, headers, body } of refused) {
      expect([status, body.error.code, body.error.retryable]).toEqual([503, 'CLAIM_FAILED', true]);
      expect(headers['retry-after']).toBe('5');
      expect(body.error.message).toContain('was not carried out');
    }
    expect(board.seen).toHaveLength(3);
    answerAll();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(board.seen).toHaveLength(5);
  });

  it.each([
    ['a long poll', '/api/v1/changes?wait=30', {}],
    ['a long poll whose parameter is escaped', '/api/v1/changes?w%61it=%33', {}],
    ['a stream', '/api/v1/changes', { accept: 'text/event-stream' }],
    ['the export', '/api/v1/changes/export', {}],
  ])('%s takes none of the places of short requests', async (_what, path, headers) => {
    const gone = new AbortController();
    const following = [1, 2, 3, 4].map(() => left(path, gone.signal, headers));
    await arrivals(4);
    expect([upstream.queues.following.inUse, upstream.queues.short.inUse]).toEqual([4, 0]);
    board.answer = (_request, response) => void response.end('{"data":1}');
    expect((await claim()).status).toBe(200);
    const full = await origin.ask(path, { headers });
    expect([full.status, full.body.error.code]).toEqual([503, 'CHANGES_UNAVAILABLE']);
    gone.abort();
    await Promise.allSettled(following);
    await until(() => upstream.queues.following.inUse === 0);
  });

  it('holds no place for who reads a finished answer slowly', async () => {
    board.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(3_000_000) });
      response.end(Buffer.alloc(3_000_000, 32));
    };
    const answer = await left('/api/v1/claims', null);
    await until(() => upstream.queues.short.inUse === 0);
    expect((await buffer(answer)).length).toBe(3_000_000);
  });

  it('keeps the place of a stream until the stream ends', async () => {
    const gone = new AbortController();
    const following = left('/api/v1/changes', gone.signal, { accept: 'text/event-stream' });
    await arrivals(1);
    const response = held[0]!;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': there\n\n');
    (await following).on('error', () => {});
    expect(upstream.queues.following.inUse).toBe(1);
    const closed = once(response, 'close');
    gone.abort();
    await closed;
    await until(() => upstream.queues.following.inUse === 0);
  });

  it('answers a write whose board died after it was sent with what may have happened and how to find out', async () => {
    board.answer = (request) => request.socket.destroy();
    const { status, body } = await claim();
    expect([status, body.error.code]).toEqual([503, 'CLAIM_FAILED']);
    expect(body.error.message).toContain('it may or may not have been stored');
    expect(body.error.hint).toContain('the same Idempotency-Key');
    expect(board.seen).toHaveLength(1);
  });
});
