import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect } from 'vitest';
import { openWebhookBoard, test } from '../../support/board/webhook-board.ts';
import { openReceiver, type Respond } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

/** Longer than any test lasts: nothing here may depend on an attempt that times out. */
const timeoutMs = 3_600_000;

interface Hostile extends AsyncDisposable {
  port: number;
  /** Connections on which an event came and that are open now, and all there ever were. */
  readonly open: number;
  readonly events: number;
}

/** Proves itself by its challenge like anyone else, then does to each event what `attack` does to its socket. */
async function openHostile(attack: (socket: Socket) => void): Promise<Hostile> {
  const attacked = new Set<Socket>();
  const sockets = new Set<Socket>();
  let events = 0;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      attacked.delete(socket);
    });
    socket.on('data', (chunk) => {
      text += chunk;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      const body = text.split('\r\n\r\n')[1];
      if (body === undefined || body.length < length) return;
      const challenge = JSON.parse(body).data.challenge;
      if (challenge !== undefined) {
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${challenge.length}\r\n\r\n${challenge}`);
        return;
      }
      events += 1;
      attacked.add(socket);
      attack(socket);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '0.0.0.0', listening));
  return {
    port: (server.address() as { port: number }).port,
    get open() {
      return attacked.size;
    },
    get events() {
      return events;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const hang = (): void => undefined;

/** Answers 200 at once and then sends a byte a second for as long as somebody listens. */
function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
  const drops = setInterval(() => socket.write('x'), 1000);
  socket.on('close', () => clearInterval(drops));
}

/** Every name under it is the same machine. */
const wildcard = async () => ['127.0.0.9'];
const OWNERS = ['203.0.113.1', '198.51.100.1', '192.0.2.1'];

type Hooks = Awaited<ReturnType<typeof openWebhookBoard>>;

/** 44 subscriptions of 3 addresses to 11 names of one machine. */
async function subscribeMany(hooks: Hooks, port: number): Promise<void> {
  for (let place = 0; place < 44; place += 1) {
    await hooks.subscribe(`http://drip-${place % 11}.example:${port}/${place}`, undefined, OWNERS[place % 3]);
    // Their machine takes ten messages a second.
    if (place % 10 === 9) await hooks.after(2);
  }
  await hooks.after(2);
}

describe('an honest subscription', () => {
  test('is delivered to beside 44 that answer and then drip, none of which is read to its end', async () => {
    await using hostile = await openHostile(drip);
    await using honest = await openReceiver();
    await using hooks = await openWebhookBoard({ resolve: wildcard, timeoutMs });
    await subscribeMany(hooks, hostile.port);
    await hooks.subscribe(honest.url);
    await hooks.post('claim.created', 'c1');
    await until(() => honest.received.length === 1);
    // The rest come ten a second, because all names are one machine; none waits for the end of a reply.
    expect(hostile.events).toBeLessThan(44);
    for (let tenths = 0; tenths < 60; tenths += 1) await hooks.after(0.1);
    expect(hostile.events).toBe(44);
    await until(() => hostile.open === 0);
  });

  test('is delivered to beside 44 that never answer, which hold four slots under all their names', async () => {
    await using hostile = await openHostile(hang);
    await using honest = await openReceiver();
    await using hooks = await openWebhookBoard({ resolve: wildcard, timeoutMs });
    await subscribeMany(hooks, hostile.port);
    await hooks.subscribe(honest.url);
    for (const label of ['c1', 'c2', 'c3']) await hooks.post('claim.created', label);
    await until(() => honest.received.length === 3);
    await until(() => hostile.open === 4);
    expect(honest.received.map(({ data }) => data.id)).toEqual(['c1', 'c2', 'c3']);
    expect(hostile.events).toBe(4);
  });

  test('is delivered to beside twenty machines of one owner that never answer, which hold eight slots', async () => {
    await using hostile = await openHostile(hang);
    await using honest = await openReceiver();
    await using hooks = await openWebhookBoard({ timeoutMs });
    for (let place = 0; place < 20; place += 1) {
      await hooks.subscribe(`http://127.0.1.${place}:${hostile.port}/`, undefined, OWNERS[0]);
    }
    await hooks.subscribe(honest.url, undefined, OWNERS[1]);
    await hooks.post('claim.created', 'c1');
    await until(() => honest.received.length === 1);
    await until(() => hostile.open === 8);
    expect(hostile.events).toBe(8);
  });

  test('is delivered to beside forty slow ones of forty owners and machines, which hold eight slots', async () => {
    let takes = 6000;
    let now = 0;
    await using hostile = await openHostile((socket) => {
      if (takes > 0) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    await using honest = await openReceiver();
    const monotonicMs = () => {
      now += takes;
      return now;
    };
    await using hooks = await openWebhookBoard({ timeoutMs, monotonicMs });
    for (let place = 0; place < 40; place += 1) {
      await hooks.subscribe(`http://127.0.2.${place}:${hostile.port}/`, undefined, `203.${place}.113.1`);
    }
    await hooks.post('claim.created', 'c1');
    await hooks.deliverer.settled();
    expect(hostile.events).toBe(40);
    takes = 0;
    await hooks.subscribe(honest.url, undefined, OWNERS[1]);
    await hooks.post('claim.created', 'c2');
    await until(() => honest.received.length === 1);
    await until(() => hostile.open === 8);
    expect(hostile.events).toBe(48);
  });
});

describe('a receiver', () => {
  test('that is slow twenty times more than quick is parked as slow, and resume gives it its budget again', async () => {
    let takes = 0;
    let now = 0;
    const monotonicMs = () => {
      now += takes;
      return now;
    };
    await using receiver = await openReceiver();
    await using hooks = await openWebhookBoard({ timeoutMs, monotonicMs });
    const hook = await hooks.subscribe(receiver.url);
    const deliver = async (count: number, milliseconds: number) => {
      takes = milliseconds;
      for (let place = 0; place < count; place += 1) {
        await hooks.post('claim.created', `c${place}`);
        await hooks.after(1);
      }
    };
    await deliver(10, 5000);
    await deliver(19, 5001);
    await deliver(3, 0);
    await deliver(3, 5001);
    expect((await hooks.read(hook)).body.data).toMatchObject({ state: 'active', failedAttempts: 0 });
    await deliver(2, 5001);
    const { body } = await hooks.read(hook);
    expect(body.data).toMatchObject({ state: 'parked', parkedReason: 'slow', failedAttempts: 0, nextAttemptAt: null });
    expect(receiver.received).toHaveLength(10 + 19 + 3 + 3 + 1);
    expect((await hooks.log(hook))[0]).toMatchObject({ outcome: 'delivered', durationMs: 5001 });
    takes = 0;
    expect((await hooks.act(hook, { action: 'resume' })).body.data).toMatchObject({
      state: 'active',
      parkedReason: null,
    });
    await hooks.after(1);
    await deliver(18, 5001);
    expect((await hooks.read(hook)).body.data.state).toBe('active');
    expect(receiver.received).toHaveLength(10 + 19 + 3 + 3 + 2 + 18);
  });

  const MIRRORS: [string, Respond][] = [
    ['the body as it came', ({ text }, response) => response.end(text)],
    ['the body within JSON', ({ text }, response) => response.end(JSON.stringify({ method: 'POST', data: text }))],
    [
      'the body read and written again',
      ({ text }, response) => response.end(JSON.stringify(JSON.parse(text), null, 2)),
    ],
    ['the body in an error page', ({ text }, response) => response.end(`<pre>${text.replaceAll('"', '&quot;')}</pre>`)],
  ];

  test.for(MIRRORS)('that sends back %s does not pass the challenge', async ([, respond], { receiver, hooks }) => {
    receiver.answer(respond, true);
    const hook = await hooks.subscribe(receiver.url);
    expect((await hooks.read(hook)).body.data.state).toBe('pending');
    expect((await hooks.log(hook))[0]).toMatchObject({ outcome: 'failed', reason: 'no_echo', status: null });
  });

  const READERS: [string, Respond][] = [
    ['alone', ({ data }, response) => response.end(data.challenge)],
    ['as JSON', ({ data }, response) => response.end(JSON.stringify({ challenge: data.challenge }))],
    ['with the rest of the data', ({ data }, response) => response.end(JSON.stringify(data))],
  ];

  test.for(READERS)('that sends the challenge %s passes it', async ([, respond], { receiver, hooks }) => {
    receiver.answer(respond, true);
    const hook = await hooks.subscribe(receiver.url);
    expect((await hooks.read(hook)).body.data.state).toBe('active');
  });

  test('that drips its reply to the challenge is heard for a second at most', async () => {
    await using receiver = await openReceiver();
    receiver.answer(({ data }, response) => {
      response.writeHead(200, { 'content-length': '100000' });
      response.write(data.challenge);
    }, true);
    await using hooks = await openWebhookBoard({ timeoutMs, replyMs: 50 });
    const hook = await hooks.subscribe(receiver.url);
    expect((await hooks.read(hook)).body.data.state).toBe('active');
  });
});
