import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteVersions } from '../../../board-server/webhooks/new-versions.ts';
import { type AskIndex, indexAsker } from '../../../gateway/upstream/ask-index.ts';
import { TrialQueries } from '../../../gateway/upstream/trial-queries.ts';
import { Upstream } from '../../../gateway/upstream/upstream.ts';
import { listen } from '../../../server-kit/serve.ts';
import { CURRENT_FILE } from '../../../snapshot/format/versions/current-file.ts';
import { openWebhookBoard } from '../../support/board/webhook-board.ts';
import { openGateway } from '../../support/gateway.ts';
import { openReceiver, type Received } from '../../support/receiver.ts';
import { startServer } from '../../support/server-process.ts';
import {
  type FollowedVersions,
  followedVersions,
  GONE,
  ONE,
  OTHER,
  TWO,
} from '../../support/snapshots/followed-versions.ts';
import { until } from '../../support/until.ts';

const log = pino({ level: 'silent' });
const ADDED = ['snapshot.published', 'trial.changed'];

let followed: FollowedVersions;
let versions: string[];
let copies = 0;
beforeAll(async () => {
  followed = await followedVersions();
  ({ versions } = followed);
});
afterAll(() => followed[Symbol.asyncDispose]());

/** A board that delivers, behind a gateway that serves one of the versions. */
async function openFollowing(served = 0) {
  const stack = new AsyncDisposableStack();
  const snapshots = join(followed.path, `served-${copies++}`);
  await cp(followed.snapshots, snapshots, { recursive: true });
  const serve = (version: number) => writeFile(join(snapshots, CURRENT_FILE), `${versions[version]}\n`);
  await serve(served);
  const hooks = stack.use(await openWebhookBoard());
  const { board } = hooks.board.services;
  const server = await listen(hooks.board.app, { host: '127.0.0.1', port: 0, log });
  stack.defer(() => server.close());
  const upstream = stack.use(new Upstream(server.url, { patienceMs: 900_000 }));
  const gateway = stack.use(await openGateway(snapshots, hooks.board.clock.now, { board: upstream }));
  const ask = indexAsker(gateway.index, { log, now: hooks.board.clock.now, baseUrl: null });
  const receiver = stack.use(await openReceiver());
  return {
    ...{ hooks, board, upstream, gateway, ask, receiver },
    /** Subscribes through the gateway. */
    async subscribe(body: Record<string, unknown>) {
      const init = { method: 'POST', body: JSON.stringify({ url: receiver.url, ...body }) };
      const answer = await gateway.get('/api/v1/webhooks', init);
      await hooks.deliverer.settled();
      return answer;
    },
    /** CURRENT names the version, and the board sees it. */
    async publish(version: number) {
      await serve(version);
      await noteVersions(board, snapshots, versions[version]!);
      await until(async () => (await gateway.get('/api/v1/trials/stats')).body._meta.snapshot === versions[version]);
    },
    async answer(asking: AskIndex = ask) {
      await new TrialQueries(upstream, asking, log).run();
      await hooks.deliverer.settled();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Each delivery in short: type, number of the version, changed trials. */
function short(received: readonly Received[]): string[] {
  return received.map(({ type, data }) => {
    const trials = (data.trials as { canonicalId: string; fields: string[] }[] | number) ?? [];
    const words = Array.isArray(trials) ? trials.map(({ canonicalId, fields }) => ` ${canonicalId}:${fields}`) : [];
    return `${type} ${versions.indexOf(data.version)}${words.join('')}`;
  });
}

it('a board process that is killed at any moment announces each version and its changes at least once, under the same ids', async () => {
  const dir = join(followed.path, 'killed');
  const snapshots = join(dir, 'snapshots');
  await cp(followed.snapshots, snapshots, { recursive: true });
  const serve = (version: number) => writeFile(join(snapshots, CURRENT_FILE), `${versions[version]}\n`);
  await serve(0);
  await using receiver = await openReceiver();
  await using gateway = await openGateway(followed.snapshots);
  const ask = indexAsker(gateway.index, { log, now: () => new Date(), baseUrl: null });
  const settings = { BOARD_DB: join(dir, 'board.sqlite'), DATA_DIR: dir, SNAPSHOTS_DIR: snapshots, BOARD_PORT: '0' };
  const start = () =>
    startServer('board-server/main.ts', { ...settings, WEBHOOK_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'info' });
  let server = await start();
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ url: receiver.url, events: ADDED, query: { q: 'diabetes' } });
  expect((await fetch(`${server.url}/api/v1/webhooks`, { ...init, body })).status).toBe(201);
  await until(async () => receiver.challenges.length > 0);
  for (const [place, pauseMs] of [0, 300, 900, 1100, 1500, 2500].entries()) {
    await serve(Math.min(3, 1 + Math.floor(place / 2)));
    using upstream = new Upstream(server.url, { patienceMs: 900_000 });
    void new TrialQueries(upstream, ask, log).run();
    await pause(pauseMs);
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    server = await start();
  }
  using upstream = new Upstream(server.url, { patienceMs: 900_000 });
  const ids = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  await until(async () => {
    await new TrialQueries(upstream, ask, log).run();
    return ids().size >= 5;
  });
  await server.stop();
  const trials = [1, 2].map((n) => expect.stringMatching(`^trials_${versions[n]}_[0-9a-f]{32}$`));
  expect([...ids()].sort()).toEqual([1, 2, 3].map((n) => `snapshot_${versions[n]}`).concat(trials));
});

describe('a subscription to the trial index', () => {
  it('is told of each new version once, and of the changed trials of its query', async () => {
    await using f = await openFollowing();
    await f.publish(0);
    const { status, body } = await f.subscribe({
      events: ADDED,
      query: { q: 'diabetes', status: ['completed', 'withdrawn'] },
    });
    expect([status, body.data.events, body.data.query]).toEqual([
      201,
      ADDED,
      { q: 'diabetes', status: 'completed,withdrawn' },
    ]);
    await f.subscribe({ events: ['trial.changed'], query: { q: 'diabetes' } });
    await f.publish(1);
    await f.answer();
    // Two subscriptions are served at once, in no order.
    const [published, changed] = ADDED.map((type) => f.receiver.received.find((one) => one.type === type)!) as [
      Received,
      Received,
    ];
    expect(published.headers['webhook-id']).toBe(`snapshot_${versions[1]}`);
    expect(published.data).toEqual({
      ...{ version: versions[1], parent: versions[0], publishedAt: '2026-11-22T03:15:00.000Z', asOf: '2026-11-20' },
      ...{ corpus: 'sample', identity: expect.stringMatching(/^[0-9a-f]{64}$/), trials: 4 },
      changes: { added: 0, changed: 1, removed: 0, merged: 0, split: 0 },
      snapshot: `/api/v1/snapshots/${versions[1]}`,
      changed: `/api/v1/trials/changes?since=${versions[0]}&until=${versions[1]}`,
    });
    expect(changed.headers['webhook-id']).toMatch(new RegExp(`^trials_${versions[1]}_[0-9a-f]{32}$`));
    expect(changed.data).toEqual({
      ...{ version: versions[1], parent: versions[0], query: { q: 'diabetes' }, more: false },
      trials: [
        {
          ...{ canonicalId: ONE, heldBy: ONE, title: 'Metformin for type 2 diabetes' },
          ...{ kinds: ['registration-changed', 'trial-changed'], fields: ['title'] },
        },
      ],
      changed: `/api/v1/trials/changes?since=${versions[0]}&until=${versions[1]}&q=diabetes`,
    });
    expect(f.receiver.received).toHaveLength(2);
    expect((await f.gateway.get(changed.data.changed)).body.data.trials).toHaveLength(1);
    await f.publish(1);
    await f.answer();
    expect(f.receiver.received).toHaveLength(2);
  });

  it('is told in order of the versions that came while the board was down, and of removed trials only without a query', async () => {
    await using f = await openFollowing();
    await f.publish(0);
    await f.subscribe({ events: ADDED });
    await f.subscribe({ events: ['trial.changed'], query: { q: 'pain' } });
    await f.publish(3);
    await f.answer();
    const all = short(f.receiver.received);
    expect(all.filter((text) => text.startsWith('snapshot'))).toEqual([1, 2, 3].map((n) => `snapshot.published ${n}`));
    expect(all.filter((text) => text.startsWith('trial')).sort()).toEqual([
      `trial.changed 1 ${ONE}:title`,
      `trial.changed 2 ${GONE}: ${ONE}:aliases,isrctn_id,registries ${TWO}:`,
      `trial.changed 3 ${OTHER}:enrollment_count`,
      `trial.changed 3 ${OTHER}:enrollment_count`,
    ]);
  });

  it('loses and doubles nothing where the board or the gateway ends between two steps', async () => {
    await using f = await openFollowing();
    await f.publish(0);
    await f.subscribe({ events: ADDED, query: { q: 'diabetes' } });
    f.receiver.answer((_one, response) => response.writeHead(500).end());
    await f.publish(1);
    // The index goes away in the middle: nothing is stored, and the question stays.
    await f.answer(() => Promise.reject(new Error('gone')));
    await f.hooks.restart();
    await f.answer();
    f.receiver.answer((_one, response) => response.end());
    await f.hooks.restart();
    await f.hooks.after(60);
    await f.answer();
    const ids = (type: string) =>
      f.receiver.received.filter((one) => one.type === type).map((one) => one.headers['webhook-id']);
    expect(new Set(ids('snapshot.published')).size).toBe(1);
    expect(ids('snapshot.published').length).toBeGreaterThan(1);
    expect(ids('trial.changed')).toHaveLength(1);
  });

  it('waits until the index serves the version', async () => {
    await using f = await openFollowing();
    await f.publish(0);
    await f.subscribe({ events: ['trial.changed'] });
    await f.publish(1);
    let served = versions[0];
    const late: AskIndex = async (path) =>
      path.endsWith('/stats') ? { status: 200, body: { _meta: { snapshot: served! } } } : f.ask(path);
    await f.answer(late);
    expect(f.receiver.received).toEqual([]);
    served = versions[1];
    await f.answer(late);
    expect(short(f.receiver.received)).toEqual([`trial.changed 1 ${ONE}:title`]);
  });
});
