import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection, getRequest, postRequest } from './connection.ts';

/** Larger than what one read of the socket returns. */
const LARGE = Buffer.alloc(300_000, 'a');
let server: Server;
let origin: string;
let connections = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/large') response.end(LARGE);
    else if (request.url === '/chunked') response.write('a', () => response.end('b'));
    else if (request.url === '/empty') response.writeHead(204).end();
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': 10 }).write('cut', () => response.destroy());
    else {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => response.writeHead(JSON.parse(body).status, { 'content-length': 4 }).end('seen'));
    }
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('the load generator’s connection', () => {
  it('reads one answer after the other on one socket, to its end', async () => {
    const before = connections;
    const connection = new Connection(origin);
    const seen: number[] = [];
    for (const request of [getRequest('/large'), getRequest('/empty'), getRequest('/large')])
      seen.push(await connection.send(request));
    seen.push(await connection.send(postRequest('/', '{"status":409,"text":"ä"}')));
    connection.close();
    expect(seen).toEqual([200, 204, 200, 409]);
    expect(connections - before).toBe(1);
  });

  it('answers 0 where an answer was cut off, and opens anew', async () => {
    const connection = new Connection(origin);
    expect(await connection.send(getRequest('/cut'))).toBe(0);
    expect(await connection.send(getRequest('/large'))).toBe(200);
    connection.close();
  });

  it('carries one request at a time, to this machine only', async () => {
    const connection = new Connection(origin);
    const first = connection.send(getRequest('/large'));
    expect(() => connection.send(getRequest('/large'))).toThrow('one request at a time');
    expect(await first).toBe(200);
    connection.close();
    expect(() => new Connection('http://192.0.2.1:80')).toThrow('127.0.0.1 only');
  });
});
