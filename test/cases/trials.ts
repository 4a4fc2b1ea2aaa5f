import { expect } from 'vitest';
import { type Case, one } from './case.ts';

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

const search: Case[] = [
  one(
    'a search counts every match and gives the page that was asked for',
    'trials-search',
    { q: 'diabetes', pageSize: 2 },
    {
      data: { trials: [{ canonicalId: expect.any(String) }, { canonicalId: expect.any(String) }] },
      meta: {
        pagination: { page: 1, pageSize: 2, totalItems: 86, returned: 2, hasMore: true },
        filters: { q: 'diabetes' },
        ...NOT_WORLDWIDE,
      },
    },
  ),
  one(
    'lists of filter values are alternatives, several filters are conditions',
    'trials-search',
    { q: 'diabetes', status: ['active', 'completed'], phase: ['3'], pageSize: 1 },
    {
      data: { trials: [{ canonicalId: 'wt_fadvkn9n1d5a', status: 'completed', phase: '3' }] },
      meta: { pagination: { totalItems: 7 }, filters: { status: 'active,completed', phase: '3' } },
    },
  ),
  one(
    'British spelling finds what American spelling finds',
    'trials-search',
    { q: 'anaemia' },
    {
      meta: { pagination: { totalItems: 8, returned: 8, hasMore: false, nextUrl: null } },
    },
  ),
  one(
    'American spelling finds what British spelling finds',
    'trials-search',
    { q: 'anemia' },
    {
      meta: { pagination: { totalItems: 8 } },
    },
  ),
  one(
    'a search without a match is an empty list with a total of nought',
    'trials-search',
    { q: 'tumour colour' },
    {
      data: { trials: [] },
      meta: { pagination: { totalItems: 0, returned: 0, hasMore: false, nextUrl: null } },
    },
  ),
  one(
    'a search by words says what concepts would find besides',
    'trials-search',
    { q: 'T1D' },
    {
      data: { trials: [] },
      meta: {
        alsoMatching: {
          distinct: 20,
          because: [{ words: 'T1D', concept: 'D003922', heading: 'Diabetes Mellitus, Type 1', year: '2026' }],
        },
      },
    },
  ),
  one(
    'a search by concepts counts both ways and says why each trial matched',
    'trials-search',
    { q: 'T1D', match: 'concepts', pageSize: 1 },
    {
      data: {
        trials: [{ matchedBy: [{ words: 'T1D', concept: 'D003922', source: 'reviewed', via: 'registry-mesh' }] }],
      },
      meta: { matching: { strict: 0, expanded: 20, strictOnly: 0 }, pagination: { totalItems: 20 } },
    },
  ),
  one(
    'an operator that is read as a word is told',
    'trials-search',
    { q: 'diabetes OR asthma', pageSize: 1 },
    {
      meta: { notices: [expect.stringContaining('q takes no operators (OR)')], pagination: { totalItems: 0 } },
    },
  ),
  one(
    'an unknown argument is dropped and named',
    'trials-search',
    { q: 'anemia', serch: 'cancer' },
    {
      meta: { ignored: ['serch'], filters: { q: 'anemia' }, pagination: { totalItems: 8 } },
    },
  ),
  ...(
    [
      ['USA', 'United States', 219],
      ['gb', 'United Kingdom', 142],
      ['England', 'United Kingdom', 142],
      ['Korea', 'South Korea', 39],
      ['KOR', 'South Korea', 39],
      ['Turkey (Türkiye)', 'Türkiye', 44],
      ['Czech Republic', 'Czechia', 0],
      ['Russian Federation', 'Russia', 0],
      ['Viet Nam', 'Vietnam', 0],
    ] as const
  ).map(([country, read, totalItems]) =>
    one(
      `the country ${country} is read as ${read}`,
      'trials-search',
      { country, pageSize: 1 },
      { meta: { filters: { country: read }, pagination: { totalItems } } },
    ),
  ),
  one(
    'a country that nobody knows is refused, never counted as nought',
    'trials-search',
    { country: 'Narnia' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'country',
      expected: 'nearest to the text that was sent: Armenia',
    },
  ),
  one(
    "the registries' own words for statuses and phases are read",
    'trials-search',
    { q: 'diabetes', status: ['RECRUITING', 'Completed'], phase: ['PHASE1/PHASE2', 'Phase III'], pageSize: 1 },
    {
      meta: {
        filters: { q: 'diabetes', status: 'recruiting,completed', phase: '1-2,3' },
        pagination: { totalItems: 14 },
      },
    },
  ),
  one(
    'a phase that nobody knows is refused with those that are near',
    'trials-search',
    { phase: 'PHASE9' },
    { status: 400, code: 'INVALID_PARAM', parameter: 'phase', expected: 'nearest to the text that was sent: ' },
  ),
  one(
    'a topic that is not curated is refused with those that are near',
    'trials-search',
    { topic: 'type1-diabets' },
    { status: 400, code: 'INVALID_PARAM', parameter: 'topic', expected: 'type-1-diabetes' },
  ),
  one(
    'a page size over the ceiling is refused by name',
    'trials-search',
    { pageSize: 101 },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'pageSize',
      issues: ['pageSize'],
    },
  ),
  one(
    'all unusable arguments are named at once',
    'trials-search',
    { page: 'x', pageSize: 0, status: 'asleep' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'status',
      issues: ['status', 'page', 'pageSize'],
    },
  ),
  one(
    'a day that is not in the calendar is refused',
    'trials-search',
    { startedAfter: '2026-02-30' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'startedAfter',
    },
  ),
  one(
    'text of many scripts is searched for, not refused',
    'trials-search',
    { q: 'Søren “東京” 💊' },
    {
      data: { trials: [] },
      meta: { filters: { q: 'Søren “東京” 💊' } },
    },
  ),
];

