import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Connection, getRequest } from './connection.ts';

/** Larger than what one read of the socket returns. */
const LARGE = Buffer.alloc(300_000, 'a');

it('the connection of the load generator carries one request at a time, to this machine only', async () => {
  const server = createServer((_, response) => void response.end(LARGE)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = new Connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const first = connection.send(getRequest('/large'));
  expect(() => connection.send(getRequest('/large'))).toThrow('one request at a time');
  expect(await first).toBe(200);
  connection.close();
  server.close();
  expect(() => new Connection('http://192.0.2.1:80')).toThrow('127.0.0.1 only');
});
