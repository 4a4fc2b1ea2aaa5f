import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { environment } from '../../../server-kit/config/env.ts';

interface AskedPath {
  path: string;
  encoding: string;
}

/**
 * `node:http` alone: the least that any server here can cost. It sends one fixed body of a search's size, or to each path of
 * a list the body that another server sends to it.
 */
const BODY = Buffer.alloc(34_000, 'a');

const { BODIES_OF, PATHS_FILE } = environment();
const bodies = new Map<string | undefined, Buffer>();
if (BODIES_OF !== undefined && PATHS_FILE !== undefined) {
  for (const { path, encoding } of JSON.parse(await readFile(PATHS_FILE, 'utf8')) as AskedPath[]) {
    // What is packed is kept as it is.
    const sent = ask(`${BODIES_OF}${path}`, { headers: { 'accept-encoding': encoding } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${path} was answered with ${answer.statusCode}`);
    bodies.set(path, await buffer(answer));
  }
}

const server = createServer((request, response) => {
  const body = bodies.get(request.url) ?? BODY;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
});
