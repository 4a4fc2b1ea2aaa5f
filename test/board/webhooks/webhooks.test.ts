import { Webhook } from 'standardwebhooks';
import { describe, expect, vi } from 'vitest';
import { test } from '../../support/board/webhook-board.ts';
import { openReceiver } from '../../support/receiver.ts';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('a subscription', () => {
  test('answers 201 pending with its secret, and is active once its target echoed the challenge', async ({
    receiver,
    hooks,
  }) => {
    const { status, body } = await hooks.board.send('/api/v1/webhooks', { url: receiver.url });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ url: receiver.url, state: 'pending', verifiedAt: null, parkedReason: null });
    expect(body.data.events).toHaveLength(8);
    expect(body.data.secret).toMatch(SECRET);
    await hooks.deliverer.settled();
    const { body: read } = await hooks.read(body.data);
    expect(read.data).toMatchObject({ state: 'active', verifiedAt: '2026-11-21T12:00:00.000000Z', failedAttempts: 0 });
    expect(read.data.secret).toBeUndefined();
    expect(receiver.challenges.map(({ data }) => data.webhookId)).toEqual([body.data.id]);
  });

  test('stays pending and gets nothing when its target does not echo, is challenged three times, and again on resume', async ({
    receiver,
    hooks,
  }) => {
    receiver.answer((_one, response) => response.end('hello'), true);
    const hook = await hooks.subscribe(receiver.url);
    await hooks.post('claim.created', 'c1');
    for (const seconds of [5, 60, 3600]) await hooks.after(seconds);
    expect((await hooks.read(hook)).body.data).toMatchObject({
      state: 'pending',
      failedAttempts: 3,
      nextAttemptAt: null,
    });
    expect(receiver.challenges).toHaveLength(3);
    expect(receiver.received).toEqual([]);
    expect((await hooks.log(hook))[0]).toMatchObject({ outcome: 'failed', reason: 'no_echo', status: null });
    receiver.answer((_one, response) => response.end());
    const pinged = await hooks.act(hook, { action: 'ping' });
    expect([pinged.status, pinged.body.data.failedAttempts, pinged.body.data.state]).toEqual([200, 3, 'pending']);
    await hooks.deliverer.settled();
    expect(receiver.challenges).toHaveLength(3);
    expect((await hooks.act(hook, { action: 'resume' })).status).toBe(200);
    await hooks.deliverer.settled();
    expect((await hooks.read(hook)).body.data.state).toBe('active');
    // The board kept the event that was posted between the subscription and its verification.
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1']);
  });

  test('is challenged three times in all, however often it is pinged while it is pending', async ({
    receiver,
    hooks,
  }) => {
    receiver.answer((_one, response) => response.end('hello'), true);
    const hook = await hooks.subscribe(receiver.url);
    await hooks.deliverer.settled();
    const heard: number[] = [];
    for (let pings = 0; pings < 4; pings += 1) {
      expect((await hooks.act(hook, { action: 'ping' })).body.data.failedAttempts).toBe(Math.min(pings + 1, 3));
      await hooks.deliverer.settled();
      heard.push(receiver.challenges.length);
    }
    expect(heard).toEqual([2, 3, 3, 3]);
  });

  test('that proves nothing in 24 hours is gone', async ({ receiver, hooks }) => {
    receiver.answer((_one, response) => response.writeHead(500).end(), true);
    const hook = await hooks.subscribe(receiver.url);
    await hooks.after(24 * 3600);
    expect((await hooks.read(hook)).body.error.code).toBe('NOT_FOUND');
    await using other = await openReceiver();
    await hooks.subscribe(other.url);
    const rows = await hooks.board.services.board.read.selectFrom('webhooks').select('url').execute();
    expect(rows).toEqual([{ url: other.url }]);
  });

  test('that was deleted gets nothing more and leaves no log behind', async ({ receiver, hooks, hook }) => {
    await hooks.board.send(`/api/v1/webhooks/${hook.id}`, {}, { 'x-webhook-secret': hook.secret }, 'DELETE');
    await hooks.post('claim.created', 'c1');
    await hooks.after(1);
    expect(receiver.received).toEqual([]);
    expect(await hooks.board.services.board.read.selectFrom('deliveries').selectAll().execute()).toEqual([]);
  });
});

