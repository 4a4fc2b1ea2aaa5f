/** Canonical id of a synthetic trial. */
export const idOf = (trial: number): string => `wt_${trial.toString(32).padStart(12, '0')}`;
