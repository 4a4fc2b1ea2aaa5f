import fc from 'fast-check';
import { describe, expect, vi } from 'vitest';
import type { Board } from '../../../board-server/store/board.ts';
import { NotStored, OutcomeUnknown } from '../../../board-server/store/engine.ts';
import { PlaceLimit, type Turn } from '../../../board-server/webhooks/place-limit.ts';
import { nextAttemptAt, retryAfterAt } from '../../../board-server/webhooks/schedule.ts';
import { openWebhookBoard, SHORT_TIMEOUT_MS, test } from '../../support/board/webhook-board.ts';
import { plainEvent } from '../../support/plain/plain-event.ts';
import { openReceiver, type Respond } from '../../support/receiver.ts';

/** Seconds between the eight attempts, which come 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 24 h after the first. */
const PAUSES_SECONDS = [5, 295, 1500, 5400, 10_800, 18_000, 50_400];
const LONG_TIMEOUT_MS = 60_000;
const fails =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (_one, response) =>
    response.writeHead(status, headers).end();

const FAILURES: [string, Respond, string, number | null][] = [
  ['answers 500', fails(500), 'status', 500],
  ['redirects', fails(302, { location: 'http://169.254.169.254/' }), 'redirect', 302],
  ['hangs', () => undefined, 'timeout', null],
  ['cuts', (_one, _response, request) => request.socket.destroy(), 'unreachable', null],
  ['answers no HTTP', (_one, response) => response.socket?.end('SSH-2.0-x\r\n'), 'unreachable', null],
];

describe('a receiver that', () => {
  test.for(FAILURES)(
    '%s gets the same message again after 5 seconds, and later ones only after it',
    async ([, respond, reason, status], { receiver, hooks, hook }) => {
      if (reason === 'timeout') await hooks.restart({ timeoutMs: SHORT_TIMEOUT_MS });
      receiver.answer(respond);
      await hooks.post('claim.created', 'c1');
      await hooks.post('claim.created', 'c2');
      await hooks.deliverer.settled();
      expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1']);
      expect((await hooks.log(hook))[0]).toMatchObject({ outcome: 'failed', reason, status, attempt: 1 });
      const { body } = await hooks.read(hook);
      expect(body.data).toMatchObject({ failedAttempts: 1, failingSince: '2026-11-21T12:00:00.000000Z' });
      expect(body.data.nextAttemptAt).toBe('2026-11-21T12:00:05.000000Z');
      await hooks.after(4);
      expect(receiver.received).toHaveLength(1);
      receiver.answer(fails(200));
      await hooks.restart({ timeoutMs: LONG_TIMEOUT_MS });
      await hooks.after(1);
      expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1', 'c1', 'c2']);
      const [first, second] = receiver.received.map(({ headers }) => headers);
      expect(second!['webhook-id']).toBe(first!['webhook-id']);
      expect(Number(second!['webhook-timestamp']) - Number(first!['webhook-timestamp'])).toBe(5);
      expect((await hooks.read(hook)).body.data).toMatchObject({ failedAttempts: 0, failingSince: null });
    },
  );

  test('fails for 24 hours is parked after eight attempts, and resume goes on where it stopped', async ({
    receiver,
    hooks,
    hook,
  }) => {
    receiver.answer(fails(503));
    await hooks.post('claim.created', 'c1');
    await hooks.post('claim.created', 'c2');
    await hooks.deliverer.settled();
    for (const [place, pause] of PAUSES_SECONDS.entries()) {
      await hooks.after(pause - 1);
      expect(receiver.received).toHaveLength(place + 1);
      // In tests the jitter is less than a second.
      await hooks.after(2);
      expect(receiver.received).toHaveLength(place + 2);
    }
    const parked = await hooks.read(hook);
    expect(parked.body.data).toMatchObject({ state: 'parked', parkedReason: 'exhausted', failedAttempts: 8 });
    await hooks.after(7 * 86_400);
    expect(receiver.received).toHaveLength(8);
    receiver.answer(fails(200));
    expect((await hooks.act(hook, { action: 'resume' })).body.data.state).toBe('active');
    await hooks.deliverer.settled();
    expect(receiver.received.slice(8).map(({ data }) => data.id)).toEqual(['c1', 'c2']);
  });

  test('answers 410 is parked at once', async ({ receiver, hooks, hook }) => {
    receiver.answer(fails(410));
    await hooks.post('claim.created', 'c1');
    await hooks.after(86_400);
    expect(receiver.received).toHaveLength(1);
    expect((await hooks.read(hook)).body.data).toMatchObject({ state: 'parked', parkedReason: 'gone' });
  });

  test('answers 429 with Retry-After is left alone for as long as it says', async ({ receiver, hooks, hook }) => {
    receiver.answer(fails(429, { 'retry-after': '120' }));
    await hooks.post('claim.created', 'c1');
    await hooks.deliverer.settled();
    expect((await hooks.read(hook)).body.data.nextAttemptAt).toBe('2026-11-21T12:02:00.000000Z');
    receiver.answer(fails(200));
    await hooks.after(119);
    expect(receiver.received).toHaveLength(1);
    await hooks.after(1);
    expect(receiver.received).toHaveLength(2);
  });

  test('hangs slows neither writes nor another subscription', async () => {
    await using slow = await openReceiver('127.0.0.2');
    await using quick = await openReceiver();
    await using hooks = await openWebhookBoard();
    await hooks.subscribe(slow.url);
    await hooks.subscribe(quick.url);
    const order: string[] = [];
    slow.answer(() => void order.push('slow asked'));
    quick.answer((one, response) => {
      order.push(`quick ${one.data.id}`);
      response.end();
    });
    for (const label of ['c1', 'c2', 'c3']) {
      await hooks.post('claim.created', label);
      order.push(`written ${label}`);
    }
    await expect.poll(() => order.filter((entry) => entry.startsWith('quick')), { interval: 5 }).toHaveLength(3);
    // All of this happens while the first delivery to the slow target is still waiting.
    expect(slow.received).toHaveLength(1);
    expect(order.filter((entry) => entry.startsWith('slow'))).toHaveLength(1);
    expect(order.filter((entry) => entry.startsWith('written'))).toHaveLength(3);
  });
});

