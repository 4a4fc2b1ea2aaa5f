import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { RUN_LOG_FILE, readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { renderRuns } from '../cli/render.ts';
import type { Stop } from '../effects.ts';
import { SNAPSHOTS_LOCK, withPipelineLock } from '../lock.ts';
import { RunRecord, runsHere } from './run-record.ts';

const folder = folderOfTest();
let directory: string;
let now: Date;
const effects = { ...quietEffects(), now: () => new Date(now) };
beforeEach(() => {
  directory = folder.path;
  now = new Date('2026-11-01T03:00:00.000Z');
});

const begin = (words: string[] = []): Promise<RunRecord> =>
  RunRecord.begin(directory, { command: 'run', arguments: words, version: '0.1.0', commit: null }, effects);
function later(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}

it('a run that failed is kept with its stages, code and message, and paths by their last part', async () => {
  const record = await begin(['--source', 'dump', '--ctgov', '/home/operator/dump.ndjson']);
  await record.stage('fetch', async () => later(60));
  await record.stage('normalise', async () => later(5)).catch(() => undefined);
  await record.end({ code: 'REFUSED', exitCode: 4, message: 'not published' }, {});
  const [row] = await readRunLog(directory);
  const stages = [
    { stage: 'fetch', seconds: 60 },
    { stage: 'normalise', seconds: 5 },
  ];
  expect(row).toMatchObject({
    run: expect.stringMatching(/^20261101T030000Z-[0-9a-f]{6}$/),
    at: '2026-11-01T03:00:00.000Z',
    command: 'run',
    arguments: ['--source', 'dump', '--ctgov', 'dump.ndjson'],
    state: 'ended',
    program: { version: '0.1.0', node: process.version, duckdb: expect.stringMatching(/^v1\./) },
    end: { at: '2026-11-01T03:01:05.000Z', code: 'REFUSED', stages, published: null },
  });
  expect(renderRuns([row!])).toBe(
    '2026-11-01T03:00:00.000Z  run --source dump --ctgov dump.ndjson\n  REFUSED, exit 4; fetch 60.0 s, normalise 5.0 s\n  not published\n  next: Each breach tells what to do, or names records to look at. If they are wrong, mend the source and run again. If they are right, run again with the `--accept` that the message ends with.',
  );
});

it('a run without an end was killed where another has begun since, and is open where none has', async () => {
  const first = await begin();
  await first.stage('fetch', async () => later(60));
  let killed = (): void => {};
  void first.stage('normalise', () => new Promise((resolve) => (killed = () => resolve(null))));
  later(86_400);
  expect((await readRunLog(directory)).map(({ state }) => state)).toEqual(['open']);
  await begin();
  const runs = await readRunLog(directory);
  expect(runs.map(({ state, stage }) => `${state} ${stage}`)).toEqual(['open null', 'killed normalise']);
  expect(renderRuns(runs)).toContain('\n  killed in normalise; run it again: what was stored is kept');
  killed();
});

it('a run without an end is under way while a run holds the lock, and else was killed; never both', async () => {
  const record = await begin();
  await record.stage('fetch', async () => {
    await withPipelineLock(
      { snapshotsDir: directory },
      async () => expect(renderRuns(await runsHere(directory))).toMatch(/\n {2}under way in fetch$/),
      effects,
    );
    expect(renderRuns(await runsHere(directory))).toMatch(/\n {2}killed in fetch; run it again/);
    // As a kill leaves it: the file names an owner who holds nothing.
    await writeFile(
      join(directory, SNAPSHOTS_LOCK),
      JSON.stringify({ pid: 1, host: 'here', startedAt: '2026-11-01T03:00:00.000Z' }),
    );
    expect(renderRuns(await runsHere(directory))).toMatch(/\n {2}killed in fetch; run it again/);
  });
});

it('a run that the operator stops is recorded with the signal, its stages, what is kept and how to go on', async () => {
  let stop: ((stop: Stop) => string) | undefined;
  const onStop = (tell: (stop: Stop) => string): void => {
    stop = tell;
  };
  const what = { command: 'run', arguments: [], version: '0.1.0', commit: null };
  const record = await RunRecord.begin(directory, what, { ...effects, onStop });
  await record.stage('fetch', async () => later(60));
  await record.stage('normalise', async () => later(30));
  await record.stage('dedup', async () => {
    later(2);
    const message = stop!({ signal: 'SIGTERM', exitCode: 143, goOn: 'npm run pipeline -- run' });
    expect(message).toBe(
      'stopped by SIGTERM in the stage dedup; kept: the raw sets and pages that were stored and what fetch, normalise left. What is served is whole. To go on: npm run pipeline -- run',
    );
    const [row] = await readRunLog(directory);
    expect(row!.end).toMatchObject({ code: 'STOPPED', exitCode: 143, message });
    const took = row!.end!.stages.map(({ stage, seconds }) => `${stage} ${seconds}`);
    expect(took).toEqual(['fetch 60', 'normalise 30', 'dedup 2']);
  });
});

it('a command that was turned away is recorded, and ends no run that is under way', async () => {
  await begin();
  const what = { command: 'publish', arguments: ['--source', 'moon'], version: '0.1.0', commit: null };
  const outcome = { code: 'LOCKED', exitCode: 1, message: 'another run' };
  await RunRecord.turnedAway(directory, what, outcome, effects);
  const runs = await readRunLog(directory);
  expect(runs.map(({ command, state, end }) => [command, state, end?.code])).toEqual([
    ['publish', 'turned-away', 'LOCKED'],
    ['run', 'open', undefined],
  ]);
  expect(renderRuns(runs)).toContain('publish --source moon\n  LOCKED, exit 1; no stage began\n  another run');
});

it('a line that a kill cut is left out, and does not spoil the next one', async () => {
  const record = await begin();
  await appendFile(join(directory, RUN_LOG_FILE), '\n{"event":"end","run":"2026');
  await record.end({ code: 'FAILED', exitCode: 1, message: 'x' }, {});
  expect((await readRunLog(directory)).map(({ end }) => end?.code)).toEqual(['FAILED']);
  expect(await readRunLog(join(directory, 'absent'))).toEqual([]);
});

it('a log that has grown large keeps its newest lines', async () => {
  const filler = JSON.stringify({ event: 'other', text: 'x'.repeat(2000) });
  await writeFile(join(directory, RUN_LOG_FILE), `${filler}\n`.repeat(4500));
  await begin();
  const lines = (await readFile(join(directory, RUN_LOG_FILE), 'utf8')).split('\n');
  expect(lines.length).toBe(3501);
  expect(await readRunLog(directory)).toHaveLength(1);
});
