import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { H3 } from 'h3';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeOnce } from '../../../board-server/kit/write.ts';
import type { BoardServerServices } from '../../../board-server/services.ts';
import { Board } from '../../../board-server/store/board.ts';
import type { Connection } from '../../../board-server/store/sqlite/connection.ts';
import { verifyFile } from '../../../board-server/store/sqlite/verify-file.ts';
import { defineOperation } from '../../../contract/operation.ts';
import { type Handlers, mount } from '../../../server-kit/mount.ts';
import { boardForEach, countedBytes, TestClock } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';
import { plainEvent } from '../../support/plain/plain-event.ts';

const store = defineOperation({
  id: 'store',
  method: 'POST',
  path: '/store',
  summary: 'Store an event',
  description: 'Stores one event.',
  server: 'board',
  bucket: 'none',
  body: z.object({ id: z.string(), size: z.number().default(1) }),
  output: z.object({ id: z.string() }),
  errors: ['INVALID_IDEMPOTENCY_KEY', 'IDEMPOTENCY_KEY_REUSED', 'MESSAGE_FAILED'],
  example: '/store',
});
const handlers: Handlers<readonly [typeof store], BoardServerServices> = {
  store: ({ body }, context, services, fail) =>
    writeOnce(services, store, context, fail, { unavailable: 'MESSAGE_FAILED' }, async (tx) => {
      const data = { filler: 'x'.repeat(body.size) };
      await tx.appendEvent(tx.nextTime(), { ...plainEvent('message', body.id), data });
      return { created: true, data: { id: body.id } };
    }),
};

/** Stores one event as every write of the board is stored. Returns status, code and Retry-After. */
async function send(board: Board, id: string, size = 1): Promise<[number, string?, string?]> {
  const app = new H3({ silent: true });
  // The webhook deliverer is left out; nothing here uses it.
  const services = { board, addressSalt: 'test', independence: 'name' } as BoardServerServices;
  const log = pino({ level: 'silent' });
  mount(app, [store] as const, handlers, { services, log, now: board.effects.now, baseUrl: null });
  const headers = { 'content-type': 'application/json', 'idempotency-key': `key-of-${id}` };
  const body = JSON.stringify({ id, size });
  const response = await app.fetch(new Request('http://test.example/store', { method: 'POST', headers, body }));
  const answer = (await response.json()) as { error?: { code: string } };
  if (!answer.error) return [response.status];
  return [response.status, answer.error.code, response.headers.get('retry-after') ?? ''];
}

const FAILED = [503, 'MESSAGE_FAILED', '5'];
const effects = () => ({ now: new TestClock().now, random: countedBytes() });

const feed = boardForEach();

async function idsOf(board: Board): Promise<string[]> {
  const rows = await board.read.selectFrom('events').select('object_id').orderBy('ts').execute();
  return rows.map(({ object_id }) => object_id);
}

