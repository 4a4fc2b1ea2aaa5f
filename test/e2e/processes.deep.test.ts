import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CURRENT_FILE } from '../../snapshot/format/versions/current-file.ts';
import { GATEWAY } from '../support/faults/children.ts';
import { createKey, type ServerProcess, startServer } from '../support/server-process.ts';
import { NEWER, OLDER, twoSnapshots } from '../support/snapshots/two-snapshots.ts';
import { until } from '../support/until.ts';

/** `npm start` with several gateway processes: what is counted is counted for all of them. */

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-processes-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface Reply {
  status: number;
  remaining: number;
  body: string;
}

const CALLER = '192.0.2.1';

/** A read on a connection of its own, so that any of the processes may take it. */
async function read(url: string, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const sent = request(`${url}${path}`, { agent: false, headers: { 'x-forwarded-for': CALLER, ...headers } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const remaining = Number(answer.headers['ratelimit-remaining']);
  return { status: answer.statusCode ?? 0, remaining, body: await text(answer) };
}

async function start(name: string, processes: number, settings: Record<string, string> = {}): Promise<ServerProcess> {
  const starter = await startServer('tools/start.ts', {
    GATEWAY_PROCESSES: String(processes),
    DATA_DIR: join(root, name),
    SNAPSHOTS_DIR: inject('sampleSnapshots'),
    RATE_LIMITS: 'on',
    TRUST_PROXY: '1',
    ...settings,
  });
  const all = processes === 1 ? 'answers' : `answers; ${processes} of ${processes} processes run`;
  await until(async () => (await gatewayDetail(starter.url)) === all);
  return starter;
}

/** The processes whose log lines tell of requests; read from now on. */
function answering(starter: ServerProcess): Set<number> {
  const pids = new Set<number>();
  createInterface({ input: starter.child.stdout! }).on('line', (line) => {
    const { event, pid } = JSON.parse(line) as { event?: string; pid: number };
    if (event === 'request') pids.add(pid);
  });
  return pids;
}

async function gatewaysOf({ child: { pid } }: ServerProcess): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean);
  const commands = await Promise.all(children.map((one) => readFile(`/proc/${one}/cmdline`, 'utf8').catch(() => '')));
  return children.filter((_one, place) => commands[place]!.includes(GATEWAY)).map(Number);
}

let asked = 0;

/** What the status says of the gateway: how many processes take connections. Asked from many addresses, as it is a read. */
async function gatewayDetail(url: string): Promise<string> {
  asked += 1;
  const address = `198.51.${asked >> 8}.${asked & 255}`;
  const { components } = JSON.parse((await read(url, '/api/v1/status', { 'x-forwarded-for': address })).body).data;
  return components.find(({ component }: { component: string }) => component === 'gateway').detail;
}

describe.each([1, 2])('%i gateway process(es)', (processes) => {
  it('grant exactly the bucket of an address, count its requests together, and show one sum of metrics', async () => {
    await using starter = await start(`limits-${processes}`, processes);
    const pids = answering(starter);
    const { url } = starter;
    const replies = await Promise.all(Array.from({ length: 130 }, () => read(url, '/api/v1/errors')));
    const granted = replies.filter((reply) => reply.status === 200);
    expect(granted.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 120 }, (_, place) => 119 - place),
    );
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(10);
    // Keyed reads have a bucket of their own, so that this one is not refused.
    const key = JSON.parse(await (await createKey(url)).text()).data.key;
    const usage = JSON.parse((await read(url, '/api/v1/usage', { 'x-api-key': key })).body).data;
    expect(usage).toMatchObject({ countedBy: 'key', requestsToday: { count: 1 } });
    const { body } = await read(url, '/metrics');
    expect(body).toContain('trial_board_http_requests_total{route="errors",method="GET",status="2xx"} 120\n');
    expect(body).toContain('trial_board_http_requests_total{route="errors",method="GET",status="4xx"} 10\n');
    expect(body).toContain('trial_board_rate_limited_total{bucket="read"} 10\n');
    expect(body).toMatch(/^trial_board_snapshot_info\{version="[^"]+"\} 1$/m);
    await until(() => pids.size === processes);
    expect(await starter.stop()).toBe(0);
  });
});

