import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { RUN_LOG_FILE, readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { renderRuns } from '../cli/reports.ts';
import type { Effects, Stop } from '../effects.ts';
import { SNAPSHOTS_LOCK, withPipelineLock } from '../lock.ts';
import { SourceFault } from '../raw/fetch-log.ts';
import { type Ended, recorded, runsHere, type TimeStage } from './run-record.ts';

const folder = folderOfTest();
let directory: string;
let now: Date;
const effects = { ...quietEffects(), now: () => new Date(now) };
beforeEach(() => {
  directory = folder.path;
  now = new Date('2026-11-01T03:00:00.000Z');
});

const DONE: Ended = { code: 'DONE', exitCode: 0, message: null };
type Work = (timed: TimeStage) => Promise<unknown>;

function record(work: Work, words: string[] = [], more: Partial<Effects> = {}): Promise<unknown> {
  const config = { snapshotsDir: directory, codeCommit: null };
  return recorded({ command: 'run', words }, config, { ...effects, ...more }, work, () => DONE);
}
function later(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}

/** A run that is in the given stage, until it is let go. */
async function inStage(stage: string): Promise<() => void> {
  let letGo = (): void => {};
  await new Promise<void>((begun) => {
    const work = () =>
      new Promise<void>((done) => {
        letGo = done;
        begun();
      });
    void record((timed) => timed(stage, work));
  });
  return letGo;
}

it('a run that failed is kept with its stages, code and message, and paths by their last part', async () => {
  const failing = record(
    async (timed) => {
      await timed('fetch', async () => later(60));
      await timed('normalise', async () => {
        later(5);
        throw new SourceFault('isrctn', 'unreachable', 'it does not answer');
      });
    },
    ['--source', 'dump', '--ctgov', '/home/operator/dump.ndjson'],
  );
  await expect(failing).rejects.toThrow('it does not answer');
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
    end: { at: '2026-11-01T03:01:05.000Z', code: 'SOURCE_FAILED', stages, published: null },
  });
  expect(renderRuns([row!])).toBe(
    [
      'run       2026-11-01T03:00:00.000Z  run --source dump --ctgov dump.ndjson',
      '          SOURCE_FAILED, exit 1; fetch 60.0 s, normalise 5.0 s',
      '          it does not answer',
      'next      Mend the file or the path that the message names: a run with the same dump fails again. What was stored is kept.',
    ].join('\n'),
  );
});

it('a run without an end was killed where another has begun since, and is open where none has', async () => {
  const letGo = await inStage('normalise');
  later(86_400);
  expect((await readRunLog(directory)).map(({ state }) => state)).toEqual(['open']);
  await record(async () => {
    const runs = await readRunLog(directory);
    expect(runs.map(({ state, stage }) => `${state} ${stage}`)).toEqual(['open null', 'killed normalise']);
    expect(renderRuns(runs)).toContain('\n          killed in normalise; run it again: what was stored is kept');
  });
  letGo();
});

it('a run without an end is under way while a run holds the lock, and else was killed; never both', async () => {
  const letGo = await inStage('dedup');
  const shown = async () => renderRuns(await runsHere(directory));
  await withPipelineLock(
    { snapshotsDir: directory },
    async () => expect(await shown()).toMatch(/\n {10}under way in dedup$/),
    effects,
  );
  expect(await shown()).toMatch(/\n {10}killed in dedup; run it again/);
  // As a kill leaves it: the file names an owner who holds nothing.
  await writeFile(join(directory, SNAPSHOTS_LOCK), 'process 1 of here, since 2026-11-01T03:00:00.000Z');
  expect(await shown()).toMatch(/\n {10}killed in dedup; run it again/);
  letGo();
});

it('a run that the operator stops is recorded with the signal, its stages, what is kept and how to go on', async () => {
  let stop: ((stop: Stop) => string) | undefined;
  const onStop = (tell: (stop: Stop) => string): void => {
    stop = tell;
  };
  const work: Work = async (timed) => {
    await timed('fetch', async () => later(60));
    await timed('normalise', async () => later(30));
    await timed('dedup', async () => {
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
  };
  await record(work, [], { onStop });
});

it('a line that a kill cut is left out, and does not spoil the next one', async () => {
  await record(() => appendFile(join(directory, RUN_LOG_FILE), '\n{"event":"end","run":"2026'));
  expect((await readRunLog(directory)).map(({ end }) => end?.code)).toEqual(['DONE']);
  expect(await readRunLog(join(directory, 'absent'))).toEqual([]);
});

it('a log that has grown large keeps its newest lines', async () => {
  const filler = JSON.stringify({ event: 'other', text: 'x'.repeat(2000) });
  await writeFile(join(directory, RUN_LOG_FILE), `${filler}\n`.repeat(4500));
  await record(async () => {
    const lines = (await readFile(join(directory, RUN_LOG_FILE), 'utf8')).split('\n');
    expect(lines.length).toBe(3501);
  });
  expect(await readRunLog(directory)).toHaveLength(1);
});
