/** Observations of one arm as the fit sees them: only ratios to the first visit leave this module, so no unit matters. */

export interface Point {
  week: number;
  value: number;
}

export type VisitRole = 'baseline' | 'training' | 'held-out';

export interface ObservedVisit {
  /** Weeks since the first visit, which is the origin of the closed form. */
  week: number;
  /** Natural logarithm of the value over that of the first visit. */
  logRatio: number;
  role: VisitRole;
}

/** The visits of an arm in their order, from the first on. */
export function observedVisits(points: readonly Point[], trainingThroughWeek: number): ObservedVisit[] {
  const { week: originWeek, value: originValue } = points[0]!;
  const origin = Math.log(originValue);
  return points.map(({ week, value }, place) => ({
    week: week - originWeek,
    // Two logarithms are subtracted, because the quotient of two extreme values may not be a number.
    logRatio: Math.log(value) - origin,
    role: place === 0 ? 'baseline' : week <= trainingThroughWeek ? 'training' : 'held-out',
  }));
}

/** The number; null if it is not finite, which JSON cannot express. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
