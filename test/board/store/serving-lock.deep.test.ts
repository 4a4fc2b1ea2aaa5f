import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServingLock } from '../../../board-server/store/sqlite/serving-lock.ts';
import { startServer } from '../../support/server-process.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-serving-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('lets one process serve a board, and the next one when that has ended, also by a kill', async () => {
  const environment = {
    DATA_DIR: root,
    BOARD_DB: join(root, 'board.sqlite'),
    SNAPSHOTS_DIR: join(root, 'none'),
    BOARD_PORT: '0',
  };
  const first = await startServer('board-server/main.ts', environment);
  expect(() => new ServingLock(environment.BOARD_DB)).toThrow(
    `another process serves ${environment.BOARD_DB}: stop it first, or give this one a board of its own (BOARD_DB)`,
  );
  await expect(startServer('board-server/main.ts', environment)).rejects.toThrow();
  const ended = new Promise((resolve) => first.child.once('exit', resolve));
  first.child.kill('SIGKILL');
  await ended;
  await using next = await startServer('board-server/main.ts', environment);
  expect(await next.stop()).toBe(0);
  new ServingLock(environment.BOARD_DB)[Symbol.dispose]();
});
