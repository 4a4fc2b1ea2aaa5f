import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { newestEvent } from '../../../board-server/store/event-store.ts';
import { backupBoard, restoreBoard } from '../../../board-server/store/sqlite/backup.ts';
import { verifyFile } from '../../../board-server/store/sqlite/verify-file.ts';
import { boardForEach } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';
import { deep } from '../../support/runner/amount.ts';
import { ROOT } from '../../support/tree.ts';

const NOW = new Date('2026-11-21T13:00:00.000Z');
const feed = boardForEach();
let directory: string;
beforeEach(async () => {
  directory = dirname(feed.path);
  for (let place = 1; place <= 3; place += 1) await post(feed.board, 'claim', `clm_${place}`);
});

const ids = (path: string) => {
  using file = Object.assign(new SQLite(path, { readonly: true }), {
    [Symbol.dispose](this: SQLite.Database) {
      this.close();
    },
  });
  return file.prepare('SELECT object_id FROM events ORDER BY ts').pluck().all();
};

async function cli(...words: string[]): Promise<{ code: number; out: string; errors: string }> {
  const child = spawn(process.execPath, ['board-server/cli.ts', '--db', feed.path, ...words], { cwd: ROOT });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, errors };
}

async function exported(): Promise<string[]> {
  const response = await feed.app.fetch(new Request('http://test.example/api/v1/changes/export'));
  return (await response.text()).trimEnd().split('\n');
}

