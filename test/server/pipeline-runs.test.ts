import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RUN_LOG_FILE } from '../../snapshot/format/versions/run-log.ts';
import { type RunSpec, runLogText } from '../builders/run-log.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { temporaryDirectory } from '../support/raw-sets.ts';

/** A record of runs in a folder where nothing was ever published. */

const REFUSED: RunSpec = {
  day: 2,
  begin: { arguments: ['--source', 'dump', '--ctgov', '/home/an operator/dump.ndjson'] },
  end: {
    code: 'REFUSED',
    exitCode: 4,
    message: "not published; see '/srv/trial board/data/work/report.json'",
    stages: [{ stage: 'fetch', seconds: 1.5 }],
    gate: {
      checks: [
        { name: 'shrink:isrctn', figure: 0.5, affected: 110, limit: 0.02, verdict: 'refused' },
        { name: 'lost:isrctn', figure: 0, affected: null, limit: 0, verdict: 'accepted' },
        { name: 'newest:isrctn', figure: null, affected: null, limit: 3, verdict: 'not-compared' },
      ],
      accepted: ['lost:isrctn'],
      reason: 'Ann, by the note in /home/ann/notes/today.txt',
    },
  },
};

const directory = ofFile(temporaryDirectory);
const gateway = ofFile(() => openGateway(directory.path));

const BASE = '/api/v1/pipeline/runs';

it('says that no run is recorded where there is no record, and lists what is recorded later', async () => {
  const before = await gateway.get(BASE);
  expect([before.status, before.body.data]).toEqual([
    200,
    { state: 'no-run-recorded', runs: [], unreadableLines: 0, olderLeftOut: false },
  ]);
  expect((await gateway.get(`${BASE}/latest`)).body.error.message).toBe('No run is recorded here.');
  await writeFile(
    join(directory.path, RUN_LOG_FILE),
    runLogText([{ day: 0, end: {} }, { day: 1, end: null }, REFUSED]),
  );
  const { body, headers } = await gateway.get(BASE);
  expect(body.data.state).toBe('recorded');
  expect(body.data.runs.map(({ startedAt, outcome }: Record<string, string>) => [startedAt, outcome])).toEqual([
    ['2026-09-03T03:00:00.000Z', 'REFUSED'],
    ['2026-09-02T03:00:00.000Z', 'KILLED'],
    ['2026-09-01T03:00:00.000Z', 'PUBLISHED'],
  ]);
  const again = await gateway.get(BASE, { headers: { 'if-none-match': headers.get('etag')! } });
  expect(again.status).toBe(304);
  await appendFile(join(directory.path, RUN_LOG_FILE), runLogText([{ day: 3, end: null }]));
  const later = await gateway.get(BASE, { headers: { 'if-none-match': headers.get('etag')! } });
  expect([later.status, later.body.data.runs[0].outcome]).toEqual([200, 'OPEN']);
});

it('filters by outcome and by command, and goes on by page with the same filters', async () => {
  const refused = await gateway.get(`${BASE}?outcome=REFUSED`);
  expect(refused.body.data.runs.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['REFUSED']);
  expect(refused.body._meta).toMatchObject({ filters: { outcome: 'REFUSED' }, pagination: { totalItems: 1 } });
  expect((await gateway.get(`${BASE}?command=gc`)).body.data.runs).toEqual([]);
  const paged = await gateway.get(`${BASE}?command=run&pageSize=3`);
  expect(paged.body._meta.pagination).toMatchObject({
    totalItems: 4,
    nextUrl: 'http://test.example/api/v1/pipeline/runs?command=run&pageSize=3&page=2',
  });
  const second = await gateway.get(`${BASE}?command=run&pageSize=3&page=2`);
  expect(second.body.data.runs.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['PUBLISHED']);
});

it('shows a refused run with its checks, what was accepted and why, what to do next, and no folder of the machine', async () => {
  const { body } = await gateway.get(`${BASE}/20260903T030000Z-000002`);
  expect(body.data).toMatchObject({
    arguments: ['--source', 'dump', '--ctgov', 'dump.ndjson'],
    seconds: 60,
    outcome: 'REFUSED',
    exitCode: 4,
    meaning: 'The publication gate stopped the new version; the version before stays served.',
    message: "not published; see 'report.json'",
    next: expect.stringContaining('with the `--accept` that the message ends with'),
    stages: [{ stage: 'fetch', seconds: 1.5 }],
    served: null,
    checks: { passed: 0, accepted: 1, refused: 1, notCompared: 1 },
    gate: { accepted: ['lost:isrctn'], reason: 'Ann, by the note in today.txt' },
  });
  expect(body.data.gate.checks).toEqual(REFUSED.end!.gate!.checks);
  expect(JSON.stringify(body)).not.toMatch(/home|srv|operator\/|trial board/);
});

it('reads an outcome whose code only a newer program knows by its exit code', async () => {
  const checks = [{ name: 'newest:isrctn', figure: 1, affected: null, limit: 3, verdict: 'passed' as const }];
  const lines = runLogText([
    { day: 4, end: { code: 'MERGED', exitCode: 0, gate: { checks, accepted: [], reason: null } } },
    { day: 5, end: {} },
  ]);
  await writeFile(join(directory.path, RUN_LOG_FILE), lines);
  const { body } = await gateway.get(BASE);
  expect(body.data.runs).toMatchObject([
    { outcome: 'PUBLISHED', checks: null },
    { outcome: 'DONE', checks: { passed: 1, accepted: 0, refused: 0, notCompared: 0 } },
  ]);
});
