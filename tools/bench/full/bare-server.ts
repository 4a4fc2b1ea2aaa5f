import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `node:http` that sends one fixed body of a search's size: the least that any server here can cost. */
const BODY = Buffer.alloc(34_000, 'a');

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length }).end(BODY);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
});
