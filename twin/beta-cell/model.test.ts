import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  graftLossRate,
  type NativeParameters,
  type Plan,
  peak,
  plannedNative,
  plannedRatios,
  relativeNative,
} from './model.ts';

/** Computed with sixty digits by code outside this project. */
const VECTORS: {
  forward: (Record<string, string> & {
    id: string;
    params: NativeParameters & Plan;
    peakWeekUnperturbed: string | null;
    rows: (Record<string, string> & { t: number })[];
  })[];
} = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'));

const ROWS = VECTORS.forward.flatMap(({ id, params, rows }) => rows.map((row) => ({ id, params, row })));

function relativeError(found: number, wanted: string): number {
  const value = Number(wanted);
  return value === 0 ? Math.abs(found) : Math.abs(found / value - 1);
}

/** Integrates the model's equations by Runge-Kutta of order four, without their closed solution. */
function integrated({ lossRate: k, stressRatio: h, recoveryRate: r }: NativeParameters, t: number): number[] {
  const slope = ([b, s]: number[]): number[] => [-k * b! + r * s!, -(r + k) * s!, k * (b! + s!)];
  const moved = (from: number[], by: number[], step: number) => from.map((value, at) => value + step * by[at]!);
  const steps = Math.max(1, Math.ceil(t * 20));
  const step = t / steps;
  let state = [1 / (1 + h), h / (1 + h), 0];
  for (let at = 0; at < steps; at += 1) {
    const one = slope(state);
    const two = slope(moved(state, one, step / 2));
    const three = slope(moved(state, two, step / 2));
    const four = slope(moved(state, three, step));
    state = state.map((value, i) => value + (step / 6) * (one[i]! + 2 * two[i]! + 2 * three[i]! + four[i]!));
  }
  return state;
}

const natives = fc.record({
  lossRate: fc.double({ min: 0, max: 0.2, noNaN: true }),
  stressRatio: fc.double({ min: 0, max: 10, noNaN: true }),
  recoveryRate: fc.double({ min: 0.02, max: 0.3, noNaN: true }),
});
const weeks = fc.double({ min: 0, max: 104, noNaN: true });

describe('the closed form', () => {
  it('is checked at 64 points', () => {
    expect(ROWS.length).toBe(64);
  });

  it.each(ROWS)('agrees with sixty-digit arithmetic: $id at week $row.t', ({ params, row }) => {
    const initial = 1 / (1 + params.stressRatio);
    const { native, graft, total } = plannedRatios(params, params, row.t);
    const found: Record<string, number> = {
      B: relativeNative(params, row.t) * initial,
      relUnperturbed: relativeNative(params, row.t),
      plannerB: native * initial,
      plannerRelNative: native,
      relGraft: graft,
      G: graft * initial,
      totalRelative: total,
    };
    // This implementation does not compute stressed and lost mass.
    const { t: _, S: _s, D: _d, plannerS: _ps, plannerD: _pd, ...wanted } = row;
    expect(Object.keys(found).sort()).toEqual(Object.keys(wanted).sort());
    for (const [name, text] of Object.entries(wanted)) {
      expect(relativeError(found[name]!, String(text)), name).toBeLessThan(1e-12);
    }
  });

  it.each(VECTORS.forward)(
    'has its rates and its peak: $id',
    ({ params, nativeLossRatePlanner, graftLossRate: g, peakWeekUnperturbed }) => {
      expect(relativeError(plannedNative(params, params).lossRate, nativeLossRatePlanner!)).toBeLessThan(1e-12);
      expect(relativeError(graftLossRate(params, params), g!)).toBeLessThan(1e-12);
      const { week } = peak(params);
      if (peakWeekUnperturbed !== null) expect(relativeError(week!, peakWeekUnperturbed)).toBeLessThan(1e-12);
      else expect(week === null || week === 0).toBe(true);
    },
  );

  it('agrees with the equations integrated step by step', () => {
    fc.assert(
      fc.property(natives, weeks, (native, t) => {
        const [functional] = integrated(native, t);
        const found = relativeNative(native, t) / (1 + native.stressRatio);
        expect(Math.abs(found - functional!)).toBeLessThan(1e-9);
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  it('is nowhere higher than at its peak', () => {
    fc.assert(
      fc.property(natives, weeks, (native, t) => {
        expect(relativeNative(native, t)).toBeLessThanOrEqual(peak(native).relative * (1 + 1e-12));
      }),
      { seed: 13 },
    );
  });

  it('begins at 1 and, with a graft, at 1 and the graft', () => {
    const native = { lossRate: 0.02, stressRatio: 0.4, recoveryRate: 0.1 };
    const plan = { immuneSuppression: 1, replacementContribution: 2, graftProtection: 0, graftAttrition: 0.1 };
    expect([relativeNative(native, 0), plannedRatios(native, plan, 0).total]).toEqual([1, 3]);
    // Under full suppression the graft loses cells only by attrition.
    expect(graftLossRate(native, plan)).toBe(0.1);
  });
});
