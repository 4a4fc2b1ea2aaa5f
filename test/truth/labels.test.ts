import { describe, expect, test } from 'vitest';
import { agreement, kappa, type LabelSet, labelRow, rightLabels } from './labels.ts';

const SET: LabelSet = {
  checked: { by: 'two readers', how: 'by reading', on: '2026-11-23' },
  strata: {},
  trials: {
    N1: { a: ['x'] },
    N2: { a: ['x', 'y'], b: ['x'], settled: ['x'], why: 'y is only mentioned' },
    N3: { a: [] },
    N4: { a: [], b: ['y'], settled: ['y'], why: 'y is given' },
  },
};
const FOUND = new Map([
  ['N1', new Set(['x', 'y'])],
  ['N2', new Set(['x'])],
]);

describe('labels of two readers', () => {
  test('count as both wrote them, and as settled where they differ', () => {
    expect([...rightLabels(SET)].map(([id, labels]) => `${id} ${[...labels]}`)).toEqual([
      'N1 x',
      'N2 x',
      'N3 ',
      'N4 y',
    ]);
  });

  test('give precision and recall by label, with each wrong and missed trial', () => {
    const right = rightLabels(SET);
    expect(labelRow('all', right, FOUND)).toEqual({
      what: 'all',
      n: 4,
      precision: { hits: 2, of: 3 },
      recall: { hits: 2, of: 3 },
      misses: [
        { id: 'N1', why: 'wrong' },
        { id: 'N4', why: 'missed' },
      ],
    });
    expect(labelRow('x', right, FOUND, { of: ['x'], ids: ['N1', 'N3'] })).toMatchObject({
      n: 2,
      precision: { hits: 1, of: 1 },
      recall: { hits: 1, of: 1 },
    });
  });

  test('agree by Cohen’s kappa, less what chance would give', () => {
    // Of 8 decisions 6 agree (2 yes, 4 no); each reader says yes to 3: chance is (9 + 25) / 64.
    expect(kappa(SET, ['x', 'y'])).toBeCloseTo((6 / 8 - 34 / 64) / (1 - 34 / 64), 10);
  });

  test('show each difference with how it was settled', () => {
    expect(agreement(SET, ['x', 'y'])[1]).toBe('Settled: N2 not y (y is only mentioned); N4 y (y is given).');
  });

  test('that both wrote against the guideline are settled too, and shown apart from the differences', () => {
    const set: LabelSet = { ...SET, trials: { ...SET.trials, N5: { a: ['x'], settled: ['y'], why: 'it is y' } } };
    expect(rightLabels(set).get('N5')).toEqual(new Set(['y']));
    expect(agreement(set, ['x', 'y'])).toEqual([
      expect.stringContaining('agree on all labels of 3 of 5 trials'),
      'Settled: N2 not y (y is only mentioned); N4 y (y is given).',
      'Settled against both readers, by the guideline: N5 not x, y (it is y).',
    ]);
  });
});
