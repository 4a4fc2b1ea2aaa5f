import { expect, it } from 'vitest';
import { emptyReport } from '../normalise/report.ts';
import type { Verification } from '../publish/verify/verify.ts';
import { renderRun, renderVerification } from './reports.ts';

it('a file that was read with gaps is not called left out', () => {
  const outcome = {
    ...({
      registry: 'isrctn',
      ok: true,
      run: '20261101T030000Z-full',
      kind: 'full',
      records: 400,
      error: null,
    } as const),
    gaps: [{ name: 'isrctn.csv', reason: 'a CSV export has no titles' }],
    leftOut: [{ name: 'notes.txt', reason: 'empty file' }],
  };
  expect(renderRun({ fetch: [outcome] })).toBe(
    [
      'fetched  records  set',
      'isrctn       400  20261101T030000Z-full',
      'gaps      isrctn.csv: a CSV export has no titles',
      'left out  notes.txt: empty file',
    ].join('\n'),
  );
});

it('a registry is a row of numbers, with the reasons of its quarantine below', () => {
  const report = {
    ...emptyReport('isrctn', 'answered'),
    ...{ read: 401, kept: 400, normalised: 2, unchanged: 398, quarantined: 1 },
    quarantinedByReason: { 'older-than-published': 1 },
  };
  const parts = { written: 0, rewritten: 0, removed: 0 };
  const whole = { asOf: '2026-11-01', asOfFrom: 'inputs', normaliserVersion: 3, parts, seconds: 1 } as const;
  const lines = renderRun({ normalise: { ...whole, registries: [report] } }).split('\n');
  expect(lines[1]).toMatch(/^isrctn +answered +401 +400 +2 +398 +0 +0 +1 +0$/);
  expect(lines[2]).toBe('bad       isrctn: 1 quarantined, older-than-published');
  expect(lines[3]).toBe('statuses  as of 2026-11-01; 1.0 s');
});

it('a verification says whether the serving image was built again, and that only another program can tell', () => {
  const found = { version: '20261121T031500Z-00c0ffee', files: 21, rows: 11, problems: [], mend: null };
  const log = { index: 0, size: 1, signedBy: [], notes: [] };
  const of = (image: Verification['image']): string | undefined =>
    renderVerification({ ...found, log, image }).split('\n')[1];
  expect(of({ state: 'equal' })).toBe('image     its serving image is the one that its tables give, byte by byte');
  expect(of({ state: 'summed' })).toBe('image     its serving image was summed, not built again from its tables');
  expect(of({ state: 'other-program', made: 'commit 0a, Node 24.21.0' })).toBe(
    'image     its serving image is NOT the one that this program makes of its tables. Another one made it (commit 0a, Node 24.21.0): verify with that one, which tells a forgery from a change of the program',
  );
});
