import { json, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inOrderOfChoice } from '../../gateway/upstream/server-choice.ts';
import type { Standing } from '../../gateway/upstream/server-link.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { type FakeServer, fakeServer } from '../support/raw-socket.ts';
import { until } from '../support/until.ts';

/** INDEX_URL and BOARD_URL with several addresses: which server gets a request, and what follows when one fails. */

describe('the order in which servers are tried', () => {
  const up: Standing = { isReady: true, isSilent: false, inFlight: 0, snapshot: null };

  it('is by least work, and in turn where that is equal', () => {
    expect(inOrderOfChoice([{ ...up, inFlight: 3 }, up, { ...up, inFlight: 1 }], 0)).toEqual([1, 2, 0]);
    expect([0, 1, 2, 3].map((turn) => inOrderOfChoice([up, up, up], turn)[0])).toEqual([0, 1, 2, 0]);
  });

  it('begins with those that take requests, and leaves out those that are silent', () => {
    const down = { ...up, isReady: false };
    expect(inOrderOfChoice([down, { ...up, inFlight: 9 }, { ...up, isSilent: true }], 0)).toEqual([1, 0]);
    expect(inOrderOfChoice([{ ...up, isSilent: true }], 0)).toEqual([]);
  });

  it('prefers the newest snapshot that is known, however much there is to do', () => {
    const at = (snapshot: string | null, inFlight = 0) => ({ ...up, snapshot, inFlight });
    expect(
      inOrderOfChoice([at('20261120T031500Z-0000000a'), at('20261121T031500Z-0000000b', 50), at(null)], 0),
    ).toEqual([1, 0, 2]);
  });
});

/** A server whose /readyz tells what the test sets. */
interface Server extends FakeServer {
  ready: { status: number; snapshot: string | null };
  /** Requests but probes. */
  asked: () => string[];
}

async function openServer(snapshot: string | null = null): Promise<Server> {
  const fake = await fakeServer();
  const server: Server = Object.assign(fake, {
    ready: { status: 200, snapshot },
    asked: () => fake.seen.flatMap(({ method, path }) => (path.endsWith('z') ? [] : [`${method} ${path}`])),
  });
  fake.answer = (request, response) => {
    if (request.url === '/readyz') response.statusCode = server.ready.status;
    response.setHeader('x-index-snapshot', server.ready.snapshot ?? '');
    response.end(JSON.stringify({ snapshot: server.ready.snapshot, refused: null, checkedAt: null, from: server.url }));
  };
  return server;
}

