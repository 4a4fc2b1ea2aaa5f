import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { quietEffects, temporaryDirectory } from '../test/builders/working-database.ts';
import { COMPILE_CACHE } from '../test/support/compile-cache.ts';
import { DATA_LOCK, PipelineLocked, SNAPSHOTS_LOCK, type WrittenDirectories, withPipelineLock } from './lock.ts';

const HOLDER = fileURLToPath(new URL('../test/support/lock-process.ts', import.meta.url));

const directoriesOf = (root: string) => ({ dataDir: join(root, 'data'), snapshotsDir: join(root, 'snapshots') });
const run = <T>(directories: WrittenDirectories, work: () => Promise<T>) =>
  withPipelineLock(directories, work, quietEffects());
const tryRun = (directories: WrittenDirectories) => run(directories, async () => 'ran');

/** Another process that holds both locks of the root. */
async function startHolder(root: string): Promise<ChildProcess> {
  const { dataDir, snapshotsDir } = directoriesOf(root);
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE };
  const child = spawn(process.execPath, [HOLDER, dataDir, snapshotsDir], { stdio: ['ignore', 'pipe', 'inherit'], env });
  await once(child.stdout!, 'data');
  return child;
}

test('the lock names its owner while work runs, and is free afterwards, also when work fails', async () => {
  await using root = await temporaryDirectory();
  const directories = directoriesOf(root.path);
  const paths = [join(directories.dataDir, DATA_LOCK), join(directories.snapshotsDir, SNAPSHOTS_LOCK)];
  const owner = `{"pid":${process.pid},"host":"${hostname()}","startedAt":"2026-11-21T03:15:00.500Z"}\n`;
  const held = await run(directories, () => Promise.all(paths.map((path) => readFile(path, 'utf8'))));
  expect(held).toEqual([owner, owner]);
  await expect(run(directories, () => Promise.reject(new Error('work failed')))).rejects.toThrow('work failed');
  expect(await tryRun(directories)).toBe('ran');
  expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['', '']);
});

test('a second run is refused while the first is under way in this process, by either directory', async () => {
  await using root = await temporaryDirectory();
  const { dataDir, snapshotsDir } = directoriesOf(root.path);
  const other = join(root.path, 'other');
  await run({ dataDir, snapshotsDir }, async () => {
    await expect(tryRun({ dataDir })).rejects.toThrow(PipelineLocked);
    await expect(tryRun({ snapshotsDir })).rejects.toThrow(PipelineLocked);
    await expect(tryRun({ dataDir: other, snapshotsDir })).rejects.toThrow(
      `holds ${join(snapshotsDir, SNAPSHOTS_LOCK)}; wait for it to end`,
    );
    // The refused run has let go of the lock that it had taken first.
    expect(await tryRun({ dataDir: other })).toBe('ran');
  });
  expect(await tryRun({ dataDir, snapshotsDir })).toBe('ran');
});

test('a lock that another process holds is respected whatever its text says, and free once that is killed', async () => {
  await using root = await temporaryDirectory();
  const directories = directoriesOf(root.path);
  const holder = await startHolder(root.path);
  const refused = `another pipeline run (process ${holder.pid} of ${hostname()}, since 2026-11-21T03:15:00.500Z) holds`;
  await expect(tryRun(directories)).rejects.toThrow(refused);
  // A process of another container has a number that means nobody here, or somebody else.
  for (const text of ['{"pid":999999999,"host":"elsewhere","startedAt":"2026-11-21T00:00:00.000Z"}\n', '', 'no JSON']) {
    await writeFile(join(directories.dataDir, DATA_LOCK), text);
    await expect(tryRun(directories)).rejects.toThrow(PipelineLocked);
  }
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  expect(await tryRun(directories)).toBe('ran');
});

test('a text that names a living process which holds nothing blocks nobody', async () => {
  await using root = await temporaryDirectory();
  const directories = directoriesOf(root.path);
  const path = join(directories.dataDir, DATA_LOCK);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `{"pid":${process.ppid},"startedAt":"2026-11-21T00:00:00.000Z"}\n`);
  expect(await tryRun(directories)).toBe('ran');
});
