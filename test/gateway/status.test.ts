import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getStatus } from '../../contract/operations/service/status.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import type { CountStore } from '../../server-kit/limits/count-store.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { fakeServer } from '../support/raw-socket.ts';

const START = '2026-11-21T12:00:00.000Z';
const STATUS = '/api/v1/status';

describe('the status of the service', () => {
  it('joins gateway, index and board, each up since the start', async () => {
    await using origin = await openBareOrigin();
    origin.board.clock.advance(90_500);
    const { status, body } = await origin.ask(STATUS);
    expect(status).toBe(200);
    expect(() => getStatus.output.parse(body.data)).not.toThrow();
    const up = { state: 'up', since: START, uptimeSeconds: 90, lastFailure: null };
    expect(body.data).toEqual({
      state: 'up',
      startedAt: START,
      uptimeSeconds: 90,
      components: [
        { component: 'gateway', detail: 'answers', ...up },
        { component: 'index', detail: expect.stringMatching(/^serves snapshot /), ...up },
        { component: 'board-server', detail: 'answers', ...up },
        { component: 'board-file', detail: expect.stringMatching(/^readable, schema \d+$/), ...up },
        { component: 'change-feed', detail: 'no event yet', ...up },
      ],
      snapshot: {
        version: expect.stringMatching(/^\d{8}T\d{6}Z-/),
        checkedAt: expect.stringMatching(/Z$/),
        refused: null,
      },
      board: { writeProvenAt: null },
      failures: 0,
      lastFailure: null,
    });
  });

  it('tells when the board was last proven by a write, and why it does not run where this process knows', async () => {
    await using board = await fakeServer();
    const told = { startedAt: START, contract: '0', components: [], writeProvenAt: '2026-11-21T11:59:30.000Z' };
    board.answer = (_request, response) => void response.end(JSON.stringify(told));
    const upstream = new Upstream(board.url);
    await using origin = await openBareOrigin({ upstream, boardFault: () => 'does not run: its file is damaged' });
    expect((await origin.ask(STATUS)).body.data.board).toEqual({ writeProvenAt: '2026-11-21T11:59:30.000Z' });
    upstream.url = null;
    const { data } = (await origin.ask(STATUS)).body;
    expect([data.state, data.board]).toEqual(['degraded', { writeProvenAt: null }]);
    expect(data.components[2]).toMatchObject({
      component: 'board-server',
      state: 'down',
      detail: 'does not run: its file is damaged',
    });
  });

  it('tells that the store of rates is away, and that it is back, as the metrics do', async () => {
    const countStore: Pick<CountStore, 'kind' | 'away'> = { kind: 'Redis', away: 'connect ECONNREFUSED' };
    await using origin = await openBareOrigin({ countStore });
    const reading = async () => (await origin.ask(STATUS)).body.data.components[1];
    const gauge = async () => /^trial_board_rate_store_away (\d)$/m.exec((await origin.ask('/metrics')).text)?.[1];
    expect(await reading()).toMatchObject({
      component: 'rate-store',
      state: 'down',
      detail: 'Redis does not answer: this gateway counts requests by itself',
    });
    expect(await gauge()).toBe('1');
    Object.assign(countStore, { away: null });
    expect(await reading()).toMatchObject({ state: 'up', detail: 'Redis counts requests for all gateways' });
    expect(await gauge()).toBe('0');
  });

  it('tells how the store is followed that versions come from, and that nothing follows it', async () => {
    const followedIn = await mkdtemp(join(tmpdir(), 'status-'));
    await using origin = await openBareOrigin({ followedIn });
    const reading = async () => (await origin.ask(STATUS)).body.data.components[2];
    const silent = 'no program follows it: versions on disk are served';
    expect(await reading()).toMatchObject({ component: 'snapshot-store', state: 'down', detail: silent });
    const followed = {
      ...{ store: 's3://snapshots/boards', generation: 4, storeGeneration: 5 },
      ...{ missingVersions: 2, answeredAt: START, writtenAt: START, fault: null as object | null },
    };
    const write = (status: object) => writeFile(join(followedIn, 'REPLICA_STATUS.json'), JSON.stringify(status));
    await write(followed);
    expect(await reading()).toMatchObject({
      state: 'up',
      detail: 'generation 4 is here, 5 is being brought, 2 older versions are to be brought',
    });
    await write({ ...followed, fault: { since: START, message: 's3.internal.example: no whole answer' } });
    expect(await reading()).toMatchObject({
      state: 'down',
      detail: `not followed since ${START}, it answered last at ${START}: versions on disk are served`,
    });
    await write(followed);
    origin.board.clock.advance(60_001);
    expect(await reading()).toMatchObject({ state: 'down', detail: silent });
    await rm(followedIn, { recursive: true });
  });

  it('tells of the snapshot that an index server in another process serves', async () => {
    await using index = await fakeServer();
    const refused = 'CURRENT names another one, but it cannot be opened; the log says more';
    const files = { checkedAt: START, refused };
    const ready = { status: 'ready', snapshot: '20261121T031500Z-0a1b2c3d', detail: refused, ...files };
    index.answer = (_request, response) => void response.end(JSON.stringify(ready));
    await using origin = await openBareOrigin({ index: new Upstream(index.url) });
    const { data } = (await origin.ask(STATUS)).body;
    expect([data.state, data.snapshot]).toEqual(['degraded', { version: ready.snapshot, ...files }]);
    expect(data.components[1]).toMatchObject({ state: 'up', detail: `serves snapshot ${ready.snapshot}: ${refused}` });
    expect((await origin.ask('/readyz')).body).toEqual(ready);
  });

  it('answers 200 with the board down, says since when, and counts what failed through it', async () => {
    await using origin = await openBareOrigin();
    const address = origin.upstream.url;
    await origin.ask(STATUS);
    origin.board.clock.advance(60_000);
    origin.upstream.url = null;
    await origin.ask(STATUS);
    origin.board.clock.advance(30_000);
    await origin.ask('/api/v1/claims', { method: 'POST', body: CLAIM });
    const { status, body } = await origin.ask(STATUS);
    const failure = { at: '2026-11-21T12:01:30.000Z', operation: 'claims-create', code: 'CLAIM_FAILED' };
    expect([status, body.data.state, body.data.failures, body.data.lastFailure]).toEqual([200, 'degraded', 1, failure]);
    expect(body.data.components.slice(2)).toEqual([
      {
        component: 'board-server',
        state: 'down',
        detail: 'does not answer',
        since: '2026-11-21T12:01:00.000Z',
        uptimeSeconds: 0,
        lastFailure: failure,
      },
    ]);
    origin.board.clock.advance(30_000);
    origin.upstream.url = address;
    const back = (await origin.ask(STATUS)).body.data;
    expect(back.components[2]).toMatchObject({ state: 'up', since: '2026-11-21T12:02:00.000Z', lastFailure: failure });
  });

  it('counts a failure that the board answered with, under its code', async () => {
    await using board = await fakeServer();
    board.answer = (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"code":"CLAIMS_UNAVAILABLE"}}');
    };
    await using origin = await openBareOrigin({ upstream: new Upstream(board.url) });
    await origin.ask('/api/v1/claims');
    const { data } = (await origin.ask(STATUS)).body;
    expect([data.failures, data.lastFailure.code]).toEqual([1, 'CLAIMS_UNAVAILABLE']);
    expect(data.components[2].detail).toBe('answers, but does not tell its status');
  });

  it('counts neither refusals nor probes as failures', async () => {
    await using origin = await openBareOrigin({ draining: AbortSignal.abort() });
    await origin.ask('/nowhere');
    expect((await origin.ask('/readyz')).status).toBe(503);
    expect((await origin.ask(STATUS)).body.data.failures).toBe(0);
  });

  it('tells where the board answers another contract, and nothing of why a part is down', async () => {
    await using board = await fakeServer();
    const since = START;
    const told = {
      startedAt: since,
      contract: '0',
      components: [{ component: 'board-server', state: 'up', detail: 'answers', since }],
    };
    board.answer = (_request, response) => void response.end(JSON.stringify(told));
    await using origin = await openBareOrigin({
      upstream: new Upstream(board.url),
      index: new Upstream('http://127.0.0.1:9'),
    });
    const { text, body } = await origin.ask(STATUS);
    expect(body.data.components[2].detail).toBe('answers, under another contract than the gateway');
    expect(body.data.components[1]).toMatchObject({ state: 'down', detail: 'does not answer' });
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|\.ts/);
  });
});

it('readiness is 503 while the process drains, so that balancers turn away', async () => {
  const drain = new AbortController();
  await using origin = await openBareOrigin({ draining: drain.signal });
  expect((await origin.ask('/readyz')).status).toBe(200);
  drain.abort();
  const { status, body } = await origin.ask('/readyz');
  expect([status, body.detail]).toEqual([503, 'draining: this process ends']);
});
