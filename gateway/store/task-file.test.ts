import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeptTask } from '../a2a/task.ts';
import { TaskFile } from './task-file.ts';

const START = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const later = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);
const CALLER = 'group 192.0.2.0/24';
const MINE = { address: '192.0.2.1', caller: CALLER, request: null };
const YOURS = { address: '192.0.2.2', caller: CALLER, request: null };

let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trial-board-tasks-'));
  path = join(root, 'made', 'a2a-tasks.sqlite');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const taskOf = (id: string, changedAt = START, text = 'Hello'): KeptTask => ({
  id,
  contextId: 'context',
  changedAt: changedAt.toISOString(),
  history: [{ kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }] }],
  outcome: { state: 'input-required', why: 'No part of the message names a skill.' },
});
/** Hexadecimal digits that compression shortens only to a little more than half. */
const noise = (digits: number): string =>
  Array.from({ length: Math.ceil(digits / 64) }, (_, part) => createHash('sha256').update(`${part}`).digest('hex'))
    .join('')
    .slice(0, digits);
const idsOf = async (store: TaskFile, ids: string[], now = START): Promise<string[]> => {
  const found = await Promise.all(ids.map((id) => store.read(id, CALLER, now)));
  return found.flatMap((task) => (task === null ? [] : [task.id]));
};

describe('a task', () => {
  it('is read back as it was written, and as it was written last', async () => {
    using store = TaskFile.open(path);
    await store.write(taskOf('a'), MINE);
    expect(await store.read('a', CALLER, START)).toEqual(taskOf('a'));
    const canceled: KeptTask = { ...taskOf('a', later(1)), outcome: { state: 'canceled' } };
    await store.write(canceled, YOURS);
    expect(await store.read('a', CALLER, later(1))).toEqual(canceled);
    expect([store.holding().tasks, store.holding(MINE.address).tasks, store.holding(YOURS.address).tasks]).toEqual([
      1, 1, 0,
    ]);
  });

  it('is read by its caller alone', async () => {
    using store = TaskFile.open(path);
    await store.write(taskOf('a'), MINE);
    for (const caller of ['group 198.51.100.0/24', 'key 0', ''])
      expect(await store.read('a', caller, START)).toBeNull();
  });

  it('is kept for 24 hours after it last changed, and not a millisecond longer', async () => {
    using store = TaskFile.open(path);
    await store.write(taskOf('a'), { ...MINE, request: 'hash' });
    const last = new Date(later(24).getTime() - 1);
    expect(await idsOf(store, ['a'], last)).toEqual(['a']);
    expect(await idsOf(store, ['a'], later(24))).toEqual([]);
    expect((await store.readByRequest('hash', last))?.id).toBe('a');
    expect(await store.readByRequest('hash', later(24))).toBeNull();
  });

  it('that is too old is removed, a few at a time, and its bytes are overwritten', async () => {
    using store = TaskFile.open(path);
    for (let number = 0; number < 120; number += 1) await store.write(taskOf(`old-${number}`), MINE);
    await store.write(taskOf('young', later(1)), MINE);
    const left = [70, 20, 0].map(() => {
      store.sweep(later(24));
      return store.holding().tasks;
    });
    expect(left).toEqual([71, 21, 1]);
    expect(store.holding()).toEqual(store.holding(MINE.address));
    expect(await idsOf(store, ['young'], later(24))).toEqual(['young']);
  });

  it('is found by the hash of the message that began it, the newest first', async () => {
    using store = TaskFile.open(path);
    await store.write(taskOf('a'), { ...MINE, request: 'hash' });
    await store.write(taskOf('b'), { ...MINE, request: 'hash' });
    await store.write(taskOf('c'), MINE);
    expect((await store.readByRequest('hash', START))?.id).toBe('b');
    expect(await store.readByRequest('other', START)).toBeNull();
  });
});

describe('the file', () => {
  it('keeps its tasks when it is closed and opened again', async () => {
    {
      using store = TaskFile.open(path);
      await store.write(taskOf('a'), MINE);
    }
    using store = TaskFile.open(path);
    expect(await store.read('a', CALLER, START)).toEqual(taskOf('a'));
    expect(store.holding().tasks).toBe(1);
  });

  it('and what lies beside it are for their owner only, whatever it was before', async () => {
    TaskFile.open(path)[Symbol.dispose]();
    chmodSync(path, 0o644);
    using store = TaskFile.open(path);
    await store.write(taskOf('a'), MINE);
    const names = readdirSync(join(root, 'made'));
    expect(names.length).toBe(3);
    expect(names.map((name) => (statSync(join(root, 'made', name)).mode & 0o777).toString(8))).toEqual(
      names.map(() => '600'),
    );
  });

  it('holds nothing any more of a task that was removed', async () => {
    {
      using store = TaskFile.open(path);
      await store.write(taskOf('id-of-a-removed-task'), MINE);
      await store.write(taskOf('id-of-a-kept-task', later(1)), MINE);
      store.sweep(later(24));
    }
    const bytes = readFileSync(path);
    expect(bytes.includes('id-of-a-kept-task')).toBe(true);
    expect(bytes.includes('id-of-a-removed-task')).toBe(false);
  });

  it('of another schema is not opened', () => {
    TaskFile.open(path)[Symbol.dispose]();
    const file = new SQLite(path);
    file.pragma('user_version = 99');
    file.close();
    expect(() => TaskFile.open(path)).toThrow('its schema is 99, this program knows 2');
  });
});