describe('a backup', () => {
  it('is a sound file of its own, made while the board goes on being written', async () => {
    const target = join(directory, 'copy.sqlite');
    const storm = Promise.all(Array.from({ length: 200 }, (_, place) => post(feed.board, 'link', `l${place}`)));
    const report = await backupBoard(feed.path, target);
    await storm;
    expect(report.problems).toEqual([]);
    expect(report.events).toBeGreaterThanOrEqual(3);
    expect(ids(target)).toHaveLength(report.events);
    expect((await readdir(directory)).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite']);
  });

  it('never replaces a file and leaves nothing behind when it fails', async () => {
    const target = join(directory, 'copy.sqlite');
    await writeFile(target, 'mine');
    await expect(backupBoard(feed.path, target)).rejects.toThrow(/exists: name a new file/);
    expect(await readFile(target, 'utf8')).toBe('mine');
    await expect(backupBoard(join(directory, 'none'), join(directory, 'other'))).rejects.toThrow(/does not exist/);
    expect((await readdir(directory)).filter((name) => name.startsWith('other'))).toEqual([]);
  });
});

describe('a restore', () => {
  it('brings back the board of the backup, keeps the one that was there, and the board goes on from it', async () => {
    const target = join(directory, 'copy.sqlite');
    await backupBoard(feed.path, target);
    await post(feed.board, 'claim', 'clm_lost');
    await feed.board[Symbol.asyncDispose]();
    const { report, kept } = await restoreBoard(target, feed.path, NOW);
    expect(report.events).toBe(3);
    expect(ids(kept!)).toEqual(['clm_1', 'clm_2', 'clm_3', 'clm_lost']);
    await feed.reopen();
    await post(feed.board, 'claim', 'clm_next');
    expect(ids(feed.path)).toEqual(['clm_1', 'clm_2', 'clm_3', 'clm_next']);
    expect((await verifyFile(feed.path)).problems).toEqual([]);
  });

  it('is refused while the board is in use, and changes nothing', async () => {
    const target = join(directory, 'copy.sqlite');
    await backupBoard(feed.path, target);
    await post(feed.board, 'claim', 'clm_4');
    await expect(restoreBoard(target, feed.path, NOW)).rejects.toThrow(/is in use: stop the service/);
    await post(feed.board, 'claim', 'clm_5');
    expect(ids(feed.path)).toHaveLength(5);
  });

  it('replaces a damaged board, log and all', async () => {
    const target = join(directory, 'copy.sqlite');
    await backupBoard(feed.path, target);
    await feed.board[Symbol.asyncDispose]();
    await writeFile(feed.path, 'SQLite format 3\0 and then rubbish'.padEnd(9000, 'x'));
    await writeFile(`${feed.path}-wal`, 'old log');
    const { kept } = await restoreBoard(target, feed.path, NOW);
    expect(await readFile(kept!, 'utf8')).toContain('rubbish');
    expect(existsSync(`${feed.path}-wal`)).toBe(false);
    await feed.reopen();
    expect((await newestEvent(feed.board.read))?.ts).toBe(1795262400000002);
  });

  it('refuses a backup that is not sound', async () => {
    const target = join(directory, 'copy.sqlite');
    await backupBoard(feed.path, target);
    const file = new SQLite(target);
    file.exec("UPDATE events SET agent_name = 'someone' WHERE object_id = 'clm_2'");
    file.close();
    await feed.board[Symbol.asyncDispose]();
    await expect(restoreBoard(target, feed.path, NOW)).rejects.toThrow(/is not sound, so nothing was changed: event 2/);
    await expect(restoreBoard(join(directory, 'none'), feed.path, NOW)).rejects.toThrow(/does not exist/);
    expect(ids(feed.path)).toEqual(['clm_1', 'clm_2', 'clm_3']);
    await feed.reopen();
  });
});

describe('verify', () => {
  it.each([
    [
      'a changed event',
      (lines: string[]) => lines.with(1, lines[1]!.replace('clm_2', 'clm_9')),
      /event 2.*was changed/,
    ],
    ['a removed event', (lines: string[]) => lines.toSpliced(1, 1), /event 2.*missing or moved/],
    ['events out of order', (lines: string[]) => [lines[1]!, lines[0]!, lines[2]!], /event 2.*not later/],
    ['an event without its hash', (lines: string[]) => lines.with(1, '{"ts":"2026"}'), /event 2: has no ts/],
  ])('finds %s in an export', async (_name, change, problem) => {
    const path = join(directory, 'export.ndjson');
    await writeFile(path, `${(await exported()).join('\n')}\n`);
    expect((await verifyFile(path)).problems).toEqual([]);
    await writeFile(path, `${change(await exported()).join('\n')}\n`);
    expect((await verifyFile(path)).problems.join('\n')).toMatch(problem);
  });

  it('finds a cut end by a hash noted earlier, and a cut beginning of a board', async () => {
    const lines = await exported();
    const noted = JSON.parse(lines[2]!).hash as string;
    const path = join(directory, 'export.ndjson');
    await writeFile(path, lines.slice(0, 2).join('\n'));
    expect((await verifyFile(path)).problems).toEqual([]);
    expect((await verifyFile(path, noted)).problems).toEqual([`the hash ${noted} is not in the chain`]);
    await writeFile(path, lines.slice(1).join('\n'));
    expect((await verifyFile(path, noted)).contains).toBe(true);
    expect((await verifyFile(path)).begins).toBe(JSON.parse(lines[0]!).hash);
    await feed.board.write((tx) => tx.deleteFrom('events').where('object_id', '=', 'clm_1').execute());
    expect((await verifyFile(feed.path)).problems).toEqual(['the first event of the board is missing']);
  });

  deep.it('and the other commands exit with 0, 1 or 2', async () => {
    const copy = join(directory, 'copy.sqlite');
    const outcomes = [];
    for (const words of [
      ['backup', copy],
      ['verify', copy],
      ['backup', copy],
      ['restore', copy],
      ['verify', join(directory, 'none')],
      ['dance'],
    ]) {
      outcomes.push(await cli(...words));
    }
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(outcomes[1]!.out).toMatch(/^events: 3\nnewest: 2026-11-21T12:00:00\.000002Z [0-9a-f]{64}\nsound\n$/);
    expect(outcomes[2]!.errors).toContain('exists: name a new file');
    expect(outcomes[3]!.errors).toContain('is in use: stop the service');
    await feed.board[Symbol.asyncDispose]();
    expect((await cli('restore', copy)).code).toBe(0);
    await feed.reopen();
    expect(await newestEvent(feed.board.read)).toBeDefined();
  });
});
