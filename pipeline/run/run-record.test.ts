import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RUN_LOG_FILE } from '../../snapshot-format/run-log.ts';
import { readRunLog } from '../../snapshot-format/run-log-reader.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { renderRuns } from '../cli/render-runs.ts';
import { RunRecord } from './run-record.ts';

let directory: string;
let now: Date;
const effects = { ...quietEffects(), now: () => new Date(now) };
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trial-board-runs-'));
  now = new Date('2026-11-01T03:00:00.000Z');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const begin = (words: string[] = []): Promise<RunRecord> =>
  RunRecord.begin(directory, { command: 'run', arguments: words, version: '0.1.0' }, effects);
function later(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}

it('a run that failed is kept with its stages, code and message, and paths by their last part', async () => {
  const record = await begin(['--source', 'dump', '--ctgov', '/home/operator/dump.ndjson']);
  await record.stage('fetch', async () => later(60));
  await record.stage('normalise', async () => later(5)).catch(() => undefined);
  await record.end({ code: 'REFUSED', exitCode: 4, message: 'not published' }, {});
  const [row] = await readRunLog(directory);
  expect(row).toMatchObject({
    run: expect.stringMatching(/^20261101T030000Z-[0-9a-f]{6}$/),
    at: '2026-11-01T03:00:00.000Z',
    command: 'run',
    arguments: ['--source', 'dump', '--ctgov', 'dump.ndjson'],
    program: { version: '0.1.0', node: process.version, duckdb: expect.stringMatching(/^v1\./) },
    state: 'ended',
    end: {
      at: '2026-11-01T03:01:05.000Z',
      code: 'REFUSED',
      stages: [
        { stage: 'fetch', seconds: 60 },
        { stage: 'normalise', seconds: 5 },
      ],
      published: null,
    },
  });
  expect(renderRuns([row!])).toBe(
    '2026-11-01T03:00:00.000Z  run --source dump --ctgov dump.ndjson\n  REFUSED, exit 4; fetch 60.0 s, normalise 5.0 s\n  not published',
  );
});

it('a run without an end was killed where another has begun since, and is open where none has', async () => {
  await begin();
  later(86_400);
  expect((await readRunLog(directory)).map(({ state }) => state)).toEqual(['open']);
  await begin();
  expect((await readRunLog(directory)).map(({ state }) => state)).toEqual(['open', 'killed']);
  expect(renderRuns(await readRunLog(directory))).toContain('killed: it told no end');
});

it('a line that a kill cut is left out, and does not spoil the next one', async () => {
  const record = await begin();
  await appendFile(join(directory, RUN_LOG_FILE), '\n{"event":"end","run":"2026');
  await record.end({ code: 'FAILED', exitCode: 1, message: 'x' }, {});
  expect((await readRunLog(directory)).map(({ end }) => end?.code)).toEqual(['FAILED']);
  expect(await readRunLog(join(directory, 'absent'))).toEqual([]);
});

it('a log that has grown large keeps its newest lines', async () => {
  const filler = JSON.stringify({ event: 'other', text: 'x'.repeat(6000) });
  await writeFile(join(directory, RUN_LOG_FILE), `${filler}\n`.repeat(1500));
  await begin();
  const lines = (await readFile(join(directory, RUN_LOG_FILE), 'utf8')).split('\n');
  expect(lines.length).toBe(1001);
  expect(await readRunLog(directory)).toHaveLength(1);
});
