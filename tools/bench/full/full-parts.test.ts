import { describe, expect, it } from 'vitest';
import { latencyOf } from '../latency.ts';
import { growthOf, mixedReads } from './load.ts';
import { readFullWords, sizeOf } from './options.ts';
import type { FullResults } from './results.ts';
import { bytesOf, type Figures, together } from './stages.ts';
import { Steps } from './steps.ts';
import { targetRows } from './targets.ts';

const WORDS = { percent: '100', 'load-minutes': '10', skip: '' };
const figures = (seconds: number, peakRssMb: number | null): Figures => ({
  seconds,
  cpuSeconds: 1,
  peakRssMb,
  takenShare: seconds / 100,
});

const NOTHING = {
  stages: {},
  day: { records: null, stages: {} },
  diff: null,
  verify: null,
  start: null,
  inServer: null,
  overHttp: null,
  keyedReads: null,
  load: null,
  board: null,
  boardScale: null,
  rivals: null,
  failures: [],
  skipped: [],
} as unknown as FullResults;

describe('the parts of a full run', () => {
  it('take the size of the corpus from a percentage', () => {
    expect(sizeOf(100)).toEqual({ ctgov: 600_000, isrctn: 29_000 });
    expect(sizeOf(4)).toEqual({ ctgov: 24_000, isrctn: 1160 });
    expect(readFullWords({ ...WORDS, percent: '16', skip: 'load, board' })).toEqual({
      percent: 16,
      loadMinutes: 10,
      skip: ['load', 'board'],
    });
  });

  it.each([
    ['percent', '0', '--percent takes percentages from 0.05 to 100'],
    ['load-minutes', 'long', '--load-minutes takes minutes above 0, up to 1440'],
    ['skip', 'everything', '--skip knows no step everything; there are day, '],
  ])('refuse --%s %s', (name, value, message) => {
    expect(() => readFullWords({ ...WORDS, [name]: value })).toThrow(message);
  });

  it('give percentiles of what was measured, in any order', () => {
    const times = Array.from({ length: 100 }, (_, place) => 100 - place);
    expect(latencyOf(times)).toEqual({ p50Ms: 51, p99Ms: 100, maxMs: 100, count: 100 });
  });

  it('add seconds, take the largest peak and the mean of what the host took, and know nothing of a stage that is missing', () => {
    const stages = { normalise: figures(2, 10), dedup: figures(3, 40), publish: figures(4, 30) };
    const all = together(stages, ['normalise', 'dedup', 'publish']);
    expect(all).toEqual({ seconds: 9, cpuSeconds: 3, peakRssMb: 40, takenShare: expect.closeTo(0.29 / 9, 12) });
    expect(together(stages, ['fetch', 'normalise'])).toBeNull();
    expect(together({ dedup: figures(3, null) }, ['dedup'])?.peakRssMb).toBeNull();
  });

  it('keep a failed step with its reason, carry on, and leave out what is skipped', async () => {
    const saved: number[] = [];
    const steps = new Steps(['board'], async () => void saved.push(1));
    expect(await steps.run('day', () => Promise.reject(new Error('no room on the disk')))).toBe(false);
    expect(await steps.run('diff', async () => {})).toBe(true);
    expect(await steps.run('board', () => Promise.reject(new Error('never asked')))).toBe(false);
    expect(steps.failures).toEqual([{ step: 'day', reason: 'no room on the disk' }]);
    expect(saved).toHaveLength(2);
  });

  it('judge each target by its own direction, and say why a figure is missing', () => {
    const results = {
      ...NOTHING,
      stages: { normalise: figures(300, 3000), dedup: figures(100, 900), publish: figures(200.1, 2000) },
      board: {
        claims: { requestsPerSecond: 1500 },
        feed: { events: 1_000_000 },
        feedSteady: { p99Ms: 10.1, offeredPerSecond: 1000 },
        memory: { rssMb: 190 },
      },
      boardScale: {
        reads: { findings: { p99Ms: 4 }, assignment: { p99Ms: 9 }, 'messages, by words': { p99Ms: 19 } },
        memory: { rssMb: 210 },
      },
      failures: [{ step: 'diff', reason: 'it was killed' }],
      skipped: ['rivals'],
    } as unknown as FullResults;
    const rows = targetRows(results);
    const row = (start: string) => rows.find(({ what }) => what.startsWith(start));
    expect(rows).toHaveLength(31);
    expect(row('normalise + dedup + publish')).toEqual({
      what: 'normalise + dedup + publish',
      target: '<= 600 s',
      measured: '600.1 s',
      met: false,
      peakRssMb: 3000,
    });
    expect(row('durable claims')).toMatchObject({ target: '>= 1,500 claims/s', measured: '1500 claims/s', met: true });
    expect(row('feed page')).toMatchObject({ measured: '10.1 ms', met: false });
    expect(row('slowest read of a filled board, p99: assignment')).toMatchObject({ measured: '9.0 ms', met: true });
    expect(row('slowest search of a filled board, p99: messages, by words')).toMatchObject({ met: true });
    expect(row('diff')).toMatchObject({ measured: 'failed: it was killed', met: null });
    expect(row('search, mixed, times faster')).toMatchObject({ measured: 'left out', met: null });
    expect(row('index start')).toMatchObject({ measured: 'not measured', met: null });
  });

  it('count the bytes of tables and serving files once each', () => {
    const manifest = {
      version: 'v',
      tables: { trials: { bytes: 5 }, raw: { bytes: 7 } },
      serving: { files: [{ path: 'serving/ids.arrow', bytes: 11 }] },
    } as unknown as Parameters<typeof bytesOf>[0];
    expect(bytesOf(manifest)).toEqual({
      version: 'v',
      total: 23,
      tables: { trials: 5, raw: 7 },
      serving: { 'serving/ids.arrow': 11 },
    });
  });

  it('read growth from thirds, so that one sample decides nothing', () => {
    expect(growthOf([100, 900, 100, 100, 100, 100, 110, 110, 900])).toBeCloseTo(0.1);
    expect(growthOf([100, null, 100])).toBeNull();
  });

  it('mix reads so that every kind comes, and half of all are searches', () => {
    const reads = mixedReads({ rare: [], common: [], mixed: ['a b', '"c d"', 'e', 'f'] }, ['wt_1', 'wt_2']);
    expect(reads.filter(({ kind }) => kind === 'search')).toHaveLength(reads.length / 2);
    expect(new Set(reads.map(({ kind }) => kind))).toEqual(
      new Set(['search', 'detail', 'coverage', 'landscape', 'stats', 'batch']),
    );
    expect(reads[0]).toEqual({ kind: 'search', path: '/api/v1/trials/search?q=a%20b' });
  });
});
