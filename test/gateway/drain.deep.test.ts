import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CLAIM } from '../support/board/board-writes.ts';
import { MCP_HEADERS, MCP_PATH, toolCall } from '../support/mcp.ts';
import { rawConnection } from '../support/raw-socket.ts';

import { type ServerProcess, startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** These tests start real processes and end them while they are busy. */

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-drain-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const environment = (name: string) => ({
  DATA_DIR: join(root, name),
  SNAPSHOTS_DIR: inject('sampleSnapshots'),
  RATE_LIMITS: 'off',
});

/** Reads the answer to a request to its end. Rejects if the connection breaks off. */
async function whole(sent: ReturnType<typeof request>): Promise<{ status: number; body: string; complete: boolean }> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(answer);
  return { status: answer.statusCode!, body, complete: answer.complete };
}

async function following({ url }: ServerProcess, count: number): Promise<void> {
  await until(async () => {
    const metrics = await text((await once(request(`${url}/metrics`, { agent: false }).end(), 'response'))[0]);
    return metrics.includes(`trial_board_upstream_in_use{server="board",lane="following"} ${count}`);
  });
}

it('SIGTERM while requests run ends long polls as pages, streams and tool calls properly, finishes writes, refuses new connections, and exits with 0', async () => {
  const server = await startServer('tools/start.ts', environment('busy'));
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const open = (path: string, options: object = {}) => request(`${server.url}${path}`, { agent, ...options });
  const poll = whole(open('/api/v1/changes?wait=30').end());
  const stream = whole(open('/api/v1/changes', { headers: { accept: 'text/event-stream' } }).end());
  const call = JSON.stringify(toolCall('board_changes', { wait: 30 }));
  const tool = whole(open(MCP_PATH, { method: 'POST', headers: MCP_HEADERS }).end(call));
  await following(server, 3);
  const body = Buffer.from(JSON.stringify(CLAIM));
  const write = open('/api/v1/claims', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  const written = whole(write);
  await new Promise((resolve) => write.write(body.subarray(0, 20), resolve));
  const unused = await rawConnection(server.url);
  const idle = await rawConnection(server.url);
  idle.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await idle.until(/"ok"\}$/);

  const stopped = server.stop();
  expect(await poll).toMatchObject({ status: 200, complete: true });
  expect(JSON.parse((await poll).body).data.events).toEqual([]);
  expect(await stream).toMatchObject({ status: 200, complete: true });
  expect(JSON.parse((await tool).body).result.structuredContent.data.events).toEqual([]);
  await Promise.all([unused.closed(), idle.closed()]);
  await expect(rawConnection(server.url)).rejects.toThrow('ECONNREFUSED');
  write.end(body.subarray(20));
  expect((await written).status).toBe(201);
  expect(await stopped).toBe(0);
  agent.destroy();
});

it.each([
  ['an exception', "process.on('SIGUSR2', () => { throw new Error('nobody catches this'); })"],
  ['a rejection', "process.on('SIGUSR2', () => { Promise.reject(new Error('nobody catches this')); })"],
])('an error that nobody caught (%s) is a line of the log, and the process ends with 1', async (_what, code) => {
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(code)}`;
  const { child } = await startServer('board-server/main.ts', { ...environment('fault'), NODE_OPTIONS });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close');
  child.kill('SIGUSR2');
  expect((await ended)[0]).toBe(1);
  const line = JSON.parse(output.trim().split('\n').at(-1)!);
  expect(line).toMatchObject({ level: 60, event: 'fault', err: { message: 'nobody catches this' } });
});
