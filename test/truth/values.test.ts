import { expect, test } from 'vitest';
import type { CheckedRecord } from './values.ts';
import { valueRow } from './values.ts';

function record(right: CheckedRecord['right']): CheckedRecord {
  return { id: 'N1', file: 'ctgov/studies.ndjson.gz', asOf: '2026-11-21', right };
}

test('a value is right, wrong or missing; a blank that is right counts in n alone, and lists in any order', () => {
  const right = {
    phase: '2',
    start: '2020-01',
    acronym: null,
    countries: ['France', 'Spain'],
    sponsorName: 'aa',
    pc: null,
  };
  const found = {
    phase: '3',
    start: null,
    acronym: null,
    countries: ['Spain', 'France'],
    sponsorName: 'aa',
    pc: '2021',
  };
  expect(valueRow('all', [{ record: record(right), found }], [...Object.keys(right), 'notJudged'])).toEqual({
    what: 'all',
    n: 6,
    precision: { hits: 2, of: 4 },
    recall: { hits: 2, of: 4 },
    misses: [
      { id: 'N1', why: 'wrong' },
      { id: 'N1', why: 'missing' },
      { id: 'N1', why: 'wrong' },
    ],
  });
});
