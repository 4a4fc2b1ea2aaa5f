import { describe, expect, it } from 'vitest';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import { betaCellOutcomeSchema } from '../../contract/schemas/research/beta-cell.ts';
import { fitArm } from './diagnostics.ts';
import { runBetaCell } from './run.ts';

const { customDataset, ...INPUT } = BETA_CELL_EXAMPLE;
const NOISY = customDataset.arms[0]!.points;
const RUN = runBetaCell(INPUT, customDataset);

const visits = (weeks: readonly number[], values: readonly number[]) =>
  weeks.map((week, at) => ({ week, value: values[at]! }));

describe('an arm', () => {
  const fit = fitArm(NOISY, 39, 0.1);

  it('shows each visit with its role, what was observed and what the fit says', () => {
    const roles = fit.visits.map(({ week, role }) => `${week} ${role}`);
    expect(roles.join(', ')).toBe('0 baseline, 13 training, 26 training, 39 training, 52 held-out');
    const last = fit.visits.at(-1)!;
    expect(last.observedRatio).toBeCloseTo(0.7333333333, 9);
    expect(last.predictedRatio).toBeCloseTo(0.7681546218, 9);
    expect(last.logResidual).toBeCloseTo(-0.0463906929, 9);
    expect(last.percentError).toBeCloseTo(4.7483575427, 9);
  });

  it('keeps visits after the training week out of the fit', () => {
    const altered = fitArm([...NOISY.slice(0, 4), { week: 52, value: 999 }], 39, 0.1);
    expect([altered.lossRate, altered.stressRatio]).toEqual([fit.lossRate, fit.stressRatio]);
    expect(altered.heldOut).not.toEqual(fit.heldOut);
  });

  it('that begins after week 0 is fitted from its first visit, in the weeks that were stated', () => {
    const late = fitArm(
      NOISY.map(({ week, value }) => ({ week: week + 4, value })),
      43,
      0.1,
    );
    expect([late.originWeek, late.lossRate, late.stressRatio]).toEqual([4, fit.lossRate, fit.stressRatio]);
    expect(late.visits.map(({ week }) => week)).toEqual([4, 17, 30, 43, 56]);
    expect(late.peak!.week).toBeCloseTo(fit.peak!.week! + 4, 12);
    expect([fit.originWeek, fit.heldOut.note]).toEqual([0, null]);
  });

  it('has the errors of three predictions without a model beside its own', () => {
    expect(fit.heldOut.visits).toBe(1);
    expect(fit.heldOut.predictions.map(({ prediction, logRmse }) => [prediction, logRmse!.toFixed(6)])).toEqual([
      ['model', '0.046391'],
      // The values are |ln(.53/.44)|, |ln(mean(.66, .61, .53)/.44)| and |ln(exp(-52 k)/(.44/.60))| with k 0.0013395009.
      ['last-training-value', '0.186102'],
      ['mean-of-training-values', '0.310155'],
      ['pure-exponential', '0.240501'],
    ]);
  });

  it('tells how k moves with the recovery rate that is assumed', () => {
    expect(fit.sensitivity.map(({ recoveryRate, lossRate }) => [recoveryRate, lossRate!.toFixed(6)])).toEqual([
      [0.02, '0.022189'],
      [0.3, '0.008604'],
    ]);
  });

  it.each([
    ['fitted', 'inside', NOISY, 39, 0.1],
    ['no-residual-freedom', 'inside', NOISY, 26, 0.1],
    ['at-bound', 'below', visits([0, 13, 26, 39, 52], [1, 1.1, 1.15, 1.2, 1.22]), 39, 0.1],
    ['at-bound', 'above', visits([0, 13, 26, 39, 52], [1, 0.05, 0.002, 0.0001, 0.00001]), 39, 0.1],
    ['not-identifiable', 'below', visits([0, 0.25, 0.5, 0.75, 1], [1, 1.001, 1.002, 1.003, 1.004]), 39, 0.02],
    ['too-few-visits', null, NOISY, 13, 0.1],
    ['too-few-visits', null, NOISY, 1, 0.1],
  ] as const)(
    'says in its status that it is %s, and that k lies %s the plausible range',
    (status, plausibility, points, through, r) => {
      expect(fitArm(points, through, r)).toMatchObject({ status, plausibility });
    },
  );

  it('without enough visits keeps what was observed and leaves the rest null', () => {
    expect(fitArm(NOISY, 1, 0.1)).toMatchObject({
      lossRate: null,
      stressRatio: null,
      degreesOfFreedom: null,
      peak: null,
      identifiability: null,
      trainingVisits: 0,
      statusReason: expect.stringContaining('0 training visit(s)'),
    });
    const { visits: seen, heldOut } = fitArm(NOISY, 13, 0.1);
    expect(seen.map(({ observedRatio }) => observedRatio!.toFixed(3)).join(' ')).toBe('1.000 1.100 1.017 0.883 0.733');
    expect(heldOut.predictions.map(({ logRmse }) => logRmse === null)).toEqual([true, false, false, false]);
  });
});

