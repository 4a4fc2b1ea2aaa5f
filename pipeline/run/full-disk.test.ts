import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Config, loadConfig } from '../../server-kit/config/config.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log-reader.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { faultLibrary, withFault } from '../../test/support/faults/fs-faults.ts';
import { nct, study } from '../../test/support/live-records.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { COMPILE_CACHE } from '../../test/support/runner/compile-cache.ts';
import { ROOT } from '../../test/support/tree.ts';
import { outcomeOfFailure } from '../cli/outcome.ts';
import { recordedRun } from '../cli/recorded-run.ts';

/** A full disk, found before a stage begins where its need is known, and by the write that fails elsewhere. */

let root: string;
let dump: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-full-'));
  dump = join(root, 'dump.ndjson');
  const lines = Array.from({ length: 40 }, (_, index) => `${JSON.stringify(study({ nctId: nct(index) }))}\n`);
  await writeFile(dump, lines.join('').padEnd(400_000, '\n'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const environmentOf = (folder: string) => ({
  DATA_DIR: join(root, folder, 'data'),
  SNAPSHOTS_DIR: join(root, folder, 'snapshots'),
  FEEDS_FILE: NO_FEEDS,
});

/** Runs with these bytes free in the data directory, as fetch and then normalise ask, and in that of the snapshots. */
async function runWith(folder: string, free: { data: number[]; snapshots: number }) {
  const config: Config = loadConfig(environmentOf(folder), root);
  const freeBytes = async (directory: string) => (directory === config.dataDir ? free.data.shift()! : free.snapshots);
  const options = { source: 'dump', mode: 'auto', dumps: { clinicaltrials_gov: dump }, accept: [] } as const;
  const effects = { ...quietEffects(), freeBytes };
  const running = recordedRun({ ...options, accept: [] }, { command: 'run', words: [] }, config, effects);
  const { code, message } = outcomeOfFailure(await running.catch((error: unknown) => error));
  return { code, message, stages: (await readRunLog(config.snapshotsDir))[0]!.end!.stages.map(({ stage }) => stage) };
}

it('is told before a dump is imported, with the directory, what is needed and what is free', async () => {
  expect(await runWith('fetch', { data: [90_000], snapshots: 1e9 })).toEqual({
    code: 'NO_SPACE',
    message: `fetch needs about 100 kB in ${join(root, 'fetch', 'data')}, which has 90 kB free; free space or choose another directory, and run again: what was stored before is kept`,
    stages: ['fetch'],
  });
  expect(await readdir(join(root, 'fetch', 'data', 'raw', 'clinicaltrials_gov'))).toEqual(['attempts.json']);
});

it('is told before records are read, and before a first snapshot is written, by their number', async () => {
  const normalise = await runWith('later', { data: [1e9, 80_000], snapshots: 1e9 });
  expect(normalise).toMatchObject({
    code: 'NO_SPACE',
    message: expect.stringMatching(/^normalise needs about 9\d kB in .*data, which has 80 kB free;/),
    stages: ['fetch', 'normalise'],
  });
  const publish = await runWith('later', { data: [1e9, 1e9], snapshots: 200_000 });
  expect(publish).toMatchObject({
    code: 'NO_SPACE',
    message: expect.stringMatching(/^publish needs about 207 kB in .*snapshots, which has 200 kB free;/),
    stages: ['fetch', 'normalise', 'dedup', 'signals', 'publish'],
  });
});

const directory = join(tmpdir(), `trial-board-full-library-${process.pid}`);
await mkdir(directory, { recursive: true });
const library = faultLibrary(directory);
afterAll(() => rm(directory, { recursive: true, force: true }));

it.skipIf(library === null)('is told by the write that fails, with what was written and what was left', async () => {
  const folders = environmentOf('writes');
  const fault = withFault(
    library!,
    { under: join(folders.DATA_DIR, 'raw'), at: 6, kind: 'ENOSPC' },
    join(root, 'count'),
  );
  const words = ['run', '--source', 'dump', '--ctgov', dump, '--json'];
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, ...folders, ...fault };
  const child = spawn(process.execPath, ['pipeline/cli.ts', ...words], { cwd: ROOT, env });
  const [said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(JSON.parse(said)).toMatchObject({
    ...{ code: 'NO_SPACE', exitCode: 1 },
    message: expect.stringMatching(
      /^fetch filled the disk of .*writes\/data: \d+ [kM]B were left after \d+ kB, which are removed again; it needs more than \d+ kB there; free space/,
    ),
  });
  expect(await readdir(join(folders.DATA_DIR, 'raw', 'clinicaltrials_gov'))).toEqual(['attempts.json']);
});
