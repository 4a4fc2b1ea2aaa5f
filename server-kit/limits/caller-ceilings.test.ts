import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { H3 } from 'h3';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { rawConnection } from '../../test/support/raw-socket.ts';
import { until } from '../../test/support/until.ts';
import { type Listening, listen } from '../serve.ts';
import { CallerCeilings } from './caller-ceilings.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: board.example\r\n\r\n';
/** More than the kernel keeps for a loopback connection whose reader has stopped. */
const BIG = Buffer.alloc(40_000_000, 32);

let open: AsyncDisposableStack;
afterEach(() => open.disposeAsync());

async function serve(ceilings: ConstructorParameters<typeof CallerCeilings>[0], body: Buffer<ArrayBuffer>) {
  open = new AsyncDisposableStack();
  const callers = open.use(new CallerCeilings(ceilings));
  const app = new H3().get('/', () => body);
  const log = pino({ level: 'silent' });
  const server: Listening = await listen(app, { host: '127.0.0.1', port: 0, log, callers, limits: { drainMs: 1 } });
  open.defer(() => server.close());
  return { callers, url: server.url, port: Number(new URL(server.url).port) };
}

/** A connection from another address of the loopback network, or from the usual one. */
async function connected(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  open.defer(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

it('an address has a number of connections; the next one is told so, and another address goes on', async () => {
  const { callers, url, port } = await serve({ connections: 3 }, Buffer.from('{}'));
  const held = [await connected(port), await connected(port), await connected(port)];
  const further = await rawConnection(url);
  further.write(REQUEST);
  const text = await further.closed();
  expect(text).toMatch(/^HTTP\/1\.1 429 /);
  expect(text).toMatch(/\r\nretry-after: 5\r\n/);
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).error).toMatchObject({
    code: 'RATE_LIMITED',
    retryable: true,
    message:
      'The request is not usable: expected at most 3 connections from one address; end one, or use one that is open.',
  });
  expect(callers.refused).toBe(1);
  const other = await connected(port, '127.0.0.2');
  other.write(REQUEST);
  expect(String(await once(other, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  held[0]!.destroy();
  await until(async () => {
    const again = await connected(port);
    again.write(REQUEST);
    return String(await once(again, 'data')).startsWith('HTTP/1.1 200 ');
  });
});

it('connections far above the ceiling are ended without a word', async () => {
  const { callers, port } = await serve({ connections: 1 }, Buffer.from('{}'));
  await connected(port);
  const further = await Promise.all(Array.from({ length: 40 }, () => connected(port)));
  await Promise.all(further.map((socket) => once(socket.resume(), 'close')));
  expect(callers.refused).toBe(40);
});

it('the connection that leaves most unread is ended once its address holds too much, and a reader gets its answer', async () => {
  const { callers, port } = await serve({ unsentBytes: 50_000_000 }, BIG);
  const slow = [await connected(port), await connected(port)];
  const other = await connected(port, '127.0.0.2');
  for (const socket of [...slow, other]) socket.pause().write(REQUEST);
  await until(() => callers.ended === 1);
  let read = 0;
  other.on('data', (chunk) => {
    read += chunk.length;
  });
  other.resume();
  await until(() => read > BIG.length);
  expect(callers.ended).toBe(1);
  expect(callers.unsentBytes()).toBeLessThan(50_000_000);
});

it('all addresses together hold no more than the ceiling of the server', async () => {
  const { callers, port } = await serve({ unsentBytes: 100_000_000, unsentBytesTotal: 50_000_000 }, BIG);
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
    (await connected(port, address)).pause().write(REQUEST);
  }
  await until(() => callers.ended === 2);
  expect(callers.unsentBytes()).toBeLessThan(50_000_000);
});

it('a connection that sends requests far ahead of their answers is ended', async () => {
  const { callers, port } = await serve({}, BIG);
  const socket = await connected(port);
  socket.resume().write(REQUEST.repeat(17));
  await once(socket, 'close');
  expect(callers.ended).toBe(1);
});