describe('two gateway processes', () => {
  it('forget a key in both as soon as one of them revokes it', async () => {
    await using starter = await start('keys', 2, { RATE_LIMITS: 'off' });
    const { url } = starter;
    const { key } = JSON.parse(await (await createKey(url)).text()).data;
    const seen = async () => (await read(url, '/api/v1/errors', { 'x-api-key': key })).status;
    // Often enough that each process has asked the board for the key, and would remember it for a minute.
    for (let count = 0; count < 30; count += 1) expect(await seen()).toBe(200);
    const revoked = await fetch(`${url}/api/v1/keys`, { method: 'DELETE', headers: { 'x-api-key': key } });
    expect(revoked.status).toBe(200);
    await until(async () => (await seen()) === 401);
    for (let count = 0; count < 30; count += 1) expect(await seen()).toBe(401);
  });

  it('go on where one is killed: new connections are answered, its place is taken, and no count falls', async () => {
    await using starter = await start('killed', 2, { RATE_LIMITS: 'off' });
    const { url } = starter;
    const before = await gatewaysOf(starter);
    expect(before).toHaveLength(2);
    let ends = false;
    const outcome = { answered: 0, broken: 0, refused: 0, other: 0 };
    const reader = async (agent: Agent): Promise<void> => {
      while (!ends) {
        const sent = request(`${url}/api/v1/errors`, { agent }).end();
        const code = await once(sent, 'response').then(
          async ([answer]: IncomingMessage[]) => {
            await text(answer!);
            return String(answer!.statusCode);
          },
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        );
        if (code === '200') outcome.answered += 1;
        else if (code === 'ECONNREFUSED') outcome.refused += 1;
        else if (code === 'ECONNRESET' || code === 'EPIPE') outcome.broken += 1;
        else outcome.other += 1;
      }
    };
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const readers = agents.map(reader);
    await until(() => outcome.answered > 50);
    const counted = async (): Promise<number> => {
      const { body } = await read(url, '/metrics');
      return Number(/route="errors",method="GET",status="2xx"\} (\d+)/.exec(body)?.[1]);
    };
    const atLeast = await counted();
    process.kill(before[0]!, 'SIGKILL');
    await until(async () => (await gatewaysOf(starter)).length === 2);
    await until(async () => (await gatewayDetail(url)) === 'answers; 2 of 2 processes run');
    ends = true;
    await Promise.all(readers);
    for (const agent of agents) agent.destroy();
    // At most the one request that each reader had open with the process that was killed.
    expect(outcome).toMatchObject({ refused: 0, other: 0 });
    expect(outcome.broken).toBeLessThanOrEqual(8);
    expect(await counted()).toBeGreaterThanOrEqual(atLeast);
    expect((await gatewaysOf(starter)).includes(before[0]!)).toBe(false);
    expect(await starter.stop()).toBe(0);
  });

  it('change to a new snapshot together: no reader sees the old one after the new one', async () => {
    using snapshots = twoSnapshots();
    const current = join(snapshots.snapshotsDir, CURRENT_FILE);
    await writeFile(current, `${OLDER}\n`);
    await using starter = await start('swap', 2, { SNAPSHOTS_DIR: snapshots.snapshotsDir, RATE_LIMITS: 'off' });
    const seen: string[] = [];
    const see = async (): Promise<void> => {
      const version = JSON.parse((await read(starter.url, '/api/v1/trials/search')).body)._meta.snapshot;
      if (seen.at(-1) !== version) seen.push(version);
    };
    await see();
    await writeFile(`${current}.new`, `${NEWER}\n`);
    await rename(`${current}.new`, current);
    await until(async () => {
      await see();
      return seen.length > 1;
    });
    for (let count = 0; count < 200; count += 1) await see();
    expect(seen).toEqual([OLDER, NEWER]);
  });

  it('drain at the stop: running long polls get their page, and the exit code is 0', async () => {
    await using starter = await start('drained', 2);
    const { url } = starter;
    const polls = Array.from({ length: 6 }, () => read(url, '/api/v1/changes?wait=20'));
    const held = 'trial_board_upstream_in_use{server="board",lane="following"} 6\n';
    await until(async () => (await read(url, '/metrics')).body.includes(held));
    expect(await starter.stop()).toBe(0);
    const replies = await Promise.all(polls);
    expect(replies.map((reply) => [reply.status, JSON.parse(reply.body).error])).toEqual(
      Array(6).fill([200, undefined]),
    );
  });

  it('hold what one address may follow for both together', async () => {
    await using starter = await start('followers', 2);
    const { url } = starter;
    const codes: number[] = [];
    const polls = Array.from({ length: 24 }, () =>
      read(url, '/api/v1/changes?wait=20').then((reply) => codes.push(reply.status)),
    );
    await until(() => codes.length === 4);
    expect(codes).toEqual([429, 429, 429, 429]);
    await starter.stop();
    await Promise.all(polls);
    expect(codes.filter((code) => code === 200)).toHaveLength(20);
  });
});

it('ends at once with the reason where the port of several processes is taken', async () => {
  await using other = await startServer('board-server/main.ts', { DATA_DIR: join(root, 'port'), BOARD_PORT: '0' });
  await expect(start('taken', 2, { PORT: new URL(other.url).port })).rejects.toThrow(
    'tools/start.ts ended with 1 before it listened',
  );
});