const counts: Case[] = [
  one(
    'a coverage by concepts counts both ways and explains the query on request',
    'trials-coverage',
    { q: '"type 1 diabetes" OR asthma -T1D', match: 'concepts', include: ['explain'] },
    {
      meta: {
        matching: {
          strict: 0,
          query: {
            any: [{ phrase: 'type 1 diabetes' }, { all: [{ words: 'asthma' }, { not: { concept: 'D003922' } }] }],
          },
        },
      },
    },
  ),
  one(
    'coverage gives the distinct count and never a sum over the registries',
    'trials-coverage',
    { q: 'diabetes' },
    {
      data: DIABETES_COVERAGE,
      meta: { filters: { q: 'diabetes' }, ...NOT_WORLDWIDE },
    },
  ),
  one(
    'coverage takes the filters of the search',
    'trials-coverage',
    { q: 'diabetes', registry: 'isrctn' },
    {
      data: { distinct: 24 },
    },
  ),
  one(
    'a search by modality shows what each label rests on and that it is inferred',
    'trials-search',
    { modality: ['engineered-cell'], pageSize: 1 },
    {
      data: {
        trials: [
          {
            modality: {
              basis: 'derived',
              vocabulary: 'modality-7+substances-6',
              labels: expect.arrayContaining([
                { id: 'engineered-cell', matchedTerms: expect.arrayContaining([expect.anything()]) },
              ]),
            },
          },
        ],
      },
      meta: {
        filters: { modality: 'engineered-cell' },
        derived: { modality: { vocabulary: 'modality-7+substances-6' } },
      },
    },
  ),
  one(
    'a modality that the vocabulary lacks is refused',
    'trials-coverage',
    { modality: 'magic' },
    { status: 400, code: 'INVALID_PARAM', parameter: 'modality' },
  ),
  one(
    'a topic that is not curated is refused',
    'trials-coverage',
    { topic: 'no-such-topic' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'topic',
    },
  ),
  one(
    'a landscape by concepts describes the set that a search by concepts counts',
    'trials-landscape',
    { q: 'T1D', match: 'concepts' },
    { data: { trials: 20 }, meta: { matching: { strict: 0, expanded: 20 } } },
  ),
  one(
    'the landscape describes the set that coverage counts',
    'trials-landscape',
    { q: 'diabetes' },
    {
      data: {
        trials: 86,
        enrollment: { stated: 85, notStated: 1, lowerQuartile: 31, median: 85, upperQuartile: 271 },
        sponsors: { trialsWithSponsor: 86, sponsors: 85 },
      },
      meta: NOT_WORLDWIDE,
    },
  ),
  one(
    'stats give the size of the corpus and the curated topics',
    'trials-stats',
    {},
    {
      data: { corpus: { distinct: 766, inBoth: 50, inflation: 50 } },
      meta: NOT_WORLDWIDE,
    },
  ),
];

