import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { normaliseCtgov } from './ctgov/ctgov.ts';
import { normaliseIsrctn } from './isrctn/isrctn.ts';

/** Real records, which are not in the repository. Without them these tests are skipped. */
const DATA = resolve(import.meta.dirname, '../../../shared/registry-data');
const RECEIVED = '2026-11-20T03:00:00Z';

function content(path: string): string {
  const bytes = readFileSync(resolve(DATA, path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function studies(path: string) {
  const lines = content(path)
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => normaliseCtgov(Buffer.from(line), RECEIVED, { asOf: '2026-11-21' }));
}

function trials(path: string, asOf: string) {
  const slices = content(path).match(/<fullTrial>[\s\S]*?<\/fullTrial>/g) ?? [];
  return slices.map((slice) => normaliseIsrctn(Buffer.from(slice), RECEIVED, { asOf }));
}

function countBy<T>(items: T[], key: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}

describe.skipIf(!existsSync(DATA))('real records', () => {
  test('all 1,562 ClinicalTrials.gov studies are read, without a field of an unexpected type', () => {
    const records = studies('ctgov/studies.ndjson.gz').filter((record) => record.ok);
    expect(records.length).toBe(1562);
    expect(records.flatMap(({ faults }) => faults)).toEqual([]);
    expect(countBy(records, ({ registration }) => registration.status)).toEqual({
      completed: 664,
      running: 520,
      suspended: 5,
      terminated: 139,
      unknown: 188,
      withdrawn: 46,
    });
  });

  test('cut-down and hand-edited studies are read or rejected for what they lack', () => {
    const outcome = (path: string) => countBy(studies(path), (record) => (record.ok ? 'read' : record.reason));
    expect(outcome('ctgov/partial.ndjson')).toEqual({ read: 33, 'missing-title': 2 });
    expect(outcome('ctgov/third-party-fixtures.ndjson')).toEqual({ read: 25, 'bad-id': 2 });
    expect(outcome('ctgov/sample-diverse.ndjson')).toEqual({ read: 54 });
    expect(outcome('ctgov/older-versions.ndjson')).toEqual({ read: 7 });
  });

  test('every ISRCTN answer and every vintage is read, without an element of an unexpected type', () => {
    const files = readdirSync(resolve(DATA, 'isrctn/reconstructed')).map((name) => `isrctn/reconstructed/${name}`);
    const answers = readdirSync(resolve(DATA, 'isrctn')).filter((name) => name.startsWith('api-'));
    const records = [...files, ...answers.map((name) => `isrctn/${name}`)].flatMap((path) =>
      trials(path, '2026-11-21'),
    );
    expect(countBy(records, (record) => (record.ok ? 'read' : record.reason))).toEqual({ read: 32 });
    expect(records.flatMap((record) => (record.ok ? record.faults : []))).toEqual([]);
  });
});