describe('beyond a bound', () => {
  it('of tasks, the oldest of the same address leave and nobody else loses any', async () => {
    using store = TaskFile.open(path, { tasksPerAddress: 3 });
    await store.write(taskOf('yours', later(-1)), YOURS);
    for (const [number, id] of ['a', 'b', 'c', 'd', 'e'].entries()) await store.write(taskOf(id, later(number)), MINE);
    expect(await idsOf(store, ['yours', 'a', 'b', 'c', 'd', 'e'])).toEqual(['yours', 'c', 'd', 'e']);
    expect([store.holding(MINE.address).tasks, store.holding(YOURS.address).tasks]).toEqual([3, 1]);
  });

  it('of bytes, the oldest of the same address leave and nobody else loses any', async () => {
    using store = TaskFile.open(path, { bytesPerAddress: 40_000 });
    await store.write(taskOf('yours', later(-1), noise(30_000)), YOURS);
    for (const [number, id] of ['a', 'b', 'c', 'd'].entries()) {
      await store.write(taskOf(id, later(number), noise(30_000)), MINE);
    }
    expect(await idsOf(store, ['yours', 'a', 'b', 'c', 'd'])).toEqual(['yours', 'c', 'd']);
    expect(store.holding(MINE.address).bytes).toBeLessThanOrEqual(40_000);
  });

  it('of all bytes, the oldest of all leave', async () => {
    using store = TaskFile.open(path, { bytesTotal: 40_000 });
    await store.write(taskOf('yours', later(-1), noise(30_000)), YOURS);
    for (const [number, id] of ['a', 'b'].entries()) await store.write(taskOf(id, later(number), noise(30_000)), MINE);
    expect(await idsOf(store, ['yours', 'a', 'b'])).toEqual(['a', 'b']);
    expect(store.holding().bytes).toBeLessThanOrEqual(40_000);
  });

  it('a task that grows counts by what it is now', async () => {
    using store = TaskFile.open(path, { bytesPerAddress: 40_000 });
    await store.write(taskOf('a', START, noise(30_000)), MINE);
    await store.write(taskOf('b', later(1)), MINE);
    expect(await idsOf(store, ['a', 'b'])).toEqual(['a', 'b']);
    await store.write(taskOf('b', later(2), noise(60_000)), MINE);
    expect(await idsOf(store, ['a', 'b'])).toEqual(['b']);
    await store.write(taskOf('b', later(3)), MINE);
    expect(store.holding()).toEqual(store.holding(MINE.address));
    expect(store.holding().bytes).toBeLessThan(1_000);
  });

  it('a task that is larger than the bound by itself is not kept', async () => {
    using store = TaskFile.open(path, { bytesPerAddress: 10_000 });
    await store.write(taskOf('a', START, noise(60_000)), MINE);
    expect(await idsOf(store, ['a'])).toEqual([]);
    expect(store.holding()).toEqual({ tasks: 0, bytes: 0 });
  });
});

describe('what SQLite refuses', () => {
  it('is thrown where another program holds the file, and soon', async () => {
    using store = TaskFile.open(path);
    const other = new SQLite(path);
    other.exec('BEGIN EXCLUSIVE');
    await expect(store.write(taskOf('a'), MINE)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    other.exec('ROLLBACK');
    other.close();
    await store.write(taskOf('a'), MINE);
    expect(await idsOf(store, ['a'])).toEqual(['a']);
  });

  it('is thrown where the file may not grow any more, and what it holds stays readable', async () => {
    using store = TaskFile.open(path, { bytesTotal: 1_000_000 });
    await store.write(taskOf('a'), MINE);
    await expect(store.write(taskOf('b', START, noise(6_000_000)), MINE)).rejects.toMatchObject({
      code: 'SQLITE_FULL',
    });
    expect(await idsOf(store, ['a', 'b'])).toEqual(['a']);
    expect(store.holding().tasks).toBe(1);
  });
});
