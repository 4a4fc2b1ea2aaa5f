import { expect } from 'vitest';
import { type Case, one } from './case.ts';

const SAMPLE = { provenance: { corpus: 'sample' }, honesty: expect.any(Array) };
const capital = (id: string, name: string) => ({ capital: id, name, count: expect.any(Number) });
const FIFTEEN = Array.from({ length: 15 }, () => ({
  id: expect.any(String),
  activeTrials: expect.any(Number),
  worldDistinct: expect.any(Number),
}));
const SAMPLE_EVENTS = ['sample-open-islet', 'sample-frailty-fund', 'sample-retina-commons', 'sample-silent-launch'];
const READINGS = ['broad', 'insider-weighted', 'mixed', 'not-stated'];

/** The signals over the sample corpus, whose feeds and token events are synthetic. */
export const SIGNAL_CASES: Case[] = [
  one(
    'mind gives the four capitals in their order over the window that was asked for',
    'mind',
    { days: 7 },
    {
      data: {
        window: { days: 7 },
        capitals: [
          capital('M', 'Material'),
          capital('I', 'Intelligence'),
          capital('N', 'Network'),
          capital('D', 'Diversity'),
        ],
        conscienceIndex: { minimumItems: 10 },
        curePulse: { classes: ['research', 'treatment'] },
      },
      meta: { filters: { days: 7 }, ...SAMPLE },
    },
  ),
  one(
    'a window of more than 120 days is refused',
    'mind',
    { days: 121 },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'days',
    },
  ),
  one(
    'a keyword without a word is refused',
    'mind',
    { disease: '?!' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'disease',
    },
  ),
  one(
    'hope counts the curated diseases by their ids and the index beside the census',
    'hope',
    { include: ['trials'] },
    {
      data: {
        trials: { census: { registry: 'clinicaltrials_gov' }, diseases: FIFTEEN, keyword: null },
        world: { registries: [{ state: 'answered' }, { state: 'answered' }] },
      },
      meta: SAMPLE,
    },
  ),
  {
    title: 'a page of research says whether more follows',
    steps: [
      {
        operation: 'hope',
        given: { include: ['research'], limit: 2 },
        expect: { meta: { pagination: { limit: 2, offset: 0, returned: 2, hasMore: true } } },
      },
      {
        operation: 'hope',
        given: { include: ['research'], limit: 1, offset: 2 },
        expect: { data: { research: { items: [{ disease: 'type-1-diabetes' }] } } },
      },
    ],
  },
  one(
    'a cursor that was never given is refused',
    'hope',
    { cursor: 'abc' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'cursor',
    },
  ),
  one(
    'trends without the series still tells volume, momentum and concentration',
    'trends',
    { include: ['signal'], series: false },
    {
      data: {
        signal: {
          window: { days: 30 },
          momentum: { recent: { items: expect.any(Number) }, before: { items: expect.any(Number) } },
          concentration: { byCategory: { groups: expect.any(Number) }, byDomain: { groups: expect.any(Number) } },
        },
      },
      meta: SAMPLE,
    },
  ),
  one(
    'token events are read by how their supply was shared out',
    'trends',
    { include: ['crypto'] },
    {
      data: {
        crypto: { events: SAMPLE_EVENTS.map((id, at) => ({ id, accessReading: READINGS[at], synthetic: true })) },
      },
    },
  ),
  one(
    'a batch answers each signal in an envelope of its own',
    'batch',
    { days: 3 },
    {
      data: {
        mind: { status: 200, data: { window: { days: 3 } }, _meta: SAMPLE },
        hope: { status: 200, data: { research: { total: expect.any(Number) } }, _meta: SAMPLE },
        trends: { status: 200, data: { signal: { window: { days: 30 } } }, _meta: SAMPLE },
      },
    },
  ),
];
