import { expect, test } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { CATALOGUE_IDS } from './ids.ts';
import { callsIn, unknownCallsIn } from './test-support.ts';

test('every catalogue id has its path', () => {
  expect(CATALOGUE.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual([
    'mind GET /api/v1/mind',
    'hope GET /api/v1/hope',
    'trends GET /api/v1/trends',
    'batch GET /api/v1/batch',
    'trials-search GET /api/v1/trials/search',
    'trials-detail GET /api/v1/trials/{canonicalId}',
    'trials-related GET /api/v1/trials/{canonicalId}/related',
    'trials-coverage GET /api/v1/trials/coverage',
    'trials-landscape GET /api/v1/trials/landscape',
    'trials-registrations GET /api/v1/trials/registrations',
    'trials-stats GET /api/v1/trials/stats',
    'sources GET /api/v1/sources',
    'patient-model GET /api/v1/twin/patient-model',
    'findings GET /api/v1/findings',
    'twin-experiment GET /api/v1/twin/experiment',
    'twin-benchmark GET /api/v1/twin/benchmark',
    'beta-cell GET /api/v1/twin/beta-cell',
    'cure-lab-evidence GET /api/v1/cure-lab/evidence',
    'cure-lab-contradictions GET /api/v1/cure-lab/contradictions',
    'cure-lab-hypotheses GET /api/v1/cure-lab/hypotheses',
    'freshness GET /api/v1/freshness',
    'reality GET /api/v1/reality',
    'council GET /api/v1/council',
  ]);
});

test('next names other endpoints of the catalogue, none twice', () => {
  for (const { id, next } of CATALOGUE) {
    expect(next.length, id).toBeGreaterThan(0);
    expect(new Set<string>([id, ...next]).size, id).toBe(next.length + 1);
    for (const target of next) expect(CATALOGUE_IDS, id).toContain(target);
  }
});

test('every endpoint is reached from another one', () => {
  const reached = new Set(CATALOGUE.flatMap(({ next }) => next));
  expect(CATALOGUE_IDS.filter((id) => !reached.has(id))).toEqual([]);
});

test('the texts name only calls that exist, and each POST on the entry’s own path', () => {
  for (const { id, path, purpose, whenToUse } of CATALOGUE) {
    expect(unknownCallsIn(`${purpose} ${whenToUse}`), id).toEqual([]);
    for (const call of callsIn(whenToUse)) expect(call.path, id).toBe(path);
  }
});

test('a call that ends a sentence is read without the full stop, and a wrong one is found', () => {
  expect(callsIn('Use GET /api/v1/trials/search?q=a%20b&pageSize=5. Then stop.')).toEqual([
    {
      method: 'GET',
      path: '/api/v1/trials/search',
      query: [
        ['q', 'a b'],
        ['pageSize', '5'],
      ],
    },
  ]);
  expect(unknownCallsIn('GET /api/v1/claim, GET /api/v1/claims?stat=x and PUT /api/v1/claims')).toEqual([
    'unknown call GET /api/v1/claim',
    'unknown parameter stat of GET /api/v1/claims',
    'unknown call PUT /api/v1/claims',
  ]);
});
