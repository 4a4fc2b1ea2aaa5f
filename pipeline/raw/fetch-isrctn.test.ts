import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { type FakeRegistry, type FakeTrial, type Fault, startFakeRegistry } from '../../test/fakes/registry-server.ts';
import { liveScene, payloadsOf, type Scene, trialOf } from '../../test/support/raw-sets.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { fetchIsrctn, type IsrctnFetch } from './fetch-isrctn.ts';
import { type FetchLog, rawSetsOf, runDirectory } from './fetch-log.ts';

/** Eighteen trials, twelve of them edited within a few days: edits in a real registry are unevenly spread too. */
const TRIALS = Array.from({ length: 18 }, (_, i) => {
  const time = i < 6 ? Date.UTC(2004 + i * 3, 4, 1) : Date.UTC(2026, 10, 10) + i * 7_200_000;
  return trialOf(i, new Date(time).toISOString());
});
const TEXTS = TRIALS.map((trial) => trial.xml);

async function scene(faults: Fault[] = [], trials: FakeTrial[] = TRIALS): Promise<Scene<IsrctnFetch, FakeRegistry>> {
  return liveScene(await startFakeRegistry({ trials, faults }), fetchIsrctn, { limit: 4 });
}

describe('fetchIsrctn', () => {
  it('halves windows until each fits one answer and gets every trial once, oldest first', async () => {
    await using s = await scene();
    const log = await s.fetch();
    expect(await payloadsOf(s.dataDir, log)).toEqual(TEXTS);
    expect(log).toMatchObject({
      state: 'complete',
      expectedRecords: 18,
      registryTotal: 18,
      dataTimestamp: null,
      window: null,
      origin: s.registry.url,
    });
    expect(Math.max(...log.files.map((file) => file.records))).toBeLessThanOrEqual(4);
    expect(s.registry.requests[0]).toBe(
      '/api/query/format/default?q=lastEdited GE 2000-01-01T00:00:00 AND lastEdited LT 2026-11-23T03:15:00&limit=1',
    );
    expect(log.files.at(-1)?.position).toBe('[]');
  });

  it('asks how many trials the registry counts without a filter, and goes on where it refuses the question', async () => {
    await using s = await scene([{ endpoint: 'isrctn', at: 3, kind: 'total', total: 20 }]);
    expect(await s.fetch({ limit: 100 })).toMatchObject({ expectedRecords: 18, registryTotal: 20 });
    expect(s.registry.requests.at(-1)).toBe('/api/query/format/default?q=&limit=1');
    await using refused = await scene([{ endpoint: 'isrctn', at: 3, kind: 'status', status: 400 }]);
    expect(await refused.fetch({ limit: 100 })).toMatchObject({ state: 'complete', registryTotal: null });
  });

  test('killed after any window it resumes there and ends with the same bytes', async () => {
    await using unbroken = await scene();
    const whole = await unbroken.fetch();
    const stored = (dataDir: string, log: FetchLog): Promise<Buffer[]> =>
      Promise.all(log.files.map((file) => readFile(join(runDirectory(dataDir, log), file.name))));
    const theirs = await stored(unbroken.dataDir, whole);
    for (let page = 1; page <= whole.files.length; page += amountOf({ quick: 4, deep: 1 })) {
      await using s = await scene();
      s.effects.killAt = `fetch:isrctn:page:${page}`;
      await expect(s.fetch()).rejects.toThrow('killed');
      s.effects.killAt = null;
      const log = await s.fetch();
      expect(JSON.parse(JSON.stringify(log).replaceAll(s.registry.url, unbroken.registry.url))).toEqual(whole);
      expect(await stored(s.dataDir, log)).toEqual(theirs);
      expect(s.registry.counts.isrctn).toBe(unbroken.registry.counts.isrctn);
    }
  });

  it('finds a trial that is edited while the run is under way', async () => {
    await using s = await scene();
    const checkpoint = s.effects.checkpoint;
    s.effects.checkpoint = (name) => {
      checkpoint(name);
      if (name === 'fetch:isrctn:page:1') s.registry.trials = TRIALS.with(15, trialOf(15, '2026-11-21T03:16:00.000Z'));
    };
    const payloads = await payloadsOf(s.dataDir, await s.fetch());
    expect(payloads.at(-1)).toBe(trialOf(15, '2026-11-21T03:16:00.000Z').xml);
    expect(payloads.length).toBe(18);
  });

  it('asks for a crowded second at once, and stops where even that is too much', async () => {
    const crowd = Array.from({ length: 9 }, (_, i) => trialOf(i, `2020-05-05T05:05:05.${i}00Z`));
    await using s = await scene([], crowd);
    expect((await s.fetch({ limit: 2 })).files.map((file) => file.records).filter((n) => n > 0)).toEqual([9]);
    await using t = await scene(
      [],
      Array.from({ length: 21 }, (_, i) => trialOf(i, '2020-05-05T05:05:05.000Z')),
    );
    await expect(t.fetch({ limit: 1 })).rejects.toMatchObject({
      code: 'window-limit',
      message: `${t.registry.url}: the second 2020-05-05T05:05:05 holds 21 trials, more than one answer may hold (20); raise the limit`,
    });
  });

  test.each<[string, Fault]>([
    ['a truncated list', { endpoint: 'isrctn', at: 2, kind: 'truncated' }],
    ['fewer trials than totalCount', { endpoint: 'isrctn', at: 2, kind: 'total', total: 19 }],
    ['another document', { endpoint: 'isrctn', at: 1, kind: 'body', body: '<error>busy</error>' }],
  ])('tries again after %s', async (_, fault) => {
    await using s = await scene([fault]);
    expect(await payloadsOf(s.dataDir, await s.fetch({ limit: 100 }))).toEqual(TEXTS);
    expect(s.waits).toEqual([1000]);
  });

  const first = { endpoint: 'isrctn', at: 1 } as const;
  test.each<[string, Fault, string, RegExp]>([
    ['a wrong totalCount', { ...first, at: 2, times: 99, kind: 'total', total: 19 }, 'count-mismatch', /18 .* says 19/],
    ['a sum below the first count', { ...first, kind: 'total', total: 99 }, 'count-mismatch', /18 .* registry says 99/],
    ['a web page', { ...first, kind: 'html' }, 'not-the-registry', /a web page came instead of XML/],
    ['no totalCount', { ...first, kind: 'body', body: '<allTrials></allTrials>' }, 'not-the-registry', /no totalCount/],
    ['a registry that is down', { ...first, times: 99, kind: 'down' }, 'unreachable', /after 6 tries/],
  ])('stops at %s and completes nothing', async (_, fault, code, message) => {
    await using s = await scene([fault]);
    await expect(s.fetch({ limit: 100 })).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await rawSetsOf(s.dataDir, 'isrctn')).toBe(null);
  });

  it('an empty registry is a failure, not an empty set', async () => {
    await using s = await scene([], []);
    await expect(s.fetch()).rejects.toMatchObject({ code: 'no-records' });
  });

  it('incremental asks from the day before the last full fetch began and may find nothing', async () => {
    await using s = await scene();
    const full = await s.fetch();
    s.effects.time = new Date('2026-11-24T03:15:00.000Z');
    const none = await s.fetch({ mode: 'incremental' });
    expect(none).toMatchObject({
      kind: 'incremental',
      base: full.run,
      window: { from: '2026-11-20', to: '2026-11-24' },
      expectedRecords: 0,
    });
    s.registry.trials = [...TRIALS, trialOf(99, '2026-11-23T12:00:00.000Z')];
    const some = await s.fetch({ mode: 'incremental' });
    expect(some).toMatchObject({ window: { from: '2026-11-23', to: '2026-11-24' }, expectedRecords: 1 });
    expect(await payloadsOf(s.dataDir, some)).toEqual([trialOf(99, '2026-11-23T12:00:00.000Z').xml]);
  });
});
