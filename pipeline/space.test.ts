import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfTest } from '../test/support/folders.ts';
import { inTemporaryDirectory } from './publish/commit.ts';
import { assertSpace, freeBytes, withSpace, withSpaceTaken } from './space.ts';

const root = folderOfTest();
const free = async (directory: string): Promise<number> => (directory === '/data' ? 5_000_000 : 1_999_999);

test('a stage that needs more than is free is refused before it begins, with need and free bytes', async () => {
  await assertSpace('publish', { directory: '/data', needed: 5_000_000 }, free);
  await expect(assertSpace('publish', { directory: '/snapshots', needed: 30_500_000 }, free)).rejects.toThrow(
    'publish needs about 31 MB in /snapshots, which has 2 MB free; free space or choose another directory, and run again: what was stored before is kept',
  );
});

test('a full disk is told with the directories, whoever noticed it', async () => {
  const node = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const duckdb = new Error('IO Error: Could not write file "/data/work/pipeline.duckdb": No space left on device');
  for (const error of [node, duckdb, new Error('cannot write page.gz', { cause: node })]) {
    expect(await withSpace(error, ['/data', '/snapshots'], free)).toMatchObject({
      name: 'NoSpace',
      message:
        'a disk is full: /data has 5 MB free, /snapshots has 2 MB free; free space and run again: what was stored before is kept',
      cause: error,
    });
  }
  const other = new Error('something else');
  expect(await withSpace(other, ['/data'], free)).toBe(other);
});

test('work that is removed after a fault tells what it had written, since the disk then looks free', async () => {
  const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const taken = { stage: 'publish', directory: '/snapshots', written: async () => 2_900_000 };
  expect(await withSpaceTaken(cause, taken, async () => 4_000)).toMatchObject({
    name: 'NoSpace',
    message:
      'publish filled the disk of /snapshots: 4 kB were left after 3 MB, which are removed again; it needs more than 3 MB there; free space or choose another directory, and run again: what was stored before is kept',
    cause,
  });
  const other = new Error('something else');
  expect(await withSpaceTaken(other, taken)).toBe(other);
});

test('a publish on a full disk says so before its folder is removed, and leaves nothing', async () => {
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  const publishing = inTemporaryDirectory(root.path, async (dir) => {
    await writeFile(join(dir, 'trials.parquet'), 'x'.repeat(5000));
    throw full;
  });
  await expect(publishing).rejects.toThrow(
    /^publish filled the disk of .* were left after 5 kB, which are removed again/,
  );
  expect(await readdir(root.path)).toEqual([]);
});

test('free bytes are those of the directory', async () => {
  expect(await freeBytes('/')).toBeGreaterThan(0);
  expect(await freeBytes('/not/made/yet')).toBeGreaterThan(0);
});
