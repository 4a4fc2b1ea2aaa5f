import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SupervisedChild } from '../../../tools/supervised-child.ts';
import { BOARD, findPid, GATEWAY, hasEnded, pidOf } from '../../support/faults/children.ts';
import { COMPILE_CACHE } from '../../support/runner/compile-cache.ts';
import { createKey, startServer } from '../../support/server-process.ts';
import { ROOT } from '../../support/tree.ts';
import { until } from '../../support/until.ts';

/** These tests start real processes, and stop and kill them. */

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-processes-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('npm start', () => {
  it('serves board and index, restarts a board that dies, answers 503 for it meanwhile, and drains both', async () => {
    const directories = { DATA_DIR: join(root, 'whole'), SNAPSHOTS_DIR: inject('sampleSnapshots') };
    const environment = { ...directories, RATE_LIMITS: 'off' };
    await using starter = await startServer('tools/start.ts', environment);
    const { url } = starter;
    expect((await createKey(url)).status).toBe(201);
    const pid = await pidOf(starter, BOARD);
    process.kill(pid, 'SIGKILL');
    await until(async () => (await createKey(url)).status === 503);
    expect((await fetch(`${url}/api/v1/trials/search?q=diabetes`)).status).toBe(200);
    await until(async () => (await createKey(url)).status === 201);
    const successor = await pidOf(starter, BOARD);
    expect(successor).not.toBe(pid);
    process.kill(successor, 'SIGTERM');
    await until(async () => ![null, successor].includes(await findPid(starter, BOARD)));
    await until(async () => (await createKey(url)).status === 201);
    const last = [await pidOf(starter, BOARD), await pidOf(starter, GATEWAY)];
    expect(await starter.stop()).toBe(0);
    expect(last.map(hasEnded)).toEqual([true, true]);
  });

  it('learns where the board listens whatever the board logs', async () => {
    const environment = {
      PATH: process.env.PATH,
      ...COMPILE_CACHE,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      DATA_DIR: join(root, 'silent'),
    };
    const listening = Promise.withResolvers<string>();
    const board = new SupervisedChild({
      name: 'board',
      entry: [join(ROOT, 'board-server/main.ts')],
      cwd: ROOT,
      env: () => ({
        ...environment,
        SNAPSHOTS_DIR: inject('sampleSnapshots'),
        PUBMED_URL: 'off',
        EUROPEPMC_URL: 'off',
      }),
      isInner: true,
      onAddress: listening.resolve,
      onEnd: () => true,
    });
    board.start();
    const url = await listening.promise;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await createKey(url)).status).toBe(201);
    expect(await board.stop()).toBe(0);
  });
});

describe('the board server', () => {
  it('keeps its address salt for its owner, makes it once, and drains at SIGTERM', async () => {
    const data = join(root, 'alone');
    const salts: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const server = await startServer('board-server/main.ts', { DATA_DIR: data, BOARD_PORT: '0' });
      expect((await createKey(server.url)).status).toBe(201);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(await server.stop()).toBe(0);
      salts.push(await readFile(join(data, 'address.salt'), 'utf8'));
    }
    expect(salts[0]).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(salts[1]).toBe(salts[0]);
    expect((await stat(join(data, 'address.salt'))).mode & 0o777).toBe(0o600);
  });

  it('checks a long file while it serves it, and ends with 1 where that finds damage', async () => {
    const file = join(root, 'long.sqlite');
    const settings = { DATA_DIR: join(root, 'long'), BOARD_DB: file, BOARD_PORT: '0' };
    const first = await startServer('board-server/main.ts', settings);
    await first.stop();
    const database = new SQLite(file);
    database.exec(`CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(${65 * 2 ** 20}))`);
    database.exec("CREATE TABLE broken (word TEXT); INSERT INTO broken VALUES ('one')");
    const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'broken'").pluck().get() as number;
    database.close();

    const sound = await startServer('board-server/main.ts', settings);
    expect((await createKey(sound.url)).status).toBe(201);
    expect(await sound.stop()).toBe(0);

    const bytes = await open(file, 'r+');
    await bytes.write(Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096);
    await bytes.close();
    const damaged = await startServer('board-server/main.ts', settings);
    const [code] = damaged.child.exitCode === null ? await once(damaged.child, 'exit') : [damaged.child.exitCode];
    expect(code).toBe(1);
  });

  it('ends, as the gateway does, when the process that started it is killed', async () => {
    const data = join(root, 'orphan');
    const environment = { DATA_DIR: data, SNAPSHOTS_DIR: inject('sampleSnapshots') };
    await using starter = await startServer('tools/start.ts', environment);
    const pids = [await pidOf(starter, BOARD), await pidOf(starter, GATEWAY)];
    starter.child.kill('SIGKILL');
    await until(() => pids.every(hasEnded));
  });
});

describe('a gateway', () => {
  // After a power cut of everything, gateways may be up before the store is.
  it('starts while the store of rates is away, and says so', async () => {
    const environment = {
      RATE_LIMITS: 'on',
      RATE_STORE: 'redis://127.0.0.1:9',
      SNAPSHOTS_DIR: inject('sampleSnapshots'),
    };
    await using gateway = await startServer('gateway/main.ts', { DATA_DIR: join(root, 'no-redis'), ...environment });
    const status = await fetch(`${gateway.url}/api/v1/status`);
    expect(status.headers.get('ratelimit-limit')).toBe('120');
    const { data } = (await status.json()) as { data: { components: unknown[] } };
    expect(data.components).toContainEqual(
      expect.objectContaining({
        component: 'rate-store',
        state: 'down',
        detail: 'Redis does not answer: this gateway counts requests by itself',
      }),
    );
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain('\ntrial_board_rate_store_away 1\n');
  });
});
