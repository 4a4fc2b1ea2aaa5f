import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { NO_POSTGRES, openDatabase, type TestDatabase } from '../support/runner/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Two gateways, each with a folder of its own as on two machines, before one board or two. */

if (NO_POSTGRES !== null) process.stderr.write(`Gateways over boards on PostgreSQL are not tested: ${NO_POSTGRES}\n`);

const SECRET = 'traffic-of-two-gateways-';

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
    root = await mkdtemp(join(tmpdir(), 'trial-board-shared-'));
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
