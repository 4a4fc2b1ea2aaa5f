import { Client } from 'pg';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { Deliverer } from '../../board-server/webhooks/deliverer.ts';
import { openWebhooks } from '../../board-server/webhooks/open-webhooks.ts';
import { type OneOfSeveral, openSeveralBoards, type SeveralBoards } from '../support/board/several-boards.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { NO_POSTGRES } from '../support/runner/postgres.ts';

if (NO_POSTGRES !== null) process.stderr.write(`\nTests of several boards are skipped: ${NO_POSTGRES}\n`);

const EVENT = 'claim.created';
/** Half of a lease is longer than an attempt. */
const LEASE_MS = 3_000;
/** Longer than a busy machine keeps a worker from renewing it: a worker that is late loses its lease, and what it sends is sent again. */
const LEASE_OF_THE_LATE_MS = 20_000;
const TIMEOUT_MS = 1_000;

interface Worker extends OneOfSeveral {
  deliverer: Deliverer;
}

let several: SeveralBoards;
let workers: Worker[] = [];
let receivers: Receiver[] = [];
afterEach(async () => {
  for (const { deliverer } of workers) await deliverer[Symbol.asyncDispose]();
  for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
  await several?.[Symbol.asyncDispose]();
  workers = [];
  receivers = [];
});

async function openWorkers(count: number, leaseMs = LEASE_MS): Promise<Worker[]> {
  several = await openSeveralBoards(count);
  for (const one of several.boards) {
    const { services, deliverer } = await openWebhooks({
      board: one.board,
      log: pino({ level: 'silent' }),
      allow: ['127.0.0.0/8'],
      ...{ timeoutMs: TIMEOUT_MS, leaseMs, reloadMs: 200 },
    });
    Object.assign(one.services, { webhooks: services });
    workers.push({ ...one, deliverer });
  }
  return workers;
}

/** A target with an address of its own, since each address is paced. */
async function target(number: number): Promise<Receiver> {
  const receiver = await openReceiver(`127.0.3.${number}`);
  receivers.push(receiver);
  return receiver;
}

async function send(worker: Worker, method: string, path: string, body: unknown, secret?: string) {
  const headers = { 'content-type': 'application/json', ...(secret && { 'x-webhook-secret': secret }) };
  const request = new Request(`http://test.example${path}`, { method, headers, body: JSON.stringify(body) });
  const answer = await worker.app.fetch(request);
  return (await answer.json()) as { data: { id: string; secret: string; state: string } };
}

/** Subscribes through one board and waits until the target is verified. */
async function subscribe(worker: Worker, { url }: Receiver): Promise<{ id: string; secret: string }> {
  const { data } = await send(worker, 'POST', '/api/v1/webhooks', { url, events: [EVENT] });
  await expect.poll(async () => (await read(worker, data)).state).toBe('active');
  return data;
}

async function read(worker: Worker, { id, secret }: { id: string; secret: string }) {
  const headers = { 'x-webhook-secret': secret };
  const answer = await worker.app.fetch(new Request(`http://test.example/api/v1/webhooks/${id}`, { headers }));
  return ((await answer.json()) as { data: { state: string; deliveredUntil: string } }).data;
}

const post = (worker: Worker, label: string) => worker.post(label, EVENT);

/** Ids of what a target was sent, in order, and how often it was sent again. */
function sent({ received }: Receiver): { inOrder: string[]; again: number } {
  const ids = received.map(({ data }) => data.id as string);
  const inOrder = ids.filter((id, place) => ids.indexOf(id) === place);
  return { inOrder, again: ids.length - inOrder.length };
}

