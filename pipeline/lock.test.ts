import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { quietEffects } from '../test/builders/working-database.ts';
import { faultLibrary, withFault } from '../test/support/faults/fs-faults.ts';
import { folderOfTest } from '../test/support/folders.ts';
import { COMPILE_CACHE } from '../test/support/runner/compile-cache.ts';
import { until } from '../test/support/until.ts';
import { DATA_LOCK, PipelineLocked, SNAPSHOTS_LOCK, type WrittenDirectories, withPipelineLock } from './lock.ts';

const HOLDER = fileURLToPath(new URL('../test/support/faults/lock-process.ts', import.meta.url));

/** A namespace of processes and of names, as a container has. */
const UNSHARE = 'unshare --pid --uts --fork --kill-child --mount-proc sh -c'
  .split(' ')
  .concat('hostname inner; exec "$@"', 'sh');
const canUnshare = spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), 'true']).status === 0;

const root = folderOfTest();
const directoriesOf = (root: string) => ({ dataDir: join(root, 'data'), snapshotsDir: join(root, 'snapshots') });
const run = <T>(directories: WrittenDirectories, work: () => Promise<T>) =>
  withPipelineLock(directories, work, quietEffects());
const tryRun = (directories: WrittenDirectories) => run(directories, async () => 'ran');

/** Another process that holds both locks of the root, started by the words of `within`. */
async function startHolder(
  root: string,
  within: readonly string[] = [],
  more: Record<string, string> = {},
): Promise<ChildProcess> {
  const { dataDir, snapshotsDir } = directoriesOf(root);
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, ...more };
  const words = [...within, process.execPath, HOLDER, dataDir, snapshotsDir];
  const child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'pipe', 'inherit'], env });
  await once(child.stdout!, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

test('the lock names its owner while work runs, and is free afterwards, also when work fails', async () => {
  const directories = directoriesOf(root.path);
  const paths = [join(directories.dataDir, DATA_LOCK), join(directories.snapshotsDir, SNAPSHOTS_LOCK)];
  const held = await run(directories, () => Promise.all(paths.map((path) => readFile(path, 'utf8'))));
  for (const text of held) {
    expect(text).toBe(`process ${process.pid} of ${hostname()}, since 2026-11-21T03:15:00.500Z\n`);
  }
  await expect(run(directories, () => Promise.reject(new Error('work failed')))).rejects.toThrow('work failed');
  expect(await tryRun(directories)).toBe('ran');
  expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['', '']);
});

test('a second run is refused while the first is under way in this process, by either directory', async () => {
  const { dataDir, snapshotsDir } = directoriesOf(root.path);
  const other = join(root.path, 'other');
  await run({ dataDir, snapshotsDir }, async () => {
    await expect(tryRun({ dataDir })).rejects.toThrow(PipelineLocked);
    await expect(tryRun({ snapshotsDir })).rejects.toThrow(PipelineLocked);
    await expect(tryRun({ dataDir: other, snapshotsDir })).rejects.toThrow(
      `holds ${join(snapshotsDir, SNAPSHOTS_LOCK)} (process ${process.pid} of ${hostname()}, since`,
    );
    // The refused run has let go of the lock that it had taken first.
    expect(await tryRun({ dataDir: other })).toBe('ran');
  });
  expect(await tryRun({ dataDir, snapshotsDir })).toBe('ran');
});

test('a lock that another process holds is respected whatever its text says, and free once that is killed', async () => {
  const directories = directoriesOf(root.path);
  const holder = await startHolder(root.path);
  const path = join(directories.dataDir, DATA_LOCK);
  await expect(tryRun(directories)).rejects.toThrow(
    `another pipeline run holds ${path} (process ${holder.pid} of ${hostname()}, since 2026-11-21T03:15:00.500Z). Wait for it to end`,
  );
  await writeFile(path, '');
  await expect(tryRun(directories)).rejects.toThrow(`another pipeline run holds ${path}. Wait`);
  await writeFile(path, 'some text');
  await expect(tryRun(directories)).rejects.toThrow(`another pipeline run holds ${path} (some text). Wait`);
  await killed(holder);
  expect(await tryRun(directories)).toBe('ran');
});

test('a killed run leaves its name, which is told and blocks nobody, also where its number is that of a living process', async () => {
  const { dataDir } = directoriesOf(root.path);
  const path = join(dataDir, DATA_LOCK);
  const notices: string[] = [];
  const effects = { ...quietEffects(), notice: (text: string) => void notices.push(text) };
  await mkdir(dirname(path), { recursive: true });
  const left = `process ${process.ppid} of here, since 2026-11-20T00:00:00.000Z`;
  await writeFile(path, `${left}\n`);
  for (let runs = 0; runs < 2; runs++)
    expect(await withPipelineLock({ dataDir }, async () => 'ran', effects)).toBe('ran');
  expect(notices).toEqual([
    `the last run (${left}) was cut off by a kill or a power cut; its lock ${path} is free, and this run goes on from what it stored`,
  ]);
});

test.runIf(canUnshare)('a run in another container of the machine is respected, and named as one', async () => {
  const directories = directoriesOf(root.path);
  const holder = await startHolder(root.path, UNSHARE);
  await expect(tryRun(directories)).rejects.toThrow(/^another pipeline run holds .* \(process \d+ of inner, since/);
  await killed(holder);
  await until(async () => (await tryRun(directories).catch(() => null)) === 'ran');
});

test('a full disk, which gc is to empty, keeps nobody from the lock', async (context) => {
  const library = faultLibrary(root.path);
  if (library === null) return context.skip();
  const directories = directoriesOf(root.path);
  const path = join(directories.snapshotsDir, SNAPSHOTS_LOCK);
  // The file is emptied first, and then the name written.
  const fault = withFault(library, { under: path, at: 2, kind: 'ENOSPC' }, join(root.path, 'count'));
  const holder = await startHolder(root.path, [], fault);
  await expect(tryRun({ snapshotsDir: directories.snapshotsDir })).rejects.toThrow(
    `another pipeline run holds ${path}. Wait`,
  );
  await killed(holder);
});
