import { appendFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { type RunSpec, runLogText } from '../../../test/builders/run-log.ts';
import { folderOfTest } from '../../../test/support/folders.ts';
import { RUN_LOG_FILE } from './run-log.ts';
import { RunLog } from './run-log-reader.ts';

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

it('reading on gives what reading the whole file gives, wherever the file ended before', async () => {
  const line = fc.constantFrom('\n', '\n{}', '\n{"event":"begin"', ...nights(0, 3).map((spec) => runLogText([spec])));
  // A cut may fall in the middle of a character of two bytes.
  const wide = fc.constant(runLogText([{ day: 6, end: { message: 'Ære være' } }]));
  const open = fc.integer({ min: 0, max: 5 }).map((day) => runLogText([{ day, end: null }]));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(line, open, wide), { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 4 }),
      async (lines, cuts) => {
        const bytes = Buffer.from(lines.join(''));
        const log = new RunLog(directory);
        await writeFile(path, '');
        let written = 0;
        for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
          await appendFile(path, bytes.subarray(written, end));
          written = end;
          await log.read();
        }
        expect(await log.read()).toEqual(await new RunLog(directory).read());
      },
    ),
    { numRuns: 60 },
  );
});
