import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FullResults } from '../../tools/bench/full/results.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { ROOT } from '../support/tree.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-full-test-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const WORDS = ['--percent', '0.05', '--seconds', '1', '--load-minutes', '0.02', '--json'];
const SKIPPED = 'board,board-scale,rivals,limits,verify';

it('the full benchmark measures its rows at a small size, ends what it started, and keeps nothing but the dumps', async () => {
  // The benchmark makes its folders in TMPDIR, so that the test sees what it leaves behind.
  const scratch = join(root, 'scratch');
  const command = ['tools/bench/main.ts', 'full', ...WORDS, '--skip', SKIPPED, '--corpus', join(root, 'corpus')];
  await mkdir(scratch);
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, TMPDIR: scratch },
    maxBuffer: 10_000_000,
  });
  const results = JSON.parse(stdout) as FullResults;

  expect(results.failures).toEqual([]);
  expect(results.corpus).toMatchObject({ ctgov: 300, isrctn: 15, seed: 1 });
  expect(Object.keys(results.stages)).toEqual(['fetch', 'normalise', 'dedup', 'signals', 'publish']);
  expect(results.day.records).toBe(2);
  const unmeasured = results.targets.filter(({ measured }) => measured === 'left out').map(({ what }) => what);
  expect(unmeasured).toEqual([
    'verify',
    'search, mixed, times faster than PostgreSQL at p50',
    'durable claims over HTTP',
    'feed page, p99 with 1,000,000 events at 1000 offered a second',
    'slowest read of a filled board, p99',
    'slowest search of a filled board, p99',
  ]);
  expect(results.load).toMatchObject({ load: { failed: 0 } });
  // The rates of a one-second load depend on the machine. A test beside the load's code checks that its reads are of
  // six kinds.
  expect(results.load?.swaps).toBeGreaterThanOrEqual(1);
  expect(results.load?.load.kinds).toHaveProperty('search');
  expect(await readdir(scratch)).toEqual([]);
  expect(await readdir(join(root, 'corpus'))).toEqual(['300-15-seed-1']);
});
