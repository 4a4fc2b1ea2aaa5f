import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { callA2a, dataPart, messageOf, textPart } from '../support/a2a.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { NO_POSTGRES, openDatabase, type TestDatabase } from '../support/runner/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Two gateways, each with a folder of its own as on two machines, before one board or two. */

if (NO_POSTGRES !== null) process.stderr.write(`Tasks over boards on PostgreSQL are not tested: ${NO_POSTGRES}\n`);

const SECRET = 'a2a-tasks-of-two-gateways-';
const NOT_FOUND = -32001;
const NOT_CANCELABLE = -32002;
const ADA = { 'x-forwarded-for': '192.0.2.1' };
const STRANGER = { 'x-forwarded-for': '198.51.100.9' };

describe.each([
  ['a file', null],
  ['PostgreSQL', NO_POSTGRES],
] as const)('what gateways share over boards on %s', (store, reason) => {
  let root: string;
  let database: TestDatabase | null = null;
  const boards: ServerProcess[] = [];
  const gateways: ServerProcess[] = [];

  const startBoard = (port = '0') =>
    startServer('board-server/main.ts', {
      DATA_DIR: join(root, 'board'),
      SNAPSHOTS_DIR: inject('sampleSnapshots'),
      BOARD_SECRET: SECRET,
      BOARD_PORT: port,
      ...(database && { BOARD_STORE: database.url }),
    });
  const startGateway = async (name: string) => {
    const gateway = await startServer('gateway/main.ts', {
      DATA_DIR: join(root, name),
      SNAPSHOTS_DIR: inject('sampleSnapshots'),
      BOARD_URL: boards.map(({ url }) => url).join(','),
      BOARD_SECRET: SECRET,
      TRUST_PROXY: '1',
    });
    gateways.push(gateway);
    return gateway;
  };
  beforeAll(async () => {
    if (reason !== null) return;
    root = await mkdtemp(join(tmpdir(), 'trial-board-a2a-shared-'));
    if (store === 'PostgreSQL') database = await openDatabase();
    boards.push(await startBoard());
    if (database !== null) boards.push(await startBoard());
    await Promise.all([startGateway('one'), startGateway('two')]);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await Promise.all(boards.map((board) => board.stop()));
    await database?.[Symbol.asyncDispose]();
    if (reason === null) await rm(root, { recursive: true });
  });

  const at = async (place: number, method: string, params: object, from: Record<string, string> = ADA) =>
    (await callA2a(gateways[place]!.url, method, params, from)).body;
  const stateOf = (body: { result: { status: { state: string } } }) => body.result.status.state;

  it.skipIf(reason !== null)(
    'A2A tasks are read, gone on with and canceled at the other gateway, by their caller alone',
    async () => {
      const { result: task } = await at(0, 'message/send', messageOf([textPart('Hello')]));
      expect((await at(1, 'tasks/get', { id: task.id })).result).toEqual(task);
      expect((await at(1, 'tasks/get', { id: task.id }, STRANGER)).error.code).toBe(NOT_FOUND);
      expect((await at(1, 'tasks/cancel', { id: task.id }, STRANGER)).error.code).toBe(NOT_FOUND);
      const more = await at(1, 'message/send', messageOf([textPart('And more')], { taskId: task.id }));
      expect([more.result.id, more.result.history.length]).toEqual([task.id, 2]);
      expect(stateOf(await at(1, 'tasks/cancel', { id: task.id }))).toBe('canceled');
      expect((await at(0, 'tasks/cancel', { id: task.id })).error.code).toBe(NOT_CANCELABLE);
      expect(stateOf(await at(0, 'tasks/get', { id: task.id }))).toBe('canceled');
    },
  );

  it.skipIf(reason !== null)('A2A tasks have one next state, where both gateways are asked at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { result: task } = await at(0, 'message/send', messageOf([]));
      const answers = await Promise.all([
        at(0, 'message/send', messageOf([dataPart({ skill: 'errors' })], { taskId: task.id })),
        at(1, 'tasks/cancel', { id: task.id }),
        at(1, 'message/send', messageOf([dataPart({ skill: 'errors' })], { taskId: task.id })),
        at(0, 'tasks/cancel', { id: task.id }),
      ]);
      const carriedOut = answers.filter(({ result }) => result !== undefined);
      expect(carriedOut).toHaveLength(1);
      for (const place of [0, 1])
        expect((await at(place, 'tasks/get', { id: task.id })).result).toEqual(carriedOut[0].result);
    }
  });

  it.skipIf(reason !== null)(
    'A2A tasks of a message that is sent through both gateways at once are one, and it writes once',
    async () => {
      const params = messageOf([dataPart({ skill: 'claim_work', ...CLAIM, scope: 'a slice that both gateways get' })]);
      const answers = await Promise.all([0, 1, 0, 1].map((place) => at(place, 'message/send', params)));
      const claims = answers.map(({ result }) => [result.id, result.artifacts[0].parts[0].data.data.id]);
      expect(new Set(claims.map(String)).size).toBe(1);
      // Whoever repeats it with a random UUID is shown the token again, at whichever gateway.
      const tokens = answers.map(({ result }) => result.artifacts[0].parts[0].data.data.releaseToken);
      expect(tokens).toEqual(Array(4).fill(expect.stringMatching(/^[\w-]{43}$/)));
      expect(JSON.stringify(await at(1, 'tasks/get', { id: claims[0]![0] }))).not.toContain(tokens[0]);
    },
  );

  it.skipIf(reason !== null)('A2A tasks stay where a gateway and a board die, and can be gone on with', async () => {
    const third = await startGateway('three');
    const { result: task } = await at(2, 'message/send', messageOf([textPart('Hello')]));
    const ends = [third, ...(boards.length > 1 ? [boards[1]!] : [])].map(async ({ child }) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
    await Promise.all(ends);
    expect((await at(0, 'tasks/get', { id: task.id })).result).toEqual(task);
    const params = messageOf([dataPart({ skill: 'errors' })], { taskId: task.id });
    expect(stateOf(await at(1, 'message/send', params))).toBe('completed');
  });

  it.skipIf(reason !== null)('A2A tasks leave no file at a gateway', async () => {
    for (const name of ['one', 'two']) {
      const files = await readdir(join(root, name)).catch(() => []);
      expect(files.filter((file) => file.startsWith('a2a-tasks'))).toEqual([]);
    }
  });

  it.skipIf(reason !== null)('the traffic of the scoreboard is that of all gateways', async () => {
    const [first, second] = gateways.map(({ url }) => url);
    for (const url of [first, first, first, second, second]) await fetch(`${url}/nowhere`);
    await until(async () => {
      await pause(250);
      const { data } = await (await fetch(`${second}/api/v1/scoreboard`)).json();
      expect(data.traffic).toMatchObject({ heldIn: 'the board of all gateways', hours: 24 });
      const unknown = data.traffic.doors.find(({ door }: { door: string }) => door === 'unknown');
      return unknown.requests === 5 && unknown.statuses['4xx'] === 5;
    });
  });
});
