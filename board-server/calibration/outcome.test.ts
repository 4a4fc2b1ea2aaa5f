import { describe, expect, it } from 'vitest';
import { bandsOf, brierScore, outcomeOf, pooledBands, type SubjectStanding } from './outcome.ts';

const HORIZON = 1_000;
const OPEN: SubjectStanding = { happenedAt: null, closedAt: null };
const happened = (at: number): SubjectStanding => ({ happenedAt: at, closedAt: null });
const closed = (at: number): SubjectStanding => ({ happenedAt: null, closedAt: at });

describe('the outcome of a prediction', () => {
  it.each<[string, SubjectStanding, number, boolean | null, number | null]>([
    ['nothing yet, before the horizon', OPEN, 999, null, null],
    ['nothing, at the horizon exactly', OPEN, 1_000, false, 1_000],
    ['nothing, long after it', OPEN, 9_000, false, 1_000],
    ['it happened early', happened(10), 500, true, 10],
    ['it happened early, read after the horizon', happened(10), 9_000, true, 10],
    ['it happened at the last instant in time', happened(999), 999, true, 999],
    ['it happened at the horizon exactly', happened(1_000), 1_000, false, 1_000],
    ['it happened later', happened(1_001), 9_000, false, 1_000],
    ['it closed early', closed(10), 10, false, 10],
    ['it closed at the last instant in time', closed(999), 9_000, false, 999],
    ['it closed at the horizon exactly', closed(1_000), 1_000, false, 1_000],
    ['it closed later', closed(1_001), 9_000, false, 1_000],
  ])('where %s', (_name, standing, now, came, resolvedAt) => {
    const state = (hit: boolean) => (came === null ? 'open' : hit ? 'came_true' : 'did_not');
    expect(outcomeOf({ expects: 'yes', horizon_at: HORIZON }, standing, now)).toEqual({
      state: state(came === true),
      happened: came,
      resolvedAt,
    });
    expect(outcomeOf({ expects: 'no', horizon_at: HORIZON }, standing, now)).toEqual({
      state: state(came === false),
      happened: came,
      resolvedAt,
    });
  });
});

describe('bands of confidence', () => {
  const resolved = (confidence: number, cameTrue = true) => ({ confidence, cameTrue });

  it('take their lower end and leave the upper one to the next, the last takes both', () => {
    const all = [0.5, 0.599, 0.6, 0.7, 0.799, 0.8, 0.9, 0.99].map((confidence) => resolved(confidence));
    expect(bandsOf(all, 1).map(({ from, to, toIncluded, resolved }) => [from, to, toIncluded, resolved])).toEqual([
      [0.5, 0.6, false, 2],
      [0.6, 0.7, false, 1],
      [0.7, 0.8, false, 2],
      [0.8, 0.9, false, 1],
      [0.9, 0.99, true, 2],
    ]);
  });

  it('show no rate of fewer than five when pooled', () => {
    const four = [0.6, 0.61, 0.62, 0.63].map((confidence) => resolved(confidence));
    expect(pooledBands(four)[1]).toEqual({
      from: 0.6,
      to: 0.7,
      toIncluded: false,
      resolved: 4,
      status: 'too_few',
      cameTrue: null,
      hitRate: null,
    });
    expect(pooledBands([...four, resolved(0.69, false)])[1]).toMatchObject({
      resolved: 5,
      status: 'shown',
      cameTrue: 4,
      hitRate: 0.8,
    });
    expect(pooledBands([])[0]).toMatchObject({ resolved: 0, status: 'none', hitRate: null });
  });
});

describe('the Brier score', () => {
  it('is the mean squared difference of confidence and outcome', () => {
    expect(brierScore([])).toBeNull();
    expect(brierScore([{ confidence: 0.5, cameTrue: true }])).toBe(0.25);
    expect(brierScore([{ confidence: 0.5, cameTrue: false }])).toBe(0.25);
    // (0.25^2 + 0.75^2) / 2
    expect(
      brierScore([
        { confidence: 0.75, cameTrue: true },
        { confidence: 0.75, cameTrue: false },
      ]),
    ).toBe(0.3125);
  });
});
