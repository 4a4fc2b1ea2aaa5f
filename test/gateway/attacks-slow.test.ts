import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { answersIn, type FakeServer, fakeServer, rawConnection } from '../support/raw-socket.ts';
import { amountOf } from '../support/runner/amount.ts';

/** Clients that are slow, or only hold a connection. */

const HOST = 'Host: board.example\r\n';
const QUICK = { headersMs: 200, requestMs: 400, checkMs: 50, silenceMs: 600 };

describe('a client that is slow', () => {
  let board: FakeServer;
  let origin: BareOrigin;
  beforeAll(async () => {
    board = await fakeServer();
    origin = await openBareOrigin({ upstream: new Upstream(board.url) }, QUICK);
  });
  afterAll(async () => {
    await origin[Symbol.asyncDispose]();
    await board[Symbol.asyncDispose]();
  });

  it.each([
    ['says nothing', ''],
    ['never ends its headers', `GET /api/v1 HTTP/1.1\r\n${HOST}X-A: `],
    ['never ends its body', `POST /api/v1/claims HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{"`],
    ['never ends its chunks', `POST /api/v1/claims HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`],
  ])('and %s is cut off with 408, and nothing reaches the board', async (_what, bytes) => {
    const connection = await rawConnection(origin.url);
    if (bytes !== '') connection.write(bytes);
    const drip = setInterval(() => bytes !== '' && connection.write(bytes.endsWith('X-A: ') ? 'a' : ''), 50);
    const [answer] = answersIn(await connection.closed());
    clearInterval(drip);
    expect([answer!.status, JSON.parse(answer!.body).error.code]).toEqual([408, 'INVALID_PARAM']);
    expect(answer!.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(board.seen).toEqual([]);
  });

  it('and does not read its answer is cut off, and holds no place on the way to the board', async () => {
    const big = Buffer.alloc(40_000_000, 32);
    let broken: Promise<unknown> = Promise.resolve();
    board.answer = (_request, response) => {
      broken = once(response, 'close');
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(big.length) }).end(big);
    };
    const socket = connect(Number(new URL(origin.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET /api/v1/claims HTTP/1.1\r\n${HOST}\r\n`);
    await once(socket, 'readable');
    socket.pause();
    expect(origin.upstream.queues.short.inUse).toBe(0);
    await broken;
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    socket.resume();
    await once(socket, 'close');
    expect(size).toBeLessThan(big.length);
  });
});

describe('thousands of connections on which nothing is said', () => {
  const COUNT = amountOf({ quick: 500, deep: 2_500 });
  const MEGABYTE = 1_048_576;

  it('leave requests as prompt as before, cost little memory, and hold up no drain', async () => {
    // If the connections held up the drain, it would last until the test's time limit.
    const origin = await openBareOrigin({}, { drainMs: 3_600_000 });
    const { port } = new URL(origin.url);
    const before = process.memoryUsage().rss;
    const idle: Socket[] = [];
    for (let batch = 0; batch < COUNT / 250; batch += 1) {
      const opened = Array.from({ length: 250 }, () => connect(Number(port), '127.0.0.1'));
      await Promise.all(opened.map((socket) => once(socket, 'connect')));
      for (const socket of opened) socket.on('error', () => {});
      idle.push(...opened);
    }
    // Measures processor time, so that other programs on the machine do not count.
    const began = process.cpuUsage();
    for (let count = 0; count < 20; count += 1)
      expect((await origin.ask('/api/v1/trials/search?q=diabetes')).status).toBe(200);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000 / 20).toBeLessThan(100);
    // The memory includes both ends of each connection, since both are in this process.
    expect((process.memoryUsage().rss - before) / COUNT).toBeLessThan(MEGABYTE / 10);
    await origin[Symbol.asyncDispose]();
    for (const socket of idle) socket.destroy();
  });

  it('are no more than the server is set to hold: one more is closed at once', async () => {
    await using origin = await openBareOrigin({}, { connections: 3 });
    const held = await Promise.all([1, 2, 3].map(() => rawConnection(origin.url)));
    const over = await rawConnection(origin.url);
    expect(await over.closed()).toBe('');
    held[0]!.write(`GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    expect(answersIn(await held[0]!.closed())[0]!.status).toBe(200);
    for (const { socket } of held) socket.destroy();
  });
});
