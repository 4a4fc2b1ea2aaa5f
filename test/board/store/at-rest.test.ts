import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressSalt } from '../../../board-server/kit/address-salt.ts';
import { Board } from '../../../board-server/store/board.ts';
import { sealerOf } from '../../../board-server/store/sealed.ts';
import { backupBoard, restoreBoard } from '../../../board-server/store/sqlite/backup.ts';
import { countedBytes, openBoard, type TestBoard, TestClock } from '../../support/board/board.ts';
import { CLAIM } from '../../support/board/board-writes.ts';
import { publish } from '../../support/board/findings.ts';
import { CALIBRATION, made, PREDICTION, REALITY, REQUEST } from '../../support/board/reality.ts';

let root: string;
let path: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-at-rest-'));
  path = join(root, 'board.sqlite');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = () => Board.open(path, { now: new TestClock().now, random: countedBytes() });
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
const write = (board: Board) => board.write((tx) => tx.insert('proofs', { id: 1, at: tx.now }));

describe('files at rest', () => {
  it('are readable by their owner alone: database, write-ahead files, key, salt, backup, restored and kept board', async () => {
    {
      await using board = await open();
      await write(board);
      addressSalt(join(root, 'address.salt'), countedBytes());
      for (const file of ['board.sqlite', 'board.sqlite-wal', 'board.sqlite-shm', 'board.sqlite.key', 'address.salt']) {
        expect([file, modeOf(join(root, file))]).toEqual([file, '600']);
      }
      await backupBoard(path, join(root, 'copy.sqlite'));
      expect(modeOf(join(root, 'copy.sqlite'))).toBe('600');
    }
    const { kept } = await restoreBoard(join(root, 'copy.sqlite'), path, new Date(0));
    expect([modeOf(path), modeOf(kept!)]).toEqual(['600', '600']);
  });

  it('that others could read are corrected when the board is opened', async () => {
    await (await open())[Symbol.asyncDispose]();
    writeFileSync(join(root, 'address.salt'), 'salt');
    for (const file of [path, `${path}.key`, join(root, 'address.salt')]) chmodSync(file, 0o644);
    await using _board = await open();
    addressSalt(join(root, 'address.salt'), countedBytes());
    for (const file of [path, `${path}.key`, join(root, 'address.salt')]) expect(modeOf(file)).toBe('600');
  });
});

describe('a secret in the file', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  /** The bytes of all files of the board. */
  const bytes = () =>
    ['', '-wal'].map((suffix) => (existsSync(path + suffix) ? readFileSync(path + suffix, 'latin1') : '')).join('');

  async function withSubscription(board: TestBoard): Promise<string> {
    const url = 'https://example.invalid/hook';
    const { body } = await board.send('/api/v1/webhooks', { url }, { 'idempotency-key': crypto.randomUUID() });
    return body.data.secret;
  }

  it('of a subscription or an answer is not there in clear', async () => {
    await using board = await openBoard({ path });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const { releaseToken } = (await board.send('/api/v1/claims', CLAIM, key)).body.data;
    const secret = await withSubscription(board);
    expect(secret).toMatch(/^whsec_/);
    const withdrawToken = (await publish(board)).withdrawToken;
    const { predictionToken } = await made(board, CALIBRATION, {
      ...PREDICTION,
      subjectId: (await made(board, REALITY, REQUEST)).id,
    });
    const file = bytes();
    const there = [releaseToken, secret, withdrawToken, predictionToken].map((text) => [
      typeof text,
      file.includes(text),
    ]);
    expect([file.includes('slice'), ...there]).toEqual([true, ...Array(4).fill(['string', false])]);
  });

  it('opens with its own key, in its own place, for its own purpose', () => {
    const sealer = sealerOf(`${path}.key`);
    const sealed = sealer.seal('webhook secret', 'webhook_1', SECRET);
    expect(sealer.open('webhook secret', 'webhook_1', sealed)).toBe(SECRET);
    expect(sealerOf(`${path}.key`).open('webhook secret', 'webhook_1', sealed)).toBe(SECRET);
    expect(sealer.open('webhook secret', 'webhook_2', sealed)).toBeNull();
    expect(sealer.open('idempotent answer', 'webhook_1', sealed)).toBeNull();
    expect(sealer.open('webhook secret', 'webhook_1', `${sealed.slice(0, -2)}AA`)).toBeNull();
    expect(sealer.open('webhook secret', 'webhook_1', 'sealed1.')).toBeNull();
    rmSync(`${path}.key`);
    expect(sealerOf(`${path}.key`).open('webhook secret', 'webhook_1', sealed)).toBeNull();
  });

  it('whose key is lost leaves the write settled: the replay says that its token cannot be shown', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    {
      await using board = await openBoard({ path });
      await board.send('/api/v1/claims', CLAIM, key);
    }
    rmSync(`${path}.key`);
    await using board = await openBoard({ path });
    const again = await board.send('/api/v1/claims', CLAIM, key);
    expect([again.status, again.body._meta.withheld.fields]).toEqual([201, ['releaseToken']]);
    expect(again.body._meta.withheld.why).toContain('another key');
  });

  it('stops the start where the key file holds no key, saying what to do', async () => {
    mkdirSync(root, { recursive: true });
    writeFileSync(`${path}.key`, 'short');
    await expect(open()).rejects.toThrow(/board\.sqlite\.key holds no key of 32 bytes: put the right one back/);
  });
});
