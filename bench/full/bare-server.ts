import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { environment } from '../../config/env.ts';

/**
 * `node:http` alone: the least that any server here can cost. It sends one fixed body of a search's size, or to each path of
 * a list the body that another server sends to it.
 */
const BODY = Buffer.alloc(34_000, 'a');

const { BODIES_OF, PATHS_FILE } = environment();
const bodies = new Map<string | undefined, Buffer>();
if (BODIES_OF !== undefined && PATHS_FILE !== undefined) {
  for (const path of JSON.parse(await readFile(PATHS_FILE, 'utf8')) as string[]) {
    const answer = await fetch(`${BODIES_OF}${path}`, { headers: { 'accept-encoding': 'identity' } });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    bodies.set(path, Buffer.from(await answer.arrayBuffer()));
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
