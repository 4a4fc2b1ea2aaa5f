import type { ChildProcess } from 'node:child_process';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, inject, it } from 'vitest';
import { publicChild } from '../../tools/public-child.ts';
import { type ChildEnd, SupervisedChild } from '../../tools/supervised-child.ts';
import { findPid, GATEWAY, hasEnded, pidOf } from '../support/faults/children.ts';
import { folderOfFile } from '../support/folders.ts';
import { startProgram } from '../support/pipeline-process.ts';
import { deep } from '../support/runner/amount.ts';
import { createKey, startServer } from '../support/server-process.ts';
import { NEWER, OLDER, twoSnapshots } from '../support/snapshots/two-snapshots.ts';
import { ROOT } from '../support/tree.ts';
import { until } from '../support/until.ts';

/** `npm start` and what it does when one of its two processes ends. */

const NO_DATABASE = 'this is no database, however one reads it, and longer than a header of one hundred bytes: '.repeat(
  40,
);

const { path: root } = folderOfFile();

deep.describe('npm start', () => {
  it('serves trials where the board file is damaged, says so in the status, and takes up a file that is mended', async () => {
    const file = join(root, 'damaged.sqlite');
    await writeFile(file, NO_DATABASE);
    const folders = { DATA_DIR: join(root, 'damaged'), SNAPSHOTS_DIR: inject('sampleSnapshots') };
    await using starter = await startServer('tools/start.ts', { ...folders, BOARD_DB: file });
    const { url } = starter;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/trials/search?q=diabetes`)).status).toBe(200);
    expect((await createKey(url)).status).toBe(503);
    const { data } = (await (await fetch(`${url}/api/v1/status`)).json()) as { data: StatusData };
    expect([data.state, data.board]).toEqual(['degraded', { writeProvenAt: null }]);
    expect(data.components.find(({ component }) => component === 'board-server')).toMatchObject({
      state: 'down',
      detail: expect.stringMatching(
        /^does not run and is started again: the board file is damaged \(file is not a database\): restore a backup with `npm run board -- restore` \(.+\)$/,
      ),
    });
    expect(await readFile(file, 'utf8')).toBe(NO_DATABASE);
    await rm(file);
    await until(async () => (await createKey(url)).status === 201);
    expect(await starter.stop()).toBe(0);
  });

  it('starts a gateway again that dies of a mapped file that became shorter, on the same port, and says why', async () => {
    const environment = { DATA_DIR: join(root, 'again'), SNAPSHOTS_DIR: inject('sampleSnapshots') };
    await using starter = await startServer('tools/start.ts', environment);
    const { url } = starter;
    const lines = logLines(starter.child);
    expect((await createKey(url)).status).toBe(201);
    const pid = await pidOf(starter, GATEWAY);
    process.kill(pid, 'SIGBUS');
    await until(async () => ![null, pid].includes(await findPid(starter, GATEWAY)));
    await until(async () => (await statusOf(`${url}/api/v1/trials/search?q=diabetes`)) === 200);
    // The new one has learned where the board listens.
    expect((await createKey(url)).status).toBe(201);
    const msg =
      'the gateway ended and is started again in 250 ms: signal SIGBUS: a file of the snapshot that it had mapped became shorter, or its disk failed';
    const line = { level: 50, process: 'gateway', quickEnds: 1, restartMs: 250, msg };
    expect(lines.filter(({ event }) => event === 'process')).toEqual([expect.objectContaining(line)]);
    expect(await starter.stop()).toBe(0);
  });

  it('serves the snapshot before where a mapped file is cut under it, whether or not a reader meets the cut first', async () => {
    using snapshots = twoSnapshots();
    const environment = { DATA_DIR: join(root, 'cut'), SNAPSHOTS_DIR: snapshots.snapshotsDir, RATE_LIMITS: 'off' };
    await using starter = await startServer('tools/start.ts', environment);
    const answer = async () => {
      const response = await fetch(`${starter.url}/api/v1/trials/search?pageSize=100`);
      return (await response.json()) as { _meta: { snapshot: string; degraded: boolean } };
    };
    expect((await answer())._meta).toMatchObject({ snapshot: NEWER, degraded: false });
    await truncate(snapshots.path(NEWER, 'serving/documents-000.arrow'), 4096);
    await until(async () => (await answer().catch(() => null))?._meta?.snapshot === OLDER);
    expect((await answer())._meta).toMatchObject({ snapshot: OLDER, degraded: true });
    expect(await starter.stop()).toBe(0);
  });

  it('ends at once with the reason where its port is taken', async () => {
    await using other = await startServer('board-server/main.ts', { DATA_DIR: join(root, 'port'), BOARD_PORT: '0' });
    const { port } = new URL(other.url);
    const environment = { DATA_DIR: join(root, 'taken'), SNAPSHOTS_DIR: inject('sampleSnapshots'), PORT: port };
    const { code, errors } = await startProgram(['tools/start.ts'], { HOST: '127.0.0.1', ...environment }).ended;
    expect(code).toBe(1);
    expect(errors).toContain('set PORT to another port');
  });
});

describe('a supervised child', () => {
  it('is started again with growing pauses, is told the last message at each start, and is given up when its owner says so', async () => {
    const program = "process.once('message', ({ code }) => process.exit(code))";
    const ends: ChildEnd[] = [];
    const pauses: number[] = [];
    let last = performance.now();
    await new Promise<void>((resolve) => {
      const child = new SupervisedChild({
        name: 'child',
        entry: ['--eval', program],
        cwd: ROOT,
        env: () => {
          pauses.push(performance.now() - last);
          return { PATH: process.env.PATH };
        },
        isInner: true,
        onAddress: () => {},
        onEnd: (end) => {
          ends.push(end);
          last = performance.now();
          if (end.quickEnds === 4) resolve();
          return end.quickEnds < 4;
        },
        restartFirstMs: 10,
      });
      child.start();
      child.tell({ code: 7 });
    });
    expect(ends.map(({ code, quickEnds }) => `${code} ${quickEnds}`)).toEqual(['7 1', '7 2', '7 3', '7 4']);
    expect(ends[0]).toMatchObject({ fault: null, reason: 'it ended with code 7; the lines above say why' });
    // Timers may fire a millisecond early; busy machines make them late, never early.
    expect(pauses.slice(1).map((pause, place) => pause > 10 * 2 ** place - 2)).toEqual([true, true, true]);
  });
});

describe('a child that is kept down', () => {
  it('is not started again where the signal from the terminal ends it before its owner stops it', async () => {
    const ends: ChildEnd[] = [];
    const told = Promise.withResolvers<string>();
    const child = new SupervisedChild({
      name: 'child',
      entry: ['--eval', "process.on('SIGINT', () => process.exit(0)); process.send({ url: String(process.pid) })"],
      cwd: ROOT,
      env: () => ({ PATH: process.env.PATH }),
      isInner: true,
      onAddress: told.resolve,
      onEnd: (end) => ends.push(end) > 0,
      restartFirstMs: 1,
    });
    child.start();
    const pid = Number(await told.promise);
    child.keepDown();
    process.kill(pid, 'SIGINT');
    await until(() => hasEnded(pid));
    expect([await child.stop(), ends]).toEqual([0, []]);
  });
});

describe('a gateway that dies again and again', () => {
  it.each([
    [
      'after it listened: it is given up at the tenth time',
      "process.send({ url: 'http://127.0.0.1:9' }); process.exit(3)",
      10,
      1,
    ],
    ['before it ever listened: at once, with its own exit code', 'process.exit(2)', 1, 2],
  ])('%s', async (_when, program, starts, exitCode) => {
    const counted = join(root, `starts-${starts}`);
    const count = `require('node:fs').appendFileSync(${JSON.stringify(counted)}, '.');`;
    const { server: gateway, givenUp } = publicChild('gateway', ['--eval', `${count}${program}`], {
      restartFirstMs: 1,
      onFirstAddress: () => {},
    });
    gateway.start();
    expect(await givenUp).toBe(exitCode);
    expect((await readFile(counted, 'utf8')).length).toBe(starts);
    expect(await gateway.stop()).toBe(0);
  });
});

interface StatusData {
  state: string;
  components: { component: string; state: string; detail: string }[];
  board: object;
}

async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}

function logLines(child: ChildProcess): { event?: string }[] {
  const lines: { event?: string }[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line));
  });
  return lines;
}