async function run(statement: string): Promise<void> {
  const client = new Client({ connectionString: several.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe.skipIf(NO_POSTGRES !== null)('webhooks of several boards', () => {
  it('all arrive, in order, when a board is cut off from the database in the middle, with few sent twice', async () => {
    const [first, second, third] = (await openWorkers(3, LEASE_OF_THE_LATE_MS)) as [Worker, Worker, Worker];
    const targets = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map(target));
    for (const [place, receiver] of targets.entries()) {
      receiver.answer((_received, response) => void setTimeout(() => response.writeHead(204).end(), 30));
      await subscribe(workers[place % 3]!, receiver);
    }
    const labels = Array.from({ length: 20 }, (_, number) => `clm_${String(number).padStart(2, '0')}`);
    for (const label of labels.slice(0, 10)) await post(first, label);
    await expect.poll(() => targets.every(({ received }) => received.length >= 2)).toBe(true);
    // It goes on sending what it has begun, as a process does that does not know that it was given up.
    await second.board[Symbol.asyncDispose]();
    for (const label of labels.slice(10)) await post(third, label);
    for (const receiver of targets) await expect.poll(() => sent(receiver).inOrder).toEqual(labels);
    await Promise.all([first, third].map(({ deliverer }) => deliverer.settled()));
    const again = targets.map((receiver) => sent(receiver).again);
    // At most what the lost board had under way, one for each of its subscriptions.
    expect(Math.max(...again)).toBeLessThanOrEqual(1);
    expect(again.filter((count) => count > 0).length).toBeLessThanOrEqual(3);
  });

  it('are sent once where every board waits for the same event', async () => {
    const [first, second] = (await openWorkers(3)) as [Worker, Worker, Worker];
    const receiver = await target(1);
    await subscribe(first, receiver);
    const labels = ['clm_0', 'clm_1', 'clm_2', 'clm_3', 'clm_4', 'clm_5', 'clm_6', 'clm_7'];
    for (const label of labels) await post(second, label);
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(8);
    for (const { deliverer } of workers) await deliverer.settled();
    expect(sent(receiver)).toEqual({ inOrder: labels, again: 0 });
  });

  it('go on at once where a board stops in order', async () => {
    const [first, second] = (await openWorkers(2)) as [Worker, Worker];
    const receiver = await target(1);
    await subscribe(first, receiver);
    await post(first, 'clm_0');
    await expect.poll(() => receiver.received.length).toBe(1);
    await first.deliverer.settled();
    await first.deliverer[Symbol.asyncDispose]();
    const begun = performance.now();
    await post(second, 'clm_1');
    await expect.poll(() => sent(receiver).inOrder).toEqual(['clm_0', 'clm_1']);
    expect(performance.now() - begun).toBeLessThan(60_000);
  });

  it('store nothing of an attempt whose lease another board has taken meanwhile', async () => {
    const [first] = (await openWorkers(1)) as [Worker];
    const receiver = await target(1);
    const hook = await subscribe(first, receiver);
    const before = (await read(first, hook)).deliveredUntil;
    let answerNow = (): void => {};
    receiver.answer((_received, response) => {
      answerNow = () => void response.writeHead(204).end();
    });
    await post(first, 'clm_0');
    await expect.poll(() => receiver.received.length).toBe(1);
    const until = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint + 2000000';
    await run(`UPDATE webhooks SET fence = fence + 1, lease_holder = 'another', lease_until = ${until}`);
    receiver.answer((_received, response) => void response.writeHead(204).end());
    answerNow();
    await first.deliverer.settled();
    expect((await read(first, hook)).deliveredUntil).toBe(before);
    // The other one delivers nothing, so that its lease ends and the event is sent again.
    await expect.poll(() => sent(receiver)).toEqual({ inOrder: ['clm_0'], again: 1 });
    await expect.poll(async () => (await read(first, hook)).deliveredUntil).not.toBe(before);
  });

  it('are delivered where a lease is of a clock that was ahead, as before a failover', async () => {
    const [first] = (await openWorkers(1)) as [Worker];
    const receiver = await target(1);
    await subscribe(first, receiver);
    const until = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint + 3600000000';
    await run(`UPDATE webhooks SET fence = fence + 1, lease_holder = 'gone', lease_until = ${until}`);
    await post(first, 'clm_0');
    await expect.poll(() => sent(receiver), { timeout: 60_000 }).toEqual({ inOrder: ['clm_0'], again: 0 });
  });

  it('are not sent by a board whose lease has the number of another one, as after a crash that took leases back', async () => {
    const [first] = (await openWorkers(1)) as [Worker];
    const receiver = await target(1);
    await subscribe(first, receiver);
    await post(first, 'clm_0');
    await expect.poll(() => receiver.received.length).toBe(1);
    await first.deliverer.settled();
    const until = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint + ${LEASE_MS * 1000}`;
    await run(`UPDATE webhooks SET lease_holder = 'another', lease_until = ${until}`);
    const begun = performance.now();
    await post(first, 'clm_1');
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2);
    expect(performance.now() - begun).toBeGreaterThan(LEASE_MS / 2);
  });

  it('follow a change of a subscription through any board', async () => {
    const [first, second, third] = (await openWorkers(3)) as [Worker, Worker, Worker];
    const receiver = await target(1);
    const hook = await subscribe(first, receiver);
    await post(second, 'clm_0');
    await expect.poll(() => receiver.received.length).toBe(1);
    const path = `/api/v1/webhooks/${hook.id}`;
    const { data } = await send(second, 'POST', path, { action: 'rotate' }, hook.secret);
    await post(third, 'clm_1');
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(receiver.received.map(({ headers }) => headers['webhook-signature']!.split(' ').length)).toEqual([1, 2]);
    await send(third, 'DELETE', path, {}, data.secret);
    await post(first, 'clm_2');
    for (const { deliverer } of workers) await deliverer.settled();
    expect(sent(receiver)).toEqual({ inOrder: ['clm_0', 'clm_1'], again: 0 });
  });

  it('are found that were made through a board which ended before it sent anything', async () => {
    const [first, second] = (await openWorkers(2)) as [Worker, Worker];
    const receiver = await target(1);
    await first.deliverer[Symbol.asyncDispose]();
    const { data } = await send(first, 'POST', '/api/v1/webhooks', { url: receiver.url, events: [EVENT] });
    await expect.poll(async () => (await read(second, data)).state).toBe('active');
    expect(receiver.challenges).toHaveLength(1);
  });
});
