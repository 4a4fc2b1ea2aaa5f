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

/** What the system says of itself, read as a person would; null where it has no /proc. */
const shell = (command: string): string | null => {
  const { status, stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};
const system = {
  bootId: () => shell('cat /proc/sys/kernel/random/boot_id'),
  pidNamespace: () => shell(`readlink /proc/${process.pid}/ns/pid`),
  start: (pid: number) => shell(`sed 's/.*) //' /proc/${pid}/stat | cut -d' ' -f20`),
};

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
    expect(JSON.parse(text)).toEqual({
      ...{ pid: process.pid, host: hostname(), startedAt: '2026-11-21T03:15:00.500Z' },
      ...{ bootId: system.bootId(), pidNamespace: system.pidNamespace(), processStart: system.start(process.pid) },
    });
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
      `process ${process.pid} of this machine holds ${join(snapshotsDir, SNAPSHOTS_LOCK)} since`,
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
    `process ${holder.pid} of this machine holds ${path} since 2026-11-21T03:15:00.500Z: another pipeline run. Wait for it to end, or end it with \`kill ${holder.pid}\``,
  );
  const own = JSON.parse(await readFile(path, 'utf8')) as object;
  const says = async (change: object): Promise<string> => {
    await writeFile(path, JSON.stringify({ ...own, ...change }));
    return tryRun(directories).then(
      () => 'ran',
      (error: Error) => error.message,
    );
  };
  expect(await says({ bootId: 'another', host: 'elsewhere' })).toMatch(
    /^a pipeline run on another machine \(elsewhere/,
  );
  expect(await says({ pidNamespace: 'pid:[1]' })).toMatch(/^a pipeline run in another container of this machine/);
  // The number has come to another process.
  expect(await says({ pid: process.ppid })).toMatch(/^another process holds .* still names a run that has ended/);
  for (const text of ['', 'no JSON', '{"pid":1}']) {
    await writeFile(path, text);
    await expect(tryRun(directories)).rejects.toThrow(`holds ${path} and has not written who it is yet`);
  }
  await killed(holder);
  expect(await tryRun(directories)).toBe('ran');
});

test('a killed run leaves its name, which is told and blocks nobody, also where its number is that of a living process', async () => {
  const { dataDir } = directoriesOf(root.path);
  const path = join(dataDir, DATA_LOCK);
  const notices: string[] = [];
  const effects = { ...quietEffects(), notice: (text: string) => void notices.push(text) };
  const runTold = (text: object) =>
    mkdir(dirname(path), { recursive: true })
      .then(() => writeFile(path, JSON.stringify(text)))
      .then(() => withPipelineLock({ dataDir }, async () => 'ran', effects));
  const left = { pid: process.ppid, host: 'here', startedAt: '2026-11-20T00:00:00.000Z' };
  expect(await runTold({ ...left, bootId: system.bootId() })).toBe('ran');
  expect(await runTold({ ...left, bootId: 'of another day' })).toBe('ran');
  expect(await runTold(left)).toBe('ran');
  expect(await withPipelineLock({ dataDir }, async () => 'ran', effects)).toBe('ran');
  const told = (why: string) =>
    `the last run (process ${process.ppid} of here, since 2026-11-20T00:00:00.000Z) was cut off ${why}by a kill or a power cut; its lock ${path} is free, and this run goes on from what it stored`;
  expect(notices).toEqual([told(''), told('before this machine started, '), told('')]);
});

test.runIf(canUnshare)('a run in another container of the machine is respected, and named as one', async () => {
  const directories = directoriesOf(root.path);
  const holder = await startHolder(root.path, UNSHARE);
  await expect(tryRun(directories)).rejects.toThrow(
    /^a pipeline run in another container of this machine \(inner, its process \d+\) holds .* stop that container/,
  );
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
    `holds ${path} and has not written who it is yet`,
  );
  await killed(holder);
});
