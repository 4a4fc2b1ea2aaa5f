import { expect, it } from 'vitest';
import type { FullResults } from './results.ts';
import type { Figures } from './stages.ts';
import { targetRows } from './targets.ts';

const figures = (seconds: number, peakRssMb: number | null): Figures => ({
  seconds,
  cpuSeconds: 1,
  peakRssMb,
  takenShare: seconds / 100,
});

/** A run of which nothing was measured. */
const NOTHING = {
  stages: {},
  day: { records: null, stages: {} },
  failures: [],
  skipped: [],
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
} as unknown as FullResults;

it('a full run judges each target by its own direction, and says why a figure is missing', () => {
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
