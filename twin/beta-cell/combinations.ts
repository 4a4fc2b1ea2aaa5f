import type { BetaCellCombination } from '../../contract/schemas/research/beta-cell.ts';
import { type NativeParameters, type Plan, plannedRatios } from './model.ts';

const SWITCHES = [false, true] as const;

/**
 * The equations at one week for each combination of suppression, replacement and protection as planned or off, in a fixed
 * order that ranks nothing. Attrition is no intervention and stays as planned.
 */
export function combinations(native: NativeParameters, plan: Plan, week: number): BetaCellCombination[] {
  return SWITCHES.flatMap((suppression) =>
    SWITCHES.flatMap((replacement) =>
      SWITCHES.map((protection) => {
        const chosen: Plan = {
          immuneSuppression: suppression ? plan.immuneSuppression : 0,
          replacementContribution: replacement ? plan.replacementContribution : 0,
          graftProtection: protection ? plan.graftProtection : 0,
          graftAttrition: plan.graftAttrition,
        };
        return { suppression, replacement, protection, ...plannedRatios(native, chosen, week) };
      }),
    ),
  );
}