describe('two servers', () => {
  let servers: [Server, Server];
  let upstream: Upstream;
  beforeEach(async () => {
    servers = [await openServer(), await openServer()];
    upstream = new Upstream(
      servers.map(({ url }) => url),
      { patienceMs: 60_000, lookEveryMs: 20 },
    );
  });
  afterEach(async () => {
    upstream[Symbol.dispose]();
    for (const server of servers) await server[Symbol.asyncDispose]();
  });

  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    upstream.send({ method, path, headers, body: null, silenceMs: 60_000, signal: null, queue: 'short' });
  const from = async (method = 'GET', path = '/a'): Promise<number> => {
    const body = (await json(await send(method, path))) as { from: string };
    return servers.findIndex(({ url }) => url === body.from);
  };

  it('share requests, also writes', async () => {
    const reached = new Set<number>();
    for (let count = 0; count < 10; count += 1) reached.add(await from(count % 2 === 0 ? 'GET' : 'POST'));
    expect([...reached].sort()).toEqual([0, 1]);
    expect(Math.abs(servers[0].asked().length - servers[1].asked().length)).toBeLessThanOrEqual(2);
  });

  it('one that tells an invented snapshot is not asked before the others', async () => {
    for (const snapshot of ['99999999T999999Z-ffffffff, and more', 'zzz', { toString: 'x' }, 7]) {
      servers[0].answer = (request, response) => {
        if (request.url !== '/readyz') response.setHeader('x-index-snapshot', 'zzz');
        response.end(JSON.stringify({ snapshot, from: servers[0].url }));
      };
      servers[1].ready.snapshot = '20261121T031500Z-0a1b2c3d';
      await until(() => upstream.standings[1]!.snapshot !== null);
      for (let count = 0; count < 4; count += 1) expect(await from()).toBe(1);
    }
  });

  it('a read goes on to the other where one breaks the connection; a write does not, and was sent once', async () => {
    for (const server of servers)
      server.answer = (request, response) => {
        if (request.url === '/readyz') response.end('{"snapshot":null}');
        else if (server === servers[0]) request.socket.destroy();
        else response.end(JSON.stringify({ from: server.url }));
      };
    for (let count = 0; count < 6; count += 1) expect(await from('GET', `/read-${count}`)).toBe(1);
    const sent = (path: string) => servers.flatMap((server) => server.asked()).filter((one) => one === `POST ${path}`);
    let broken = 0;
    for (let count = 0; count < 6; count += 1) {
      const path = `/write-${count}`;
      const headers = count % 2 === 0 ? {} : { 'idempotency-key': `key-${count}` };
      await send('POST', path, headers).then(text, () => {
        broken += 1;
      });
      expect(sent(path)).toHaveLength(1);
    }
    expect(broken).toBeGreaterThan(0);
  });

  it('a write goes to the other where no connection to the first can be made', async () => {
    await servers[0][Symbol.asyncDispose]();
    for (let count = 0; count < 6; count += 1) expect(await from('POST')).toBe(1);
    await until(() => upstream.standings[0]!.isReady === false);
    servers[0] = await openServer();
  });

  it('one that drains gets nothing new, until it is ready again', async () => {
    servers[0].ready.status = 503;
    await until(() => !upstream.standings[0]!.isReady);
    servers[0].seen = [];
    for (let count = 0; count < 6; count += 1) expect(await from(count % 2 === 0 ? 'GET' : 'POST')).toBe(1);
    servers[0].ready.status = 200;
    await until(() => upstream.standings[0]!.isReady);
    const reached = new Set<number>();
    for (let count = 0; count < 6; count += 1) reached.add(await from());
    expect(reached.size).toBe(2);
  });

  it('with different snapshots: once the newer one was seen, the older one is not asked until both are equal', async () => {
    for (const server of servers) server.ready.snapshot = '20261120T031500Z-0000000a';
    await until(() => upstream.standings.every(({ snapshot }) => snapshot === '20261120T031500Z-0000000a'));
    servers[1].ready.snapshot = '20261121T031500Z-0000000b';
    const seen: (string | null)[] = [];
    for (let count = 0; count < 30; count += 1) {
      const { snapshot } = (await json(await send('GET', '/page'))) as { snapshot: string };
      if (seen.at(-1) !== snapshot) seen.push(snapshot);
    }
    expect(seen.slice(-1)).toEqual(['20261121T031500Z-0000000b']);
    expect(seen.length).toBeLessThanOrEqual(2);
    servers[0].ready.snapshot = '20261121T031500Z-0000000b';
    await until(() => upstream.standings[0]!.snapshot === '20261121T031500Z-0000000b');
    const reached = new Set<number>();
    for (let count = 0; count < 6; count += 1) reached.add(await from());
    expect(reached.size).toBe(2);
  });
});

it('a gateway before indexes in other processes tells in its metrics which snapshot they serve, and how many take requests', async () => {
  await using served = await openServer('20261121T031500Z-0000000b');
  await using drained = await openServer('20261121T031500Z-0000000b');
  drained.ready.status = 503;
  const index = new Upstream([served.url, drained.url], { patienceMs: 60_000, lookEveryMs: 20 });
  await using origin = await openBareOrigin({ index });
  await until(() => index.standings[1]!.isReady === false);
  const { text: metrics } = await origin.ask('/metrics');
  expect(metrics).toContain('trial_board_snapshot_info{version="20261121T031500Z-0000000b"} 1\n');
  expect(metrics).toContain('trial_board_snapshot_refused 0\n');
  expect(metrics).toContain('trial_board_upstream_servers{server="index",state="ready"} 1\n');
  expect(metrics).toContain('trial_board_upstream_servers{server="index",state="not_ready"} 1\n');
  index[Symbol.dispose]();
});
