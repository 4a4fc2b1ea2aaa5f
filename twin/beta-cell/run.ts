import type { BetaCellDataset, BetaCellInput, BetaCellOutcome } from '../../contract/schemas/research/beta-cell.ts';
import { combinations } from './combinations.ts';
import { fitArm } from './diagnostics.ts';
import {
  graftLossRate,
  type NativeParameters,
  type Plan,
  plannedNative,
  plannedRatios,
  relativeNative,
} from './model.ts';

/**
 * A whole run: the fit of each arm, and the planner on the control fit. A pure function of its arguments. The outcome says
 * if a fit cannot be made; without the control fit the planner is null.
 */
export function runBetaCell(
  input: Omit<BetaCellInput, 'dataset' | 'customDataset'>,
  { arms }: Pick<BetaCellDataset, 'arms'>,
): BetaCellOutcome {
  const { trainingThroughWeek, recoveryRate, durationWeeks } = input;
  const { immuneSuppression, replacementContribution, graftProtection, graftAttrition } = input;
  const plan: Plan = { immuneSuppression, replacementContribution, graftProtection, graftAttrition };
  const fitOf = (id: 'control' | 'comparator') =>
    fitArm(arms.find((arm) => arm.id === id)!.points, trainingThroughWeek, recoveryRate);
  const fit = { control: fitOf('control'), comparator: fitOf('comparator') };
  const { lossRate, stressRatio } = fit.control;
  const native = lossRate === null || stressRatio === null ? null : { lossRate, stressRatio, recoveryRate };
  return { fit, planner: native && planned(native, plan, durationWeeks) };
}

function planned(native: NativeParameters, plan: Plan, durationWeeks: number): NonNullable<BetaCellOutcome['planner']> {
  const curve = Array.from({ length: durationWeeks + 1 }, (_, week) => ({
    week,
    ...plannedRatios(native, plan, week),
    unperturbed: relativeNative(native, week),
  }));
  return {
    basis: 'control',
    nativeLossRate: plannedNative(native, plan).lossRate,
    graftLossRate: graftLossRate(native, plan),
    curve,
    combinations: combinations(native, plan, durationWeeks),
  };
}
