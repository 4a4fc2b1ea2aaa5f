import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Fit,
  fitExponential,
  fitVisits,
  identifiability,
  LOSS_RATE_BOUNDS,
  lossRateInterval,
  STRESS_RATIO_BOUNDS,
  type Visit,
} from './fit.ts';
import { relativeNative } from './model.ts';
import { observedVisits } from './observations.ts';

interface FitCase {
  id: string;
  weeks: number[];
  values: number[];
  recoveryRate: number;
  trainingThroughWeek: number;
  k: string;
  h: string;
  sse: string;
  kPureExponential: string;
  estimateCorrelation: string;
}

const CASES: FitCase[] = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')).fits;

function trainingOf({ weeks, values, trainingThroughWeek }: FitCase): Visit[] {
  const points = weeks.map((week, at) => ({ week, value: values[at]! }));
  return observedVisits(points, trainingThroughWeek).filter(({ role }) => role === 'training');
}

function visitsOf(weeks: readonly number[], native: Parameters<typeof relativeNative>[0]): Visit[] {
  return weeks.map((week) => ({ week, logRatio: Math.log(relativeNative(native, week)) }));
}

/** Sum of squared errors at a point, computed independently of the code under test. */
function costAt(visits: readonly Visit[], r: number, k: number, h: number): number {
  return visits.reduce(
    (sum, { week, logRatio }) => sum + (logRatio + k * week - Math.log(1 + h * (1 - Math.exp(-r * week)))) ** 2,
    0,
  );
}

const NOISY = trainingOf(CASES.find(({ id }) => id === 'f3-noisy')!);

describe('the fit', () => {
  it.each(CASES)('finds k to 1e-9 and h to 1e-7: $id', (one) => {
    const visits = trainingOf(one);
    const fit = fitVisits(visits, one.recoveryRate)!;
    expect(Math.abs(fit.lossRate - Number(one.k))).toBeLessThan(1e-9);
    expect(Math.abs(fit.stressRatio - Number(one.h))).toBeLessThan(1e-7);
    expect(Math.abs(fit.sumOfSquares - Number(one.sse))).toBeLessThan(1e-12);
    expect(Math.abs(fitExponential(visits)! - Number(one.kPureExponential))).toBeLessThan(1e-12);
    const { correlation } = identifiability(visits, one.recoveryRate, fit.stressRatio);
    expect(Math.abs(correlation - Number(one.estimateCorrelation))).toBeLessThan(1e-7);
  });

  it('recovers the parameters that made its data', () => {
    const natives = fc.record({
      lossRate: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
      stressRatio: fc.double({ min: 0.05, max: 5, noNaN: true }),
      recoveryRate: fc.double({ min: 0.03, max: 0.3, noNaN: true }),
    });
    fc.assert(
      fc.property(natives, (native) => {
        const fit = fitVisits(visitsOf([4, 13, 26, 39], native), native.recoveryRate)!;
        expect(Math.abs(fit.lossRate - native.lossRate)).toBeLessThan(1e-9);
        expect(Math.abs(fit.stressRatio - native.stressRatio)).toBeLessThan(1e-7);
      }),
      { numRuns: 100, seed: 21 },
    );
  });

  it('is beaten by no point of its bounds', () => {
    const visit = fc.double({ min: -3, max: 3, noNaN: true });
    const point = fc.record({
      k: fc.double({ ...LOSS_RATE_BOUNDS, noNaN: true }),
      h: fc.double({ ...STRESS_RATIO_BOUNDS, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.tuple(visit, visit, visit),
        fc.array(point, { minLength: 20, maxLength: 20 }),
        (ratios, points) => {
          const visits = ratios.map((logRatio, at) => ({ week: 13 * (at + 1), logRatio }));
          const { sumOfSquares } = fitVisits(visits, 0.1)!;
          for (const { k, h } of points) {
            expect(sumOfSquares).toBeLessThanOrEqual(costAt(visits, 0.1, k, h) + 1e-12);
          }
        },
      ),
      { numRuns: 100, seed: 22 },
    );
  });

  it('says on which bound it lies', () => {
    const collapse = [13, 26, 39].map((week) => ({ week, logRatio: -week }));
    expect(fitVisits(collapse, 0.1)).toMatchObject({
      lossRate: 0.2,
      stressRatio: 0,
      atBound: { lossRate: 'upper', stressRatio: 'lower' },
    });
    const explosion = [13, 26, 39].map((week) => ({ week, logRatio: 9 }));
    expect(fitVisits(explosion, 0.1)).toMatchObject({
      lossRate: 0,
      stressRatio: 10,
      atBound: { lossRate: 'lower', stressRatio: 'upper' },
    });
    expect(fitVisits(NOISY, 0.1)!.atBound).toEqual({ lossRate: null, stressRatio: null });
  });

  it('is not made of fewer than two visits', () => {
    expect(fitVisits([], 0.1)).toBeNull();
    expect(fitVisits([{ week: 13, logRatio: 0.1 }], 0.1)).toBeNull();
    expect(fitVisits(NOISY.slice(0, 2), 0.1)!.sumOfSquares).toBeLessThan(1e-30);
    expect(fitExponential([])).toBeNull();
  });
});

describe('the interval of the loss rate', () => {
  const fit = fitVisits(NOISY, 0.1) as Fit;

  it.each([
    [0.02, 0.0085, 0.014],
    [0.05, 0.0043, 0.0179],
    [0.1, 0, 0.0244],
  ])('for an assumed sd of %f runs from %f to %f', (sd, low, high) => {
    const found = lossRateInterval(NOISY, 0.1, fit, 3.84 * sd ** 2);
    expect(Math.abs(found.low - low)).toBeLessThan(0.00006);
    expect(Math.abs(found.high - high)).toBeLessThan(0.00006);
  });
});