describe('a delivery', () => {
  test('is signed as Standard Webhooks has it and carries the event as the feed gives it', async ({
    receiver,
    hooks,
  }) => {
    const { secret } = await hooks.subscribe(receiver.url);
    const text = 'markup <b> and \u202e marks';
    const ts = await hooks.post('finding.created', 'f1', { title: text });
    await hooks.deliverer.settled();
    const [one] = receiver.received;
    // The library compares the attempt's time with the system clock.
    vi.useFakeTimers({ now: hooks.board.clock.now(), toFake: ['Date'] });
    try {
      expect(new Webhook(secret).verify(one!.text, one!.headers)).toEqual(JSON.parse(one!.text));
      expect(() => new Webhook(secret).verify(one!.text.replace('f1', 'f2'), one!.headers)).toThrow();
    } finally {
      vi.useRealTimers();
    }
    const feed = await hooks.board.get('/api/v1/changes');
    expect(JSON.parse(one!.text)).toEqual({
      type: 'finding.created',
      timestamp: feed.body.data.events[0].ts,
      data: feed.body.data.events[0],
    });
    expect(one!.headers['webhook-id']).toBe(`evt_${ts}`);
    expect(one!.headers['webhook-timestamp']).toBe('1795262400');
    expect(one!.data.title).toBe(text);
  });

  test('tells only of the events that were asked for, in order', async ({ receiver, hooks }) => {
    await hooks.subscribe(receiver.url, ['claim.released', 'message.posted', 'claim.released']);
    const names = ['claim.created', 'message.posted', 'claim.released', 'finding.created', 'message.posted'];
    for (const [place, name] of names.entries()) await hooks.post(name, `o${place}`);
    await hooks.deliverer.settled();
    expect(receiver.received.map(({ type, data }) => `${type} ${data.id}`)).toEqual([
      'message.posted o1',
      'claim.released o2',
      'message.posted o4',
    ]);
  });

  test('of an event above 20 kB names it and leaves its data to the feed', async ({ receiver, hooks }) => {
    await hooks.subscribe(receiver.url);
    await hooks.post('finding.created', 'f1', { title: 'x'.repeat(20_000) });
    await hooks.deliverer.settled();
    expect(receiver.received[0]!.data).toMatchObject({ id: 'f1', kind: 'finding', truncated: true });
    expect(receiver.received[0]!.data.title).toBeUndefined();
  });

  test('carries a signature of both secrets for 24 hours after a rotation, then of the new one alone', async ({
    receiver,
    hooks,
  }) => {
    const old = await hooks.subscribe(receiver.url);
    const { body } = await hooks.act(old, { action: 'rotate' });
    const renewed = { id: old.id, secret: body.data.secret };
    expect(renewed.secret).toMatch(SECRET);
    expect(renewed.secret).not.toBe(old.secret);
    expect(body.data.previousSecretUntil).toBe('2026-11-22T12:00:00.000000Z');
    expect((await hooks.read(old)).body.error.code).toBe('FORBIDDEN');
    await hooks.post('claim.created', 'c1');
    await hooks.deliverer.settled();
    vi.useFakeTimers({ now: hooks.board.clock.now(), toFake: ['Date'] });
    const during = receiver.received[0]!;
    for (const { secret } of [old, renewed]) new Webhook(secret).verify(during.text, during.headers);
    vi.useRealTimers();
    hooks.board.clock.advance(24 * 3_600_000);
    await hooks.post('claim.created', 'c2');
    await hooks.deliverer.settled();
    const after = receiver.received[1]!;
    expect(after.headers['webhook-signature']!.split(' ')).toHaveLength(1);
    vi.useFakeTimers({ now: hooks.board.clock.now(), toFake: ['Date'] });
    expect(() => new Webhook(old.secret).verify(after.text, after.headers)).toThrow();
    new Webhook(renewed.secret).verify(after.text, after.headers);
    vi.useRealTimers();
    expect((await hooks.read(renewed)).body.data.previousSecretUntil).toBeNull();
  });

  test('by ping is one webhook.ping whose outcome the log shows, also to a parked target', async ({
    receiver,
    hooks,
    hook,
  }) => {
    const { body } = await hooks.act(hook, { action: 'ping' });
    await hooks.deliverer.settled();
    expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.ping']);
    const entry = (await hooks.log(hook)).find(({ id }) => id === body.data.deliveryId);
    expect(entry).toMatchObject({ type: 'webhook.ping', outcome: 'delivered', status: 204, eventTs: null });
    receiver.answer((_one, response) => response.writeHead(410).end());
    await hooks.post('claim.created', 'c1');
    await hooks.deliverer.settled();
    expect((await hooks.read(hook)).body.data).toMatchObject({ state: 'parked', parkedReason: 'gone' });
    await hooks.act(hook, { action: 'ping' });
    await hooks.deliverer.settled();
    expect((await hooks.log(hook, '?failed=true&limit=1'))[0]).toMatchObject({ type: 'webhook.ping', reason: 'gone' });
  });

  test('is made again, under the same webhook-id, by replay since a time', async ({ receiver, hooks, hook }) => {
    for (const label of ['c1', 'c2', 'c3']) await hooks.post('claim.created', label);
    await hooks.after(1);
    const since = receiver.received[0]!.data.ts;
    expect((await hooks.act(hook, { action: 'replay', since })).body.data.deliveredUntil).toBe(since);
    await hooks.after(1);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['c1', 'c2', 'c3', 'c2', 'c3']);
    expect(ids.slice(3)).toEqual(ids.slice(1, 3));
  });
});
