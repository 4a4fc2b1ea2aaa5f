import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { H3 } from 'h3';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rawConnection } from '../test/support/raw-socket.ts';
import { receivedBytes } from './body.ts';
import { type Listening, listen } from './serve.ts';

const REQUEST = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a server that ends', () => {
  let server: Listening;
  beforeEach(async () => {
    const app = new H3().get('/a', () => 'answered');
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
  });

  it('keeps no connection once it winds down, and takes new ones until it closes', async () => {
    const kept = await rawConnection(server.url);
    kept.write(REQUEST);
    expect(await kept.until(/answered$/)).toMatch(/^connection: keep-alive\r$/im);
    server.windDown();
    kept.write(REQUEST);
    expect(await kept.closed()).toMatch(/^connection: close\r\n(?:.+\r\n)*\r\nanswered$/im);
    const further = await rawConnection(server.url);
    further.write(REQUEST);
    expect(await further.closed()).toMatch(/^connection: close\r\n(?:.+\r\n)*\r\nanswered$/im);
    await server.close();
    await expect(rawConnection(server.url)).rejects.toThrow('ECONNREFUSED');
  });

  it('answers a request that it had not read yet when it closed', async () => {
    const connection = await rawConnection(server.url);
    // Accepted in order: the one before it was too.
    const later = await rawConnection(server.url);
    later.write(REQUEST);
    await later.until(/answered$/);
    connection.write(REQUEST);
    const closed = server.close();
    expect(await connection.closed()).toMatch(/answered$/);
    await closed;
  });

  it('ends a connection that was opened in advance', async () => {
    const unused = await rawConnection(server.url);
    expect(await Promise.all([unused.closed(), server.close()])).toEqual(['', undefined]);
  });
});

const app = new H3({ silent: true });
app.get('/signal', (event) => `aborted: ${event.req.signal.aborted}`);
app.post('/body', async (event) => `bytes: ${(await receivedBytes(event, 100)).length}`);

describe('a request without a body', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
  });
  afterAll(() => server.close());

  const sent = async (bytes: string): Promise<string> => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.end(bytes);
    return text(socket);
  };

  it('is none whose caller has left, as soon as it comes', async () => {
    const get = 'GET /signal HTTP/1.1\r\nhost: trials.example\r\n\r\n';
    expect(await sent(get)).toContain('aborted: false');
    expect(await sent(get + get)).toMatch(/aborted: false.+aborted: false/s);
  });

  it.each([
    ['', '', 0],
    ['content-length: 0\r\n', '', 0],
    ['content-length: 3\r\n', 'abc', 3],
  ])('is read to its end, as others are: %j %j', async (fields, body, bytes) => {
    const answer = await sent(`POST /body HTTP/1.1\r\nhost: trials.example\r\n${fields}\r\n${body}`);
    expect(answer).toContain(`bytes: ${bytes}`);
  });
});
