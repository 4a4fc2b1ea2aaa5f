import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bytesOf, jsonOf } from './answer-body.ts';

let respond: (response: ServerResponse) => void;
const server = createServer((_request, response) => respond(response));
beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function answered(by: typeof respond): Promise<IncomingMessage> {
  respond = by;
  const sent = request({ port: (server.address() as AddressInfo).port }).end();
  return ((await once(sent, 'response')) as [IncomingMessage])[0];
}

it('an answer is read whole up to the limit', async () => {
  const answer = () => answered((response) => void response.end('"12345678"'));
  expect(await jsonOf(await answer(), { maxBytes: 10 })).toBe('12345678');
  await expect(bytesOf(await answer(), { maxBytes: 9 })).rejects.toThrow('the answer has more than 9 bytes');
});

it('an answer without end is given up with its connection, whether it floods or drips', async () => {
  let ended = 0;
  const flood = await answered((response) => {
    response.on('close', () => (ended += 1));
    const more = (): void => {
      if (response.destroyed) return;
      if (response.write('x'.repeat(65_536))) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  });
  await expect(bytesOf(flood, { maxBytes: 1_000_000 })).rejects.toThrow('more than 1000000 bytes');
  const drip = await answered((response) => {
    const dripping = setInterval(() => response.write('x'), 10);
    response.on('close', () => {
      clearInterval(dripping);
      ended += 1;
    });
    response.write('x');
  });
  await expect(bytesOf(drip, { maxMs: 100 })).rejects.toThrow('did not end within 100 ms');
  await expect.poll(() => ended).toBe(2);
});
