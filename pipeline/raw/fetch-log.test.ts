import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fetchLog } from '../../test/builders/fetch-log.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { testEffects } from '../../test/support/raw-sets.ts';
import {
  type FetchLog,
  lastAttempt,
  rawSetsOf,
  readFetchLog,
  registryDirectory,
  removeOldSets,
  startRun,
  withAttempt,
  writeFetchLog,
} from './fetch-log.ts';

const REGISTRY = 'isrctn' as const;
const folder = folderOfTest();

/** Writes the fetch log of a run that is named by its day in November 2026. */
async function put(
  dataDir: string,
  day: string,
  kind: FetchLog['kind'],
  state: FetchLog['state'],
  base: string | null = null,
): Promise<FetchLog> {
  const log = fetchLog(REGISTRY, `202611${day}T000000Z-${kind}`, {
    kind,
    state,
    source: 'live',
    startedAt: `2026-11-${day}T00:00:00.000Z`,
    finishedAt: null,
    base: base && `202611${base}T000000Z-full`,
  });
  await mkdir(join(registryDirectory(dataDir, REGISTRY), log.run), { recursive: true });
  await writeFetchLog(dataDir, log);
  return log;
}

describe('fetch log store', () => {
  test('gives the newest complete full set and only the complete increments that lie on it', async () => {
    const { path } = folder;
    expect(await rawSetsOf(path, REGISTRY)).toBe(null);
    await put(path, '01', 'full', 'complete');
    await put(path, '02', 'incremental', 'complete', '01');
    const full = await put(path, '03', 'full', 'complete');
    await put(path, '04', 'incremental', 'complete', '01');
    const first = await put(path, '05', 'incremental', 'complete', '03');
    const second = await put(path, '06', 'incremental', 'complete', '03');
    await put(path, '07', 'incremental', 'open', '03');
    await put(path, '08', 'full', 'open');
    expect(await rawSetsOf(path, REGISTRY)).toEqual({ full, increments: [first, second] });
  });

  test('removes old sets and dead runs, never the newest full set, its increments or the run under way', async () => {
    const { path } = folder;
    await put(path, '01', 'full', 'complete');
    await put(path, '02', 'incremental', 'complete', '01');
    await put(path, '03', 'full', 'complete');
    await put(path, '04', 'full', 'open');
    await put(path, '05', 'full', 'complete');
    await put(path, '06', 'incremental', 'complete', '05');
    await put(path, '07', 'full', 'open');
    expect(await removeOldSets(path, REGISTRY, 2)).toEqual([
      '20261101T000000Z-full',
      '20261102T000000Z-incremental',
      '20261104T000000Z-full',
    ]);
    expect(await removeOldSets(path, REGISTRY, 1)).toEqual(['20261103T000000Z-full']);
    expect(await removeOldSets(path, REGISTRY, 1)).toEqual([]);
    expect((await readdir(registryDirectory(path, REGISTRY))).sort()).toEqual([
      '20261105T000000Z-full',
      '20261106T000000Z-incremental',
      '20261107T000000Z-full',
    ]);
    await expect(removeOldSets(path, REGISTRY, 0)).rejects.toThrow('keep must be a whole number from 1, not 0');
  });

  test('names runs so that they sort in the order in which they were made, even when the clock goes back', async () => {
    const { path } = folder;
    const start = async (kind: FetchLog['kind'], time: string): Promise<string> => {
      const run = { registry: REGISTRY, kind, source: 'live', origin: 'test' } as const;
      return (await startRun(path, run, new Date(time))).run;
    };
    expect(await start('full', '2026-11-21T03:15:00.900Z')).toBe('20261121T031500Z-full');
    expect(await start('incremental', '2026-11-21T03:15:00.900Z')).toBe('20261121T031501Z-incremental');
    expect(await start('full', '2026-11-20T00:00:00.000Z')).toBe('20261121T031502Z-full');
  });

  test('refuses a fetch log that is unsound or leads out of its directory', async () => {
    const { path } = folder;
    const log = await put(path, '01', 'full', 'complete');
    const file = {
      ...({ name: '../evil', wrapping: 'gzip', format: 'isrctn-xml', sha256: 'a'.repeat(64) } as const),
      bytes: 1,
      records: 1,
      url: null,
      receivedAt: '2026-11-01T00:00:00Z',
      position: null,
    } as const;
    await writeFetchLog(path, { ...log, files: [file] });
    await expect(rawSetsOf(path, REGISTRY)).rejects.toThrow(
      /is not a valid fetch log .*files\[0\]\.name.*remove that directory and fetch again/,
    );
    await writeFile(join(registryDirectory(path, REGISTRY), log.run, 'ledger.json'), '{"half');
    await expect(readFetchLog(path, REGISTRY, log.run)).rejects.toThrow(
      /ledger\.json is not JSON; remove it and run again/,
    );
  });
});

describe('attempts', () => {
  test('tell an attempt under way, a success and a failure apart and keep the last success', async () => {
    const { path } = folder;
    const effects = testEffects();
    expect(await lastAttempt(path, REGISTRY)).toBe(null);
    await withAttempt(path, REGISTRY, effects, async () => {
      expect(await lastAttempt(path, REGISTRY)).toMatchObject({
        lastSuccessAt: null,
        lastError: 'the attempt was not finished',
      });
      effects.time = new Date('2026-11-21T04:00:00.000Z');
    });
    const success = {
      formatVersion: 1,
      lastAttemptAt: '2026-11-21T03:15:00.000Z',
      lastSuccessAt: '2026-11-21T04:00:00.000Z',
      lastError: null,
    };
    expect(await lastAttempt(path, REGISTRY)).toEqual(success);
    const failing = withAttempt(path, REGISTRY, effects, () => Promise.reject(new Error('down')));
    await expect(failing).rejects.toThrow('down');
    expect(await lastAttempt(path, REGISTRY)).toEqual({
      ...success,
      lastAttemptAt: '2026-11-21T04:00:00.000Z',
      lastError: 'down',
    });
  });
});