describe('a run', () => {
  it('fits each arm alone and plans on the control alone', () => {
    const [control, comparator] = customDataset.arms;
    const other = { ...comparator!, points: visits([0, 13, 26, 39, 52], [1, 9, 9, 9, 9]) };
    const altered = runBetaCell(INPUT, { arms: [control!, other] });
    expect(altered.planner).toEqual(RUN.planner);
    expect(altered.fit.control).toEqual(RUN.fit.control);
    expect(altered.fit.comparator).not.toEqual(RUN.fit.comparator);
  });

  it('begins at 1 with the graft on top, and shows the unperturbed control beside it', () => {
    const { curve } = RUN.planner!;
    expect(curve[0]).toEqual({ week: 0, native: 1, graft: 0.25, total: 1.25, unperturbed: 1 });
    const held = RUN.fit.control.visits.at(-1)!;
    expect(curve[52]!.unperturbed).toBe(held.predictedRatio);
    expect(RUN.planner!.nativeLossRate).toBe(RUN.fit.control.lossRate! / 2);
  });

  it('has the eight combinations, none of them the unperturbed control and all of them the plan', () => {
    const { combinations, curve } = RUN.planner!;
    const named = combinations.map(({ suppression, replacement, protection }) =>
      [suppression, replacement, protection].map(Number).join(''),
    );
    expect(named).toEqual(['000', '001', '010', '011', '100', '101', '110', '111']);
    expect(combinations[0]!.total).toBe(curve[52]!.unperturbed);
    expect(combinations[0]!.graft).toBe(0);
    expect(combinations[7]!.total).toBe(curve[52]!.total);
  });

  it('gives each combination its own rates: 0.5 suppressed, 0.25 replaced, 0.8 protected, 0.01 lost otherwise', () => {
    const { lossRate: k, stressRatio: h } = RUN.fit.control;
    for (const { suppression, replacement, protection, native, graft } of RUN.planner!.combinations) {
      const left = suppression ? 0.5 * k! : k!;
      const lost = left * (protection ? 0.2 : 1) + 0.01;
      expect(native).toBeCloseTo(Math.exp(-52 * left) * (1 + h! * (1 - Math.exp(-5.2))), 12);
      expect(graft).toBeCloseTo(replacement ? 0.25 * Math.exp(-52 * lost) : 0, 12);
    }
  });

  it('has no planner where the control cannot be fitted, and is an answer all the same', () => {
    const outcome = runBetaCell({ ...INPUT, trainingThroughWeek: 1 }, customDataset);
    expect(outcome.planner).toBeNull();
    expect(outcome.fit.control.status).toBe('too-few-visits');
    expect(betaCellOutcomeSchema.safeParse(outcome).success).toBe(true);
  });

  it('stays an answer for the most extreme values that it takes', () => {
    const extreme = visits([0, 0.25, 0.5, 0.75, 104], [Number.MIN_VALUE, 1e6, Number.MIN_VALUE, 1e6, Number.MIN_VALUE]);
    const rising = visits([0, 1, 2, 3, 104], [1e6, Number.MIN_VALUE, 1e6, Number.MIN_VALUE, 1e6]);
    const outcome = runBetaCell(
      { ...INPUT, recoveryRate: 0.02 },
      {
        arms: [
          { id: 'control', label: 'one', points: extreme },
          { id: 'comparator', label: 'other', points: rising },
        ],
      },
    );
    expect(betaCellOutcomeSchema.safeParse(JSON.parse(JSON.stringify(outcome))).error).toBeUndefined();
  });
});
