import { describe, expect, it } from 'vitest';
import { accessReading, holdsKeyword, loadCuratedSignals } from './curated.ts';
import { changeOf, evenness, shareOf } from './formulas.ts';

describe('the formulas', () => {
  it('give evenness 1 to four equal shares, 0 to one that holds all, and nothing below the minimum', () => {
    expect(evenness([5, 5, 5, 5], 10)).toBe(1);
    expect(evenness([20, 0, 0, 0], 10)).toBe(0);
    expect(evenness([10, 10, 0, 0], 10)).toBe(0.5);
    expect([evenness([3, 3, 3, 0], 10), evenness([0, 0, 0, 0], 0)]).toEqual([null, null]);
  });

  it('know no share of nothing and no change from nothing', () => {
    expect([shareOf(1, 3), shareOf(0, 0), changeOf(3, 2), changeOf(1, 4), changeOf(5, 0)]).toEqual([
      0.3333,
      null,
      0.5,
      -0.75,
      null,
    ]);
  });

  it('read access from both shares or not at all', () => {
    expect(
      [
        [0.5, 0.5],
        [0.4, 0.41],
        [0.4, 0.4],
        [null, 0.9],
        [0.9, null],
      ].map(([open, inside]) => accessReading(open!, inside!)),
    ).toEqual(['broad', 'insider-weighted', 'mixed', 'not-stated', 'not-stated']);
  });
});

describe('the curated data', () => {
  it('lists no token event for real registries, and synthetic ones alone for the sample', () => {
    const { tokenEvents } = loadCuratedSignals();
    expect(tokenEvents('registries').events).toEqual([]);
    expect(tokenEvents('sample').events.map(({ synthetic }) => synthetic)).toEqual([true, true, true, true]);
  });

  it('meets a keyword by words, in any spelling, over all texts together', () => {
    expect(holdsKeyword('haemophilia gene', ['Hemophilia', 'a gene'])).toBe(true);
    expect(holdsKeyword('type 1 diabetes', ['type-1-diabetes'])).toBe(true);
    expect(holdsKeyword('diabetes insipidus', ['type-1-diabetes'])).toBe(false);
  });
});
