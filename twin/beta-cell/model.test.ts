import { readFileSync } from 'node:fs';
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

describe('the closed form', () => {
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
});
