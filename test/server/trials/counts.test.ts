import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PHASES, STUDY_TYPES } from '../../../contract/vocabularies.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const gateway = ofFile(() => openGateway());

const filters = fc.record(
  {
    q: fc.constantFrom('diabetes', 'heart', 'cell therapy', 'tumor', 'randomised', '"type 1"', 'anaemia placebo'),
    status: fc.constantFrom('active', 'completed', 'recruiting,terminated', 'unknown'),
    phase: fc.subarray([...PHASES], { minLength: 1 }).map((values) => values.join(',')),
    studyType: fc.constantFrom(...STUDY_TYPES),
    registry: fc.constantFrom('isrctn', 'clinicaltrials_gov', 'isrctn,clinicaltrials_gov'),
    resultsAvailable: fc.constantFrom('true', 'false'),
    country: fc.constantFrom('United Kingdom', 'united states', 'Iceland'),
    match: fc.constantFrom('words', 'concepts'),
    startedAfter: fc.constantFrom('2010-01-01', '2020-06-15'),
    updatedBefore: fc.constantFrom('2024-12-31', '2026-09-01'),
  },
  { requiredKeys: [] },
);

const read = async (path: string, query: Record<string, string>) => {
  const { status, body } = await gateway.get(`${path}?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return body;
};

describe('counts under any filters', () => {
  it('agree: search total = coverage distinct = landscape trials, distinct + inflation = sum of registrations', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (query) => {
        const given = query as Record<string, string>;
        const [search, coverage, landscape] = await Promise.all([
          read('/api/v1/trials/search', { ...given, pageSize: '1' }),
          read('/api/v1/trials/coverage', given),
          read('/api/v1/trials/landscape', given),
        ]);
        const { distinct, inflation, inBoth, registries } = coverage.data;
        expect(search._meta.pagination.totalItems).toBe(distinct);
        expect(landscape.data.trials).toBe(distinct);
        const [ctgov, isrctn] = registries;
        expect(distinct + inflation).toBe(ctgov.registrations + isrctn.registrations);
        expect(ctgov.exclusive + isrctn.exclusive + inBoth).toBe(distinct);
        const { mutual, oneWay, shared } = coverage.data.crossReferences;
        expect(mutual + oneWay + shared).toBe(inBoth);
        for (const mix of ['phases', 'statuses', 'recruitmentStatuses', 'studyTypes', 'sponsorClasses']) {
          expect(landscape.data[mix].reduce((sum: number, { trials }: { trials: number }) => sum + trials, 0)).toBe(
            distinct,
          );
        }
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });

  it('never give a sum over the registries', async () => {
    const { body } = await gateway.get('/api/v1/trials/coverage');
    const [ctgov, isrctn] = body.data.registries;
    const numbers = JSON.stringify(body.data).match(/\d+/g)!.map(Number);
    expect(body.data.inflation).toBeGreaterThan(0);
    expect(numbers).not.toContain(ctgov.registrations + isrctn.registrations);
  });
});