test('whatever fails and restarts, every event arrives, first arrivals in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('post', 'post', 'post', 'fail', 'heal', 'wait', 'restart'), {
        minLength: 4,
        maxLength: 14,
      }),
      async (steps) => {
        await using receiver = await openReceiver();
        await using hooks = await openWebhookBoard();
        await hooks.subscribe(receiver.url);
        const posted: string[] = [];
        for (const step of steps) {
          if (step === 'post') {
            posted.push(`c${posted.length}`);
            await hooks.post('claim.created', posted.at(-1)!);
          } else if (step === 'fail') receiver.answer(fails(500));
          else if (step === 'heal') receiver.answer(fails(200));
          else if (step === 'wait') await hooks.after(6);
          else await hooks.restart();
        }
        receiver.answer(fails(200));
        for (let hour = 0; hour < 26; hour += 1) await hooks.after(3600);
        const first = [...new Set(receiver.received.map(({ data }) => data.id))];
        expect(first).toEqual(posted);
      },
    ),
    { numRuns: 8, seed: 20261121 },
  );
});

describe('what bounds deliveries', () => {
  test('a place gets four at once, ten in a burst, then ten a second; slow ones get two beside them', () => {
    const limit = new PlaceLimit();
    const turnAt = (place: string, now: number, lane: 'quick' | 'slow' = 'quick') => {
      const turn = limit.take(lane, place, now);
      if (typeof turn === 'number') throw new Error(`no turn for ${turn}`);
      expect(turn.use(place, now)).toBe(true);
      return turn;
    };
    const first = [1, 2, 3, 4].map(() => turnAt('a', 0));
    expect(limit.take('quick', 'a', 0)).toBe(Number.POSITIVE_INFINITY);
    turnAt('b', 0);
    for (const _ of [1, 2]) turnAt('a', 0, 'slow');
    expect(limit.take('slow', 'a', 0)).toBe(Number.POSITIVE_INFINITY);
    for (const turn of first) turn.release(0);
    for (let count = 0; count < 6; count += 1) turnAt('a', 0).release(0);
    expect(limit.take('quick', 'a', 0)).toBe(100_000);
    expect(limit.take('quick', 'a', 99_999)).toBe(1);
    turnAt('a', 100_000).release(100_000);
    // After the clock jumps back by an hour, the wait is at most a second, not an hour.
    expect(limit.take('quick', 'a', -3_600_000_000)).toBeLessThanOrEqual(1_000_000);
  });

  test('a turn that is not used costs no pace, and moves to the place that a host leads to', () => {
    const limit = new PlaceLimit();
    const take = (place: string) => limit.take('quick', place, 0) as Turn;
    for (let count = 0; count < 30; count += 1) take('a').release(0);
    const turns = ['x.example', 'y.example', 'z.example', 'u.example', 'v.example'].map(take);
    expect(turns.map((turn) => turn.use('a', 0))).toEqual([true, true, true, true, false]);
    for (const turn of turns) turn.release(0);
    for (let count = 0; count < 6; count += 1) {
      const turn = take('a');
      turn.use('a', 0);
      turn.release(0);
    }
    expect(limit.take('quick', 'a', 0)).toBe(100_000);
  });

  test('retries lie up to a tenth of the pause later, by jitter', () => {
    const dues = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => nextAttemptAt('event', failures, 0, 0, null));
    expect(dues).toEqual([...PAUSES_SECONDS.map((seconds) => seconds * 1_000_000), null]);
    expect(nextAttemptAt('event', 1, 0, 1, null)).toBe(5_500_000);
    expect(nextAttemptAt('challenge', 3, 0, 0, null)).toBeNull();
  });

  test('Retry-After is read as seconds or as a date, and taken for a day at most', () => {
    const now = Date.parse('2026-11-21T12:00:00Z') * 1000;
    const seconds = (header: string | null) => {
      const at = retryAfterAt(header, now);
      return at === null ? null : (at - now) / 1_000_000;
    };
    expect(
      ['7', 'Sat, 21 Nov 2026 12:00:30 GMT', 'Sat, 21 Nov 2026 11:00:00 GMT', '999999999', 'soon', '', null].map(
        seconds,
      ),
    ).toEqual([7, 30, 0, 86_400, null, null, null]);
  });
});

