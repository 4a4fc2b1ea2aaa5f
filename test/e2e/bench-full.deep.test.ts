import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FullResults } from '../../tools/bench/full/rows.ts';
import { folderOfFile } from '../support/folders.ts';
import { startProgram } from '../support/pipeline-process.ts';

const { path: root } = folderOfFile();
const WORDS = ['--percent', '0.05', '--seconds', '1', '--json'];
const SKIPPED = 'board,rivals,verify';

it('the full benchmark measures its rows at a small size, ends what it started, and keeps nothing but the dumps', async () => {
  // The benchmark makes its folders in TMPDIR, so that the test sees what it leaves behind.
  const scratch = join(root, 'scratch');
  const command = ['tools/bench/main.ts', 'full', ...WORDS, '--skip', SKIPPED, '--corpus', join(root, 'corpus')];
  await mkdir(scratch);
  const { out } = await startProgram(command, { TMPDIR: scratch }).ended;
  const results = JSON.parse(out) as FullResults;

  expect(results.failures).toEqual([]);
  const units = Object.fromEntries(results.rows.map(({ what, unit }) => [what, unit]));
  expect(units).toMatchObject({
    fetch: 's',
    'normalise + dedup + publish': 's',
    'largest peak RSS of a stage': 'MB',
    'index start to ready': 'ms',
    'search, mixed, p99 in the server': 'ms',
    'HTTP search, one process': 'a second',
    'raw payloads, 4 connections, p99': 'ms',
    "a day's change, 5 records": 's',
    'diff of two snapshots': 's',
  });
  for (const { what, value } of results.rows) expect(value, what).not.toBeNull();
  expect(results.rows.find(({ what }) => what === 'failed requests')?.value).toBe(0);
  expect(await readdir(scratch)).toEqual([]);
  expect(await readdir(join(root, 'corpus'))).toEqual(['300-15-seed-1']);
});