const records: Case[] = [
  one(
    'a trial is read by its canonical id',
    'trials-detail',
    { canonicalId: MERGED.canonicalId },
    { data: mergedTrial },
  ),
  one(
    'a trial is read by a registry id in any case',
    'trials-detail',
    { canonicalId: MERGED.isrctn.toLowerCase() },
    {
      data: mergedTrial,
    },
  ),
  one(
    'the untouched registry payload comes with its checksum when asked for',
    'trials-detail',
    { canonicalId: MERGED.nct, includeRaw: true },
    { data: { canonicalId: MERGED.canonicalId, registrations: [{ checksum: expect.stringMatching(/^sha256:/) }, {}] } },
  ),
  one(
    'an id of no trial is TRIAL_NOT_FOUND',
    'trials-detail',
    { canonicalId: 'wt_000000000000' },
    {
      status: 404,
      code: 'TRIAL_NOT_FOUND',
    },
  ),
  one(
    'a flag that is neither true nor false is refused',
    'trials-detail',
    { canonicalId: MERGED.nct, includeRaw: 'yes' },
    { status: 400, code: 'INVALID_PARAM', parameter: 'includeRaw' },
  ),
  one(
    'a literature that is not read is unavailable, never empty',
    'trials-related',
    { id: MERGED.nct },
    {
      data: {
        canonicalId: MERGED.canonicalId,
        registryDeclared: { state: 'answered', publications: [] },
        literature: { state: 'unavailable', records: null },
      },
    },
  ),
  one(
    'research related to no trial is TRIAL_NOT_FOUND',
    'trials-related',
    { id: 'NCT00000000' },
    {
      status: 404,
      code: 'TRIAL_NOT_FOUND',
    },
  ),
  one(
    'a registry id resolves to its trial and all registrations',
    'trials-registrations',
    { id: MERGED.isrctn },
    {
      data: {
        total: 1,
        matches: [{ canonicalId: MERGED.canonicalId, standing: 'registration', trial: mergedTrial, absentFrom: [] }],
      },
    },
  ),
  one('a resolution without an id is MISSING_ID', 'trials-registrations', {}, { status: 400, code: 'MISSING_ID' }),
  one(
    'an id that no registry could have issued is refused',
    'trials-registrations',
    { id: 'NCT;DROP' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'id',
    },
  ),
  {
    title: 'a path argument that is left out is refused by its name',
    flatOnly: true,
    steps: [
      {
        operation: 'trials-detail',
        given: {},
        expect: { status: 400, code: 'INVALID_PARAM', parameter: 'canonicalId', issues: ['canonicalId'] },
      },
    ],
  },
  {
    title: 'a path argument that would lead to another path is refused by its name',
    flatOnly: true,
    steps: [
      {
        operation: 'trials-detail',
        given: { canonicalId: '..' },
        expect: { status: 400, code: 'INVALID_PARAM', parameter: 'canonicalId' },
      },
    ],
  },
  one(
    'a slash in an id stays in the id',
    'trials-detail',
    { canonicalId: 'stats/../search' },
    {
      status: 404,
      code: 'TRIAL_NOT_FOUND',
    },
  ),
];

const registries: Case[] = [
  one(
    'the sources name both registries, their state and their licence',
    'sources',
    {},
    {
      data: {
        sources: [
          { registry: 'clinicaltrials_gov', state: 'answered', registrations: 598 },
          { registry: 'isrctn', state: 'answered', registrations: 218 },
        ],
        snapshot: { corpus: 'sample', asOf: '2026-10-01' },
      },
    },
  ),
  one(
    'freshness gives the age of each layer beside what was promised',
    'freshness',
    {},
    {
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
  ),
];

export const TRIAL_CASES: readonly Case[] = [...search, ...counts, ...records, ...registries];
