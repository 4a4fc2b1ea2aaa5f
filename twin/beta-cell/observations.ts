/** Observations of one arm as the fit sees them: only ratios to week 0 leave this module, so no unit matters. */

export interface Point {
  week: number;
  value: number;
}

export type VisitRole = 'baseline' | 'training' | 'held-out';

export interface ObservedVisit {
  week: number;
  /** Natural logarithm of the value over that of week 0. */
  logRatio: number;
  role: VisitRole;
}

/** The visits of an arm in their order; the first point is that of week 0. */
export function observedVisits(points: readonly Point[], trainingThroughWeek: number): ObservedVisit[] {
  const origin = Math.log(points[0]!.value);
  return points.map(({ week, value }, place) => ({
    week,
    // Two logarithms are subtracted, because the quotient of two extreme values may not be a number.
    logRatio: Math.log(value) - origin,
    role: place === 0 ? 'baseline' : week <= trainingThroughWeek ? 'training' : 'held-out',
  }));
}

/** The number; null if it is not finite, which JSON cannot express. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
