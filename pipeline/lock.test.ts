import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quietEffects, temporaryDirectory } from '../test/builders/working-database.ts';
import { PipelineLocked, withPipelineLock } from './lock.ts';

const owner = (pid: number) => `${JSON.stringify({ pid, startedAt: '2026-11-21T00:00:00.000Z' })}\n`;

test('the lock names its owner while work runs and is gone afterwards, also when work fails', async () => {
  await using root = await temporaryDirectory();
  const path = join(root.path, 'work', 'pipeline.lock');
  const held = await withPipelineLock(root.path, () => readFile(path, 'utf8'), quietEffects());
  expect(JSON.parse(held)).toEqual({ pid: process.pid, startedAt: '2026-11-21T03:15:00.500Z' });
  const fails = withPipelineLock(root.path, () => Promise.reject(new Error('work failed')), quietEffects());
  await expect(fails).rejects.toThrow('work failed');
  expect(await readdir(join(root.path, 'work'))).toEqual([]);
});

test('a second run is refused while the first is under way, in this process', async () => {
  await using root = await temporaryDirectory();
  await withPipelineLock(
    root.path,
    async () => {
      await expect(withPipelineLock(root.path, async () => 1, quietEffects())).rejects.toThrow(PipelineLocked);
    },
    quietEffects(),
  );
  expect(await withPipelineLock(root.path, async () => 'free again', quietEffects())).toBe('free again');
});

test('a lock of a living process is respected and left in place', async () => {
  await using root = await temporaryDirectory();
  await mkdir(join(root.path, 'work'));
  await writeFile(join(root.path, 'work', 'pipeline.lock'), owner(process.ppid));
  await expect(withPipelineLock(root.path, async () => 1, quietEffects())).rejects.toThrow(
    `another pipeline run (process ${process.ppid}, since 2026-11-21T00:00:00.000Z) holds`,
  );
  expect(await readdir(join(root.path, 'work'))).toEqual(['pipeline.lock']);
});

test('a lock is taken over when its process is gone, or had the id that this process has now', async () => {
  const gone = spawnSync(process.execPath, ['-e', '0']).pid;
  for (const pid of [gone, process.pid]) {
    await using root = await temporaryDirectory();
    await mkdir(join(root.path, 'work'));
    await writeFile(join(root.path, 'work', 'pipeline.lock'), owner(pid));
    expect(await withPipelineLock(root.path, async () => 'ran', quietEffects())).toBe('ran');
    expect(await readdir(join(root.path, 'work'))).toEqual([]);
  }
});

test('a lock that names nobody is not guessed at', async () => {
  await using root = await temporaryDirectory();
  await mkdir(join(root.path, 'work'));
  await writeFile(join(root.path, 'work', 'pipeline.lock'), '');
  await expect(withPipelineLock(root.path, async () => 1, quietEffects())).rejects.toThrow('names no owner; remove it');
});
