import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RUN_LOG_FILE } from '../../snapshot/format/versions/run-log.ts';
import { runLogText } from '../../test/builders/run-log.ts';
import { temporaryDirectory } from '../../test/builders/working-database.ts';
import { lastTimes } from './checkup.ts';

test('the times of a live run are told, never those of a dump or the sample, which ask nobody', async () => {
  await using root = await temporaryDirectory();
  const published = { version: 'v', bytes: 7, checks: {} };
  const end = (fetch: number) => ({
    published,
    stages: [
      { stage: 'fetch', seconds: fetch },
      { stage: 'publish', seconds: 2 },
    ],
  });
  const log = runLogText([
    { day: 0, end: end(100) },
    { day: 1, begin: { arguments: ['--source', 'dump', '--ctgov', 'a'] }, end: end(20) },
    { day: 2, begin: { arguments: ['--source=sample'] }, end: end(3) },
  ]);
  await writeFile(join(root.path, RUN_LOG_FILE), log);
  expect(await lastTimes(root.path)).toEqual({ run: '20260901T030000Z-000000', fetchSeconds: 100, stageSeconds: 2 });
});
