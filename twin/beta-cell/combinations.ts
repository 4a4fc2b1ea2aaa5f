import type { BetaCellCombination } from '../../contract/schemas/beta-cell.ts';
import { type NativeParameters, type Plan, plannedNative, relativeGraft, relativeNative } from './model.ts';

const SWITCHES = [false, true] as const;

/**
 * Each of suppression, replacement and protection on as planned or off at 0, in a fixed order that ranks nothing: what
 * the equations give at one week. Attrition stays as planned, since it is no intervention.
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
        const nativeRatio = relativeNative(plannedNative(native, chosen), week);
        const graftRatio = relativeGraft(native, chosen, week);
        const on = { suppression, replacement, protection };
        return { ...on, native: nativeRatio, graft: graftRatio, total: nativeRatio + graftRatio };
      }),
    ),
  );
}
