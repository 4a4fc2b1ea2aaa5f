import { expect, test } from 'vitest';
import { assertSpace, freeBytes, withSpace } from './space.ts';

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

test('free bytes are those of the directory', async () => {
  expect(await freeBytes('/')).toBeGreaterThan(0);
  expect(await freeBytes('/not/made/yet')).toBeGreaterThan(0);
});
