import type { Cases } from './case.ts';

/** Facts of the sample corpus: counts over time, and registrations side by side. */

export const TREND_CASES: Cases = {
  'a trend counts the trials of a query by the year of their start, and those without one apart': {
    operation: 'trials-trend',
    given: { q: 'diabetes', status: ['completed'], startedAfter: '2021-01-01' },
    data: {
      ...{ by: 'year', split: null, trials: 11, withStart: 11, withoutStart: 0, series: null },
      periods: [
        { period: '2021', trials: 5 },
        { period: '2022', trials: 0 },
        { period: '2023', trials: 3 },
        { period: '2024', trials: 1 },
        { period: '2025', trials: 2 },
      ],
    },
    meta: { filters: { q: 'diabetes', status: 'completed' } },
  },
  'the registrations of a trial are compared field by field, by its canonical id or a registry id': {
    operation: 'trials-compare',
    given: { id: 'NCT90000183' },
    data: {
      canonicalId: 'wt_r1r6vb1x9ja8',
      registrations: [{ id: 'NCT90000183' }, { id: 'ISRCTN90531804' }],
      absentFrom: [],
      verdicts: { equal: 16, equalAfter: 5, differs: 11, onlyIn: 14, notStated: 13 },
    },
  },
  'the values of a filter are those with a text at the start of a word, most trials first': {
    operation: 'trials-values',
    given: { field: 'country', text: 'king' },
    data: { field: 'country', total: 1, values: [{ value: 'United Kingdom' }] },
  },
};
