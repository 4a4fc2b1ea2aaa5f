import { mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type RunSpec, runLogText } from '../../../test/builders/run-log.ts';
import { folderOfTest } from '../../../test/support/folders.ts';
import { RUN_LOG_FILE, RunLog } from './run-log.ts';

const folder = folderOfTest();
let directory: string;
let path: string;
beforeEach(() => {
  directory = folder.path;
  path = join(directory, RUN_LOG_FILE);
});

const nights = (from: number, to: number): RunSpec[] =>
  Array.from({ length: to - from }, (_, place) => ({ day: from + place, end: {} }));
const days = async (log: RunLog) => (await log.read())?.runs.map(({ at }) => at.slice(0, 10));

it('a folder without a record has none, and one that cannot be read rejects', async () => {
  const log = new RunLog(directory);
  expect(await log.read()).toBeNull();
  await writeFile(path, '');
  expect(await log.read()).toMatchObject({ runs: [], unreadableLines: 0, cut: false });
  await rm(path);
  expect(await log.read()).toBeNull();
  await mkdir(path);
  await expect(log.read()).rejects.toThrow('EISDIR');
});

it('a line cut by a kill is counted and does not spoil the next one', async () => {
  await writeFile(path, `${runLogText([{ day: 0, end: {} }])}\n{"event":"beg${runLogText([{ day: 1, end: {} }])}`);
  const log = new RunLog(directory);
  expect(await days(log)).toEqual(['2026-09-02', '2026-09-01']);
  expect(await log.read()).toMatchObject({ unreadableLines: 1 });
});

it('a file that was replaced or cut short is read anew', async () => {
  const log = new RunLog(directory);
  await writeFile(path, runLogText(nights(0, 4)));
  expect(await days(log)).toHaveLength(4);
  await writeFile(`${path}.tmp`, runLogText(nights(2, 4)));
  await rename(`${path}.tmp`, path);
  expect(await days(log)).toEqual(['2026-09-04', '2026-09-03']);
  await truncate(path, runLogText(nights(2, 3)).length);
  expect(await days(log)).toEqual(['2026-09-03']);
});

it('a huge file is read from its end, in a whole line, and says that older runs are left out', async () => {
  const long = 'x'.repeat(100_000);
  const specs = nights(0, 100).map((spec) => ({ ...spec, end: { message: long } }));
  await writeFile(path, runLogText(specs));
  const { runs, cut, unreadableLines } = (await new RunLog(directory).read())!;
  expect([runs[0]!.at.slice(0, 10), cut, unreadableLines]).toEqual(['2026-12-09', true, 0]);
  expect(runs.length).toBeGreaterThan(75);
  expect(runs.length).toBeLessThan(81);
});