describe('while the store takes nothing', () => {
  /** Every write fails with this error but those of `post`, which make events; `mend` ends that. */
  function breakStore(board: Board, error: Error) {
    const write = board.write.bind(board);
    const breaking = vi.spyOn(board, 'write').mockRejectedValue(error);
    return {
      mend: () => breaking.mockRestore(),
      post: (label: string) =>
        write((tx) =>
          tx.appendEvent(tx.nextTime(), { ...plainEvent('claim', label), data: {}, webhookEvent: 'claim.created' }),
        ),
    };
  }

  test('a delivery is made once, stored when the store is back, and told meanwhile', async ({
    receiver,
    hooks,
    hook,
  }) => {
    const { board } = hooks.board.services;
    const store = breakStore(board, new NotStored('nothing was stored'));
    await store.post('c1');
    await store.post('c2');
    await hooks.deliverer.settled();
    for (let times = 0; times < 10; times += 1) await hooks.after(60);
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1']);
    expect(hooks.deliverer.unstored).toEqual({ waiting: 1, again: 0 });
    const webhooks = async () => (await hooks.board.get('/internal/status')).body.components.at(-1);
    const detail = '1 deliveries wait to be stored';
    expect(await webhooks()).toMatchObject({ component: 'webhooks', state: 'down', detail });
    store.mend();
    await hooks.after(60);
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1', 'c2']);
    expect(await hooks.log(hook)).toMatchObject([
      { type: 'claim.created', attempt: 1, outcome: 'delivered' },
      { type: 'claim.created', attempt: 1, outcome: 'delivered', at: '2026-11-21T12:00:00.000000Z' },
      { type: 'webhook.challenge' },
    ]);
    expect(await webhooks()).toMatchObject({ state: 'up', detail: 'each delivery was stored' });
  });

  test('and is known to, nothing is sent at all, nor by a process that has not stored anything yet', async ({
    receiver,
    hooks,
  }) => {
    await hooks.subscribe(receiver.url);
    await hooks.post('claim.created', 'c1');
    await hooks.deliverer.settled();
    const { board } = hooks.board.services;
    await hooks.post('claim.created', 'c2');
    board.health.fault = { kind: 'full', since: new Date(0) };
    for (let times = 0; times < 3; times += 1) await hooks.after(60);
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1']);
    board.health.fault = null;
    board.health.provenAt = null;
    const proving = vi.spyOn(board, 'prove').mockResolvedValue(false);
    await hooks.restart();
    await hooks.after(60);
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1']);
    proving.mockRestore();
    await hooks.after(60);
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1', 'c2']);
  });

  test('a failed attempt counts once, and a commit that was stored after all is not stored again', async ({
    receiver,
    hooks,
    hook,
  }) => {
    const { board } = hooks.board.services;
    receiver.answer(fails(500));
    const write = board.write.bind(board);
    const lost = vi.spyOn(board, 'write').mockImplementation(async (work) => {
      await write(work);
      throw new OutcomeUnknown('the database did not answer the commit');
    });
    await hooks.post('claim.created', 'c1').catch(() => undefined);
    await hooks.deliverer.settled();
    lost.mockRestore();
    expect(receiver.received).toHaveLength(1);
    expect((await hooks.read(hook)).body.data).toMatchObject({ failedAttempts: 1 });
    receiver.answer(fails(200));
    await hooks.after(60);
    expect(receiver.received).toHaveLength(2);
    expect((await hooks.log(hook)).map(({ attempt }) => attempt)).toEqual([2, 1, 1]);
    expect(hooks.deliverer.unstored.waiting).toBe(0);
  });

  test('a replay that its owner asks for afterwards is sent, whatever was kept', async ({ receiver, hooks, hook }) => {
    const { board } = hooks.board.services;
    const since = board.effects.now().toISOString();
    await hooks.after(1);
    const store = breakStore(board, new NotStored('nothing was stored'));
    await store.post('c1');
    await hooks.deliverer.settled();
    store.mend();
    expect((await hooks.act(hook, { action: 'replay', since })).status).toBe(200);
    await hooks.after(60);
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1', 'c1']);
    expect(hooks.deliverer.unstored).toEqual({ waiting: 0, again: 1 });
  });
});
