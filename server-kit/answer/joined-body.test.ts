import { once } from 'node:events';
import { connect } from 'node:net';
import { H3, HTTPResponse } from 'h3';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../serve.ts';
import { joined } from './joined-body.ts';

const PARTS = ['{"data":', 'ä'.repeat(300_000), '}'].map((text) => Buffer.from(text));
const WHOLE = Buffer.concat(PARTS).toString();

const app = new H3({ silent: true });
app.all('/', (event) => {
  const { body, headers } = joined(event, PARTS);
  return new HTTPResponse(body, { headers });
});

describe('a body in parts', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
  });
  afterAll(() => server.close());

  it('is the same bytes and length over a socket as in process', async () => {
    const sent = await fetch(server.url);
    expect(sent.headers.get('content-length')).toBe(String(Buffer.byteLength(WHOLE)));
    expect(await sent.text()).toBe(WHOLE);
    expect(await (await app.request('/')).text()).toBe(WHOLE);
  });

  it('leaves the connection ready for the next request, and HEAD without a body', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const request = (method: string, last = false): string =>
      `${method} / HTTP/1.1\r\nHost: x\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    socket.write(request('GET') + request('HEAD') + request('GET', true));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    const answers = Buffer.concat(chunks)
      .toString()
      .split(/HTTP\/1\.1 200[^\r]*\r\n/)
      .slice(1);
    expect(answers.map((answer) => answer.split('\r\n\r\n')[1])).toEqual([WHOLE, '', WHOLE]);
  });

  it('harms nobody when the client goes away in the middle of it', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    expect(await (await fetch(server.url)).text()).toBe(WHOLE);
  });
});
