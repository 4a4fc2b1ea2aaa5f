import { expect } from 'vitest';
import type { Cases } from './case.ts';

const SAMPLE = { provenance: { corpus: 'sample' }, honesty: expect.any(Array) };
const capital = (id: string, name: string) => ({ capital: id, name, count: expect.any(Number) });
const FIFTEEN = Array.from({ length: 15 }, () => ({
  id: expect.any(String),
  activeTrials: expect.any(Number),
  worldDistinct: expect.any(Number),
}));

/** The signals over the sample corpus, whose feeds and token events are synthetic. */
export const SIGNAL_CASES: Cases = {
  'mind gives the four capitals in their order over the window that was asked for': {
    operation: 'mind',
    given: { days: 7 },
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
  'hope counts the curated diseases by their ids and the index beside the census': {
    operation: 'hope',
    given: { include: ['trials'] },
    data: {
      trials: { census: { registry: 'clinicaltrials_gov' }, diseases: FIFTEEN, keyword: null },
      world: { registries: [{ state: 'answered' }, { state: 'answered' }] },
    },
    meta: SAMPLE,
  },
  'trends without the series still tells volume, momentum and concentration': {
    operation: 'trends',
    given: { include: ['signal'], series: false },
    data: {
      signal: {
        window: { days: 30 },
        momentum: { recent: { items: expect.any(Number) }, before: { items: expect.any(Number) } },
        concentration: { byCategory: { groups: expect.any(Number) }, byDomain: { groups: expect.any(Number) } },
      },
    },
    meta: SAMPLE,
  },
  'a batch answers each signal in an envelope of its own': {
    operation: 'batch',
    given: { days: 3 },
    data: {
      mind: { status: 200, data: { window: { days: 3 } }, _meta: SAMPLE },
      hope: { status: 200, data: { research: { total: expect.any(Number) } }, _meta: SAMPLE },
      trends: { status: 200, data: { signal: { window: { days: 30 } } }, _meta: SAMPLE },
    },
  },
};
