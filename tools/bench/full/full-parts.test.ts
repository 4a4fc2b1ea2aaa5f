import { describe, expect, it } from 'vitest';
import type { FullResults } from './results.ts';
import type { Figures } from './stages.ts';
import { Steps } from './steps.ts';
import { targetRows } from './targets.ts';
import { readWrk } from './wrk.ts';

const figures = (seconds: number, peakRssMb: number | null): Figures => ({
  seconds,
  cpuSeconds: 1,
  peakRssMb,
  takenShare: seconds / 100,
});

const rates = (...perSecond: number[]) => perSecond.map((requestsPerSecond) => ({ requestsPerSecond }));

const NOTHING = {
  stages: {},
  day: { records: null, stages: {} },
  ...{ diff: null, checks: null, serialised: null, verify: null, start: null, inServer: null, overHttp: null },
  ...{ keyedReads: null, load: null, board: null, boardScale: null, rivals: null, failures: [], skipped: [] },
} as unknown as FullResults;

describe('the parts of a full run', () => {
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
      againstBare: {
        'page of 20': { gateway: rates(9000, 4000, 6000), bare: rates(10_000, 10_000, 10_000) },
        count: { gateway: rates(4000, 4900, 5000), bare: rates(10_000, 10_000, 10_000) },
      },
      failures: [{ step: 'diff', reason: 'it was killed' }],
      skipped: ['rivals'],
    } as unknown as FullResults;
    const rows = targetRows(results);
    const row = (start: string) => rows.find(({ what }) => what.startsWith(start));
    expect(rows).toHaveLength(34);
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
    // The kind with the smallest share, by the middle of its rounds.
    const beside = 'rate through the gateway, of that of bare node:http with the same bodies: count';
    expect(row(beside)).toMatchObject({ target: '>= 0.5 of it', measured: '0.49 of it', met: false });
  });

  it('read what wrk prints', () => {
    const output = `Running 5s test @ http://127.0.0.1:8080/
  1 threads and 16 connections
  Latency Distribution
     50%  250.00us
     75%    1.20ms
     90%    3.00ms
     99%    1.50s 
  22464 requests in 5.00s, 17.76MB read
  Socket errors: connect 0, read 1, write 0, timeout 2
  Non-2xx or 3xx responses: 3
Requests/sec:   4492.53
Transfer/sec:      3.55MB
`;
    expect(readWrk(output)).toEqual({
      client: 'wrk',
      requestsPerSecond: 4492.53,
      p50Ms: 0.25,
      p99Ms: 1500,
      count: 22464,
      failed: 6,
    });
    expect(() => readWrk('nothing')).toThrow('wrk printed no');
  });
});
