/**
 * The coarse-grained beta-cell population model in closed form. Immune pressure I is constant at 1, time is in weeks,
 * masses are shares of the beta-cell mass at week 0, so that B + S + D = 1 at every time; at week 0, B = 1 / (1 + h):
 *
 *   B' = -k I B + r S      functional mass, to which stimulated C-peptide is taken to be proportional
 *   S' = -(r + k I) S      stressed mass, alive and without function
 *   D' = k I (B + S)       lost mass
 *
 * expm1 keeps the digits of 1 - e^-x where x is small.
 */

export interface NativeParameters {
  /** k, per week: effective rate of loss. */
  lossRate: number;
  /** h: stressed over functional mass at week 0. */
  stressRatio: number;
  /** r, per week: rate at which stressed mass recovers. An assumption, never fitted. */
  recoveryRate: number;
}

/** Hypothetical changes of mechanism, applied to fitted parameters. */
export interface Plan {
  /** Share of the immune loss that is removed, 0 to 1. */
  immuneSuppression: number;
  /** Graft at week 0 as a multiple of the functional native mass. */
  replacementContribution: number;
  /** Share of the remaining immune loss from which the graft is protected, 0 to 1. */
  graftProtection: number;
  /** Loss of the graft that is not immune, per week. */
  graftAttrition: number;
}

/** Share of the stressed mass that would have recovered by week `t` if none were lost. */
export function recoveredShare(recoveryRate: number, t: number): number {
  return -Math.expm1(-recoveryRate * t);
}

/** B(t) / B(0): C-peptide relative to week 0. */
export function relativeNative({ lossRate, stressRatio, recoveryRate }: NativeParameters, t: number): number {
  return Math.exp(-lossRate * t) * (1 + stressRatio * recoveredShare(recoveryRate, t));
}

/** Suppression lowers only the loss: stress and recovery are unchanged. */
export function plannedNative(native: NativeParameters, { immuneSuppression }: Plan): NativeParameters {
  return { ...native, lossRate: native.lossRate * (1 - immuneSuppression) };
}

/** Loss rate of the graft, per week. */
export function graftLossRate(native: NativeParameters, plan: Plan): number {
  return plannedNative(native, plan).lossRate * (1 - plan.graftProtection) + plan.graftAttrition;
}

/** G(t) / B(0): what the graft adds to C-peptide relative to week 0 of the native mass. */
function relativeGraft(native: NativeParameters, plan: Plan, t: number): number {
  return plan.replacementContribution * Math.exp(-graftLossRate(native, plan) * t);
}

/** C-peptide under a plan, relative to week 0 of the native mass: native, graft and their sum (B(t) + G(t)) / B(0). */
export function plannedRatios(native: NativeParameters, plan: Plan, t: number) {
  const [nativeRatio, graft] = [relativeNative(plannedNative(native, plan), t), relativeGraft(native, plan, t)];
  return { native: nativeRatio, graft, total: nativeRatio + graft };
}

/**
 * Highest unperturbed C-peptide. It rises at first where h r > k; without loss it rises for ever towards 1 + h, so `week`
 * is null; otherwise it is highest at week 0.
 */
export function peak(native: NativeParameters): { week: number | null; relative: number } {
  const { lossRate: k, stressRatio: h, recoveryRate: r } = native;
  if (h * r <= k) return { week: 0, relative: 1 };
  if (k === 0) return { week: null, relative: 1 + h };
  // ln(h (k + r) / (k (1 + h))) term by term, since the quotient leaves the range of a double where k is minute.
  const week = Math.max(0, Math.log(h) + Math.log(k + r) - Math.log(k) - Math.log1p(h)) / r;
  return { week, relative: relativeNative(native, week) };
}
