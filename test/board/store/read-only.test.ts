import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../board-server/store/sqlite/connection.ts';
import { FileCheck } from '../../../board-server/store/sqlite/file-check.ts';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import { CLAIM } from '../../support/board/board-writes.ts';
import { post } from '../../support/board/feed-board.ts';

let root: string;
let path: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-read-only-'));
  path = join(root, 'board.sqlite');
  await using first = await openBoard({ path });
  for (let place = 0; place < 300; place += 1) await post(first.services.board, 'claim', `c${place}`);
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Overwrites every page but the first, as a fault of the disk under a running board does. */
function damage(): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - 4096, 0x5a), 0, undefined, 4096);
  closeSync(file);
}

async function fileOf(served: TestBoard): Promise<{ state: string; detail: string; writeProvenAt: string | null }> {
  const { components, writeProvenAt } = (await served.get('/internal/status')).body;
  const file = components.find(({ component }: { component: string }) => component === 'board-file');
  return { state: file.state, detail: file.detail, writeProvenAt };
}

const write = async (served: TestBoard) => {
  const { status, body } = await served.send('/api/v1/claims', CLAIM);
  return [status, body.error?.code];
};

describe('a board whose file is damaged while it serves', () => {
  it('takes no write after the first statement that finds it, for good, and says so in its status', async () => {
    await using served = await openBoard({ path });
    damage();
    expect((await served.get('/api/v1/changes?since=2026-11-01')).status).toBe(503);
    expect(await write(served)).toEqual([503, 'CLAIM_FAILED']);
    expect(await served.services.board.prove()).toBe(false);
    expect(await fileOf(served)).toEqual({
      state: 'down',
      detail:
        'read-only since 2026-11-21T12:00:00.000Z: the file is damaged; restore a backup with `npm run board -- restore`',
      writeProvenAt: null,
    });
  });

  it('is found out by the check of all pages where no statement reads them', async () => {
    await using served = await openBoard({ path });
    const { health } = served.services.board;
    const check = async () => (await FileCheck.of(path).result).state;
    expect(await check()).toBe('sound');
    damage();
    expect(await check()).toBe('damaged');
    health.noteDamage();
    expect(await write(served)).toEqual([503, 'CLAIM_FAILED']);
  });
});

describe('a disk that fails', () => {
  it.each([
    ['SQLITE_FULL', 'the disk is full'],
    ['SQLITE_IOERR_FSYNC', 'the disk does not read or write'],
  ])('with %s makes the board read-only with its next answer, until a proof has been written', async (code, words) => {
    await using served = await openBoard({ path });
    const { board } = served.services;
    expect(await write(served)).toEqual([201, undefined]);
    expect((await fileOf(served)).writeProvenAt).toBe('2026-11-21T12:00:00.000Z');
    const failing = board.write(async (tx) => {
      // What the file system answers is shown by fs-faults.test.ts; here it is what SQLite says of it.
      (tx.source as Connection).onFailure(Object.assign(new Error('from the disk'), { code }));
      throw new Error('from the disk');
    });
    await expect(failing).rejects.toThrow('from the disk');
    const refused = await served.send('/api/v1/claims', CLAIM);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'CLAIM_FAILED']);
    // It was not tried, so that nobody needs to look whether it was stored.
    expect(refused.body.error.message).toBe(
      `Nothing was carried out: the board is read-only since 2026-11-21T12:00:00.000Z: ${words}.`,
    );
    expect(await fileOf(served)).toMatchObject({ state: 'down', detail: expect.stringContaining(words) });
    served.clock.advance(5_000);
    expect(await board.prove()).toBe(true);
    expect(await fileOf(served)).toMatchObject({ state: 'up', writeProvenAt: '2026-11-21T12:00:05.000Z' });
    expect(await write(served)).toEqual([200, undefined]);
  });
});