describe('a file that another process has locked', () => {
  it('fails writes with their 503, keeps reads going, and takes writes again when it is free', async () => {
    await post(feed.board, 'claim', 'before');
    const other = new SQLite(feed.path);
    other.exec('BEGIN EXCLUSIVE');
    const failed = Promise.all(Array.from({ length: 100 }, (_, place) => send(feed.board, `locked-${place}`)));
    expect((await feed.get('/api/v1/changes')).body.data.events).toHaveLength(1);
    expect(new Set((await failed).map((answer) => answer.join()))).toEqual(new Set([FAILED.join()]));
    other.exec('ROLLBACK');
    expect(await send(feed.board, 'locked-1')).toEqual([201]);
    expect(await send(feed.board, 'locked-1')).toEqual([201]);
    expect(await idsOf(feed.board)).toEqual(['before', 'locked-1']);
    other.close();
  });

  it('makes a write wait where the lock is short', async () => {
    const other = new SQLite(feed.path);
    other.exec('BEGIN EXCLUSIVE');
    const written = send(feed.board, 'patient');
    setTimeout(() => other.exec('COMMIT'), 60);
    expect(await written).toEqual([201]);
    other.close();
  });

  it('goes on from what a second process has written, chain and all', async () => {
    await using second = await Board.open(feed.path, effects());
    for (let place = 0; place < 5; place += 1) {
      await post(feed.board, 'claim', `a${place}`);
      await post(second, 'claim', `b${place}`);
    }
    expect(await idsOf(feed.board)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4']);
    expect((await verifyFile(feed.path)).problems).toEqual([]);
  });
});

/** Mounts a small file system that a test can fill or make read-only. Returns null where this process may not mount. */
function mounted(size = '2m'): { path: string; remount(option: string): void; unmount(): void } | null {
  const path = mkdtempSync(join(tmpdir(), 'trial-board-mount-'));
  const mountWith = (option: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', option, 'tmpfs', path], { stdio: 'ignore' });
  const unmount = () => {
    execFileSync('umount', ['-l', path], { stdio: 'ignore' });
    rmSync(path, { recursive: true, force: true });
  };
  try {
    mountWith(`size=${size}`);
  } catch {
    rmSync(path, { recursive: true, force: true });
    return null;
  }
  return { path, remount: (option) => execFileSync('mount', ['-o', `remount,${option}`, path]), unmount };
}
const probe = mounted();
probe?.unmount();

describe.skipIf(probe === null)('a disk', () => {
  it('that is full fails the writes that do not fit, half-writes none, and takes them when there is room', async () => {
    const disk = mounted()!;
    const path = join(disk.path, 'board.sqlite');
    try {
      await using board = await Board.open(path, effects());
      const answered: string[] = [];
      for (let place = 0; place < 200; place += 1) {
        const answers = await Promise.all([0, 1, 2].map((part) => send(board, `w${place}-${part}`, 20_000)));
        for (const [part, answer] of answers.entries()) {
          if (answer[0] === 201) answered.push(`w${place}-${part}`);
          else expect(answer).toEqual(FAILED);
        }
        if (answers.some(([status]) => status !== 201)) break;
      }
      expect(answered.length).toBeGreaterThan(3);
      expect(await send(board, 'more', 200_000)).toEqual(FAILED);
      expect(await idsOf(board)).toEqual(answered);
      disk.remount('size=8m');
      expect(await send(board, 'more', 200_000)).toEqual(FAILED);
      expect(await board.prove()).toBe(true);
      expect(await send(board, 'more', 200_000)).toEqual([201]);
      expect(await idsOf(board)).toEqual([...answered, 'more']);
      expect((await verifyFile(path)).problems).toEqual([]);
    } finally {
      disk.unmount();
    }
  });

  // On a full disk a write-ahead file remains after the board is closed, as it does after a kill.
  it.each([
    ['1400k', true],
    ['8m', false],
  ])('of %s that is read-only stops the start with what to do, a write-ahead file left: %s', async (size, isLeft) => {
    const disk = mounted(size)!;
    const path = join(disk.path, 'board.sqlite');
    try {
      await (await Board.open(path, effects()))[Symbol.asyncDispose]();
      expect(existsSync(`${path}-wal`)).toBe(isLeft);
      disk.remount('ro');
      await expect(Board.open(path, effects())).rejects.toMatchObject({
        name: 'BoardFileFault',
        message: expect.stringMatching(/cannot be (written to|opened).*/),
      });
    } finally {
      disk.unmount();
    }
  });
});

describe('a file that cannot grow', () => {
  it('fails only the writes that do not fit, and the chain goes on', async () => {
    await post(feed.board, 'claim', 'before');
    await feed.board.write(async (tx) => {
      const { file } = tx.source as Connection;
      const pages = file.pragma('page_count', { simple: true }) as number;
      file.pragma(`max_page_count = ${pages + 2}`);
    });
    const answers = await Promise.all([
      send(feed.board, 'small-1'),
      send(feed.board, 'large', 90_000),
      send(feed.board, 'small-2'),
    ]);
    expect(answers[1]).toEqual(FAILED);
    const stored = ['small-1', 'large', 'small-2'].filter((_, place) => answers[place]![0] === 201);
    expect(await idsOf(feed.board)).toEqual(['before', ...stored]);
    expect(await send(feed.board, 'small-3')).toEqual(FAILED);
    expect(feed.board.health.said).toMatch(/^read-only since .*: the disk is full$/);
    expect(await feed.board.prove()).toBe(true);
    expect(await send(feed.board, 'small-3')).toEqual([201]);
    await feed.reopen();
    expect(await send(feed.board, 'large', 90_000)).toEqual([201]);
    expect((await verifyFile(feed.path)).problems).toEqual([]);
  });
});

describe('a write', () => {
  it('whose COMMIT fails is not there, and neither are the answers of its group', async () => {
    await post(feed.board, 'claim', 'before');
    const orphan = feed.board.write(async (tx) => {
      // A foreign key checked at COMMIT makes COMMIT fail, and leaves the transaction open, as a disk fault would.
      (tx.source as Connection).file.pragma('defer_foreign_keys = ON');
      await tx
        .insertInto('reviews')
        .values({
          id: 'r',
          seq: 1,
          finding_id: 'none',
          verdict: 'extends',
          note: '',
          agent_name: 'a',
          address_hash: '',
          created_at: 1,
        } as never)
        .execute();
    });
    const group = await Promise.allSettled([
      post(feed.board, 'claim', 'peer-1'),
      orphan,
      post(feed.board, 'claim', 'peer-2'),
    ]);
    expect(group.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await idsOf(feed.board)).toEqual(['before']);
    await post(feed.board, 'claim', 'after');
    expect((await verifyFile(feed.path)).problems).toEqual([]);
  });

  it('that ends the transaction under the others fails with them, and the next group is whole', async () => {
    const rogue = feed.board.write(async (tx) => {
      (tx.source as Connection).send('ROLLBACK');
      throw new Error('rolled back as SQLite does when it runs out of memory');
    });
    const group = await Promise.allSettled([post(feed.board, 'claim', 'peer'), rogue]);
    expect(group.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await post(feed.board, 'claim', 'after');
    expect(await idsOf(feed.board)).toEqual(['after']);
  });

  it('that fails in its group takes no other with it and gives its time back', async () => {
    const refused = feed.board.write(async (tx) => {
      tx.nextTime();
      throw new Error('refused');
    });
    const group = await Promise.allSettled([
      post(feed.board, 'claim', 'one'),
      refused,
      post(feed.board, 'claim', 'two'),
    ]);
    expect(group.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const rows = await feed.board.read.selectFrom('events').select('ts').orderBy('ts').execute();
    expect(rows.map(({ ts }) => ts)).toEqual([1795262400000000, 1795262400000001]);
  });

  it('removes old idempotency rows a few at a time', async () => {
    for (let place = 0; place < 45; place += 1) await send(feed.board, `old-${place}`);
    feed.clock.advance(24 * 3_600_000);
    const kept = async () => (await feed.board.read.selectFrom('idempotency').select('scope_hash').execute()).length;
    const counts = [];
    for (let place = 0; place < 4; place += 1) {
      expect(await send(feed.board, `new-${place}`)).toEqual([201]);
      counts.push(await kept());
    }
    expect(counts).toEqual([26, 7, 3, 4]);
  });
});

describe('start-up', () => {
  const refusal = async (path: string) =>
    Board.open(path, effects()).then(
      () => 'opened',
      (error: Error) => `${error.name}: ${error.message.replace(path, 'FILE')}`,
    );

  it('refuses a file that is no database, a damaged one, a newer one, a foreign one and a locked one, saying what to do', async () => {
    const directory = join(feed.path, '..');
    const rubbish = join(directory, 'rubbish.sqlite');
    writeFileSync(rubbish, 'not a database at all'.repeat(500));
    expect(await refusal(rubbish)).toMatch(/^BoardFileFault: FILE is damaged \(.*\): restore a backup with/);

    await post(feed.board, 'claim', 'one');
    await feed.board[Symbol.asyncDispose]();
    const newer = new SQLite(feed.path);
    const version = newer.pragma('user_version', { simple: true });
    newer.pragma('user_version = 999');
    newer.close();
    expect(await refusal(feed.path)).toMatch(
      /^BoardFileFault: FILE has schema 999, this program knows \d+: run the newer program/,
    );
    const older = new SQLite(feed.path);
    older.pragma('user_version = 17');
    expect(await refusal(feed.path)).toMatch(
      /^BoardFileFault: FILE has schema 17, from before 0.1.0: start its board once with commit \w+ of this program/,
    );
    older.pragma(`user_version = ${version}`);
    older.close();

    const foreign = join(directory, 'foreign.sqlite');
    const other = new SQLite(foreign);
    other.exec('CREATE TABLE recipes (name TEXT)');
    other.close();
    expect(await refusal(foreign)).toBe(
      'BoardFileFault: FILE is a database of something else: name another file in BOARD_DB',
    );

    const holder = new SQLite(feed.path);
    holder.exec('BEGIN EXCLUSIVE');
    expect(await refusal(feed.path)).toMatch(/^BoardFileFault: FILE is locked by another process/);
    holder.close();

    mkdirSync(join(directory, 'folder.sqlite'));
    expect(await refusal(join(directory, 'folder.sqlite'))).toMatch(
      /^BoardFileFault: FILE cannot be opened as a board/,
    );
    await feed.reopen();
  });

  it('refuses a file with a damaged page', async () => {
    for (let place = 0; place < 300; place += 1) await post(feed.board, 'claim', `c${place}`);
    await feed.board[Symbol.asyncDispose]();
    const bytes = await import('node:fs').then(({ readFileSync }) => readFileSync(feed.path));
    writeFileSync(feed.path, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0x5a)]));
    expect(await refusal(feed.path)).toMatch(/^BoardFileFault: FILE is damaged/);
    writeFileSync(feed.path, bytes);
    await feed.reopen();
    expect(await idsOf(feed.board)).toHaveLength(300);
  });
});
