import { expect } from 'vitest';
import type { Cases } from './case.ts';

/** Facts of the sample corpus: seed 1, 600 studies of ClinicalTrials.gov, 220 trials of ISRCTN. */

/** One trial in both registries, joined by the EU CT number that each states. */
const MERGED = { canonicalId: 'wt_r1r6vb1x9ja8', nct: 'NCT90000183', isrctn: 'ISRCTN90531804' };

const DIABETES_COVERAGE = {
  distinct: 86,
  registries: [
    { registry: 'clinicaltrials_gov', state: 'answered', registrations: 68, exclusive: 62 },
    { registry: 'isrctn', state: 'answered', registrations: 24, exclusive: 18 },
  ],
  inBoth: 6,
  inflation: 6,
};
const NOT_WORLDWIDE = { provenance: { worldwide: false, corpus: 'sample' }, degraded: false };

const mergedTrial = {
  canonicalId: MERGED.canonicalId,
  title: 'Study of Sazazagliflozin in Pain',
  status: 'completed',
  phase: 'not-applicable',
  registries: ['clinicaltrials_gov', 'isrctn'],
  enrollment: { count: 337, type: 'actual' },
  evidence: [{ rule: 'shared-euct', from: MERGED.nct, to: MERGED.isrctn, verdict: 'accepted' }],
  conflicts: [
    { field: 'officialTitle' },
    { field: 'enrollment' },
    { field: 'primaryEndpoints' },
    { field: 'ipdSharing.plan' },
  ],
  registrations: [{ id: MERGED.nct }, { id: MERGED.isrctn }],
};

const search: Cases = {
  'a search counts every match and gives the page that was asked for': {
    operation: 'trials-search',
    given: { q: 'diabetes', pageSize: 2 },
    data: { trials: [{ canonicalId: expect.any(String) }, { canonicalId: expect.any(String) }] },
    meta: {
      pagination: { page: 1, pageSize: 2, totalItems: 86, returned: 2, hasMore: true },
      filters: { q: 'diabetes' },
      ...NOT_WORLDWIDE,
    },
  },
  'lists of filter values are alternatives, several filters are conditions': {
    operation: 'trials-search',
    given: { q: 'diabetes', status: ['active', 'completed'], phase: ['3'], pageSize: 1 },
    data: { trials: [{ canonicalId: 'wt_fadvkn9n1d5a', status: 'completed', phase: '3' }] },
    meta: { pagination: { totalItems: 7 }, filters: { status: 'active,completed', phase: '3' } },
  },
  'an unknown argument is dropped and named': {
    operation: 'trials-search',
    given: { q: 'anemia', serch: 'cancer' },
    meta: { ignored: ['serch'], filters: { q: 'anemia' }, pagination: { totalItems: 8 } },
  },
  'all unusable arguments are named at once': {
    operation: 'trials-search',
    given: { page: 'x', pageSize: 0, status: 'asleep' },
    status: 400,
    code: 'INVALID_PARAM',
    parameter: 'status',
    issues: ['status', 'page', 'pageSize'],
  },
};

const counts: Cases = {
  'coverage gives the distinct count and never a sum over the registries': {
    operation: 'trials-coverage',
    given: { q: 'diabetes' },
    data: DIABETES_COVERAGE,
    meta: { filters: { q: 'diabetes' }, ...NOT_WORLDWIDE },
  },
  'the landscape describes the set that coverage counts': {
    operation: 'trials-landscape',
    given: { q: 'diabetes' },
    data: {
      trials: 86,
      enrollment: { stated: 85, notStated: 1, lowerQuartile: 31, median: 85, upperQuartile: 271 },
      sponsors: { trialsWithSponsor: 86, sponsors: 85 },
    },
    meta: NOT_WORLDWIDE,
  },
  'stats give the size of the corpus and the curated topics': {
    operation: 'trials-stats',
    data: { corpus: { distinct: 766, inBoth: 50, inflation: 50 } },
    meta: NOT_WORLDWIDE,
  },
};

const records: Cases = {
  'a trial is read by its canonical id': {
    operation: 'trials-detail',
    given: { canonicalId: MERGED.canonicalId },
    data: mergedTrial,
  },
  'a literature that is not read is unavailable, never empty': {
    operation: 'trials-related',
    given: { id: MERGED.nct },
    data: {
      canonicalId: MERGED.canonicalId,
      registryDeclared: { state: 'answered', publications: [] },
      literature: { state: 'unavailable', records: null },
    },
  },
  'a registry id resolves to its trial and all registrations': {
    operation: 'trials-registrations',
    given: { id: MERGED.isrctn },
    data: {
      total: 1,
      matches: [{ canonicalId: MERGED.canonicalId, standing: 'registration', trial: mergedTrial, absentFrom: [] }],
    },
  },
};

const registries: Cases = {
  'the sources name both registries, their state and their licence': {
    operation: 'sources',
    data: {
      sources: [
        { registry: 'clinicaltrials_gov', state: 'answered', registrations: 598 },
        { registry: 'isrctn', state: 'answered', registrations: 218 },
      ],
      snapshot: { corpus: 'sample', asOf: '2026-10-01' },
    },
  },
  'freshness gives the age of each layer beside what was promised': {
    operation: 'freshness',
    data: {
      layers: expect.arrayContaining([
        expect.objectContaining({ layer: 'clinicaltrials_gov', kind: 'registry', promisedHours: 26 }),
        expect.objectContaining({ layer: 'isrctn', kind: 'registry', promisedHours: 26 }),
        expect.objectContaining({ layer: 'rules/modality', kind: 'rules', reviewedOn: '2026-11-25' }),
        expect.objectContaining({ layer: 'curated/research-items', kind: 'curated', promisedHours: 2160 }),
        expect.objectContaining({ layer: 'literature', ageHours: null, promisedHours: null, insidePromise: null }),
      ]),
    },
  },
};

export const TRIAL_CASES: Cases = { ...search, ...counts, ...records, ...registries };
