import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { configIn, someStudies } from '../../test/support/dump-runs.ts';
import { faultLibrary, withFault } from '../../test/support/faults/fs-faults.ts';
import { folderOfFile } from '../../test/support/folders.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { startPipeline } from '../../test/support/pipeline-process.ts';
import { outcomeOfFailure } from './outcome.ts';
import { run } from './run.ts';

/** A full disk, found before a stage begins where its need is known, and by the write that fails elsewhere. */

const { path: root } = folderOfFile();
const dump = join(root, 'dump.ndjson');
beforeAll(async () => {
  const lines = someStudies(40).map((one) => `${JSON.stringify(one)}\n`);
  await writeFile(dump, lines.join('').padEnd(400_000, '\n'));
});

/** Runs with these bytes free in the data directory, as fetch and then normalise ask, and in that of the snapshots. */
async function runWith(folder: string, free: { data: number[]; snapshots: number }) {
  const config = configIn(join(root, folder));
  const freeBytes = async (directory: string) => (directory === config.dataDir ? free.data.shift()! : free.snapshots);
  const options = { source: 'dump', mode: 'auto', dumps: { clinicaltrials_gov: dump }, accept: [] } as const;
  const effects = { ...quietEffects(), freeBytes };
  const running = run({ ...options, accept: [] }, config, effects);
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

it('is told by the write that fails, with what was written and what was left', async ({ skip }) => {
  const library = faultLibrary(root);
  if (library === null) return skip();
  const folders = { DATA_DIR: join(root, 'writes', 'data'), SNAPSHOTS_DIR: join(root, 'writes', 'snapshots') };
  const under = join(folders.DATA_DIR, 'raw');
  const fault = withFault(library, { under, at: 12, kind: 'ENOSPC' }, join(root, 'count'));
  const words = ['run', '--source', 'dump', '--ctgov', dump, '--json'];
  const { out } = await startPipeline(words, { ...folders, FEEDS_FILE: NO_FEEDS, ...fault }).ended;
  expect(JSON.parse(out)).toMatchObject({
    ...{ code: 'NO_SPACE', exitCode: 1 },
    message: expect.stringMatching(
      /^fetch filled the disk of .*writes\/data: \d+ [kM]B were left after \d+ kB, which are removed again; it needs more than \d+ kB there; free space/,
    ),
  });
  expect(await readdir(join(under, 'clinicaltrials_gov'))).toEqual(['attempts.json']);
});
