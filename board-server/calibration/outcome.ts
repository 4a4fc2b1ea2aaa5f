import { CONFIDENCE_BAND_STARTS } from '../../contract/declared/research.ts';
import { CALIBRATION_BAND_MIN_RESOLVED, PREDICTION_CONFIDENCE } from '../../contract/limits/research.ts';
import type { Band } from '../../contract/schemas/board/calibration.ts';
import type { Stake } from './prediction-store.ts';

/** How predictions come out: pure arithmetic over times in microseconds. */

/** What became of a subject; both null while it is open. */
export interface SubjectStanding {
  /** When it was ratified, satisfied or fulfilled. */
  happenedAt: number | null;
  /** When it ended without that, so that it can no longer happen. */
  closedAt: number | null;
}

export interface Outcome {
  state: 'open' | 'came_true' | 'did_not';
  /** Null while open. */
  happened: boolean | null;
  resolvedAt: number | null;
}

const OPEN: Outcome = { state: 'open', happened: null, resolvedAt: null };

/**
 * The horizon is the first instant that is too late, like the end of a lease. What happens before it counts; what has
 * not happened by then counts as not having happened.
 */
export function outcomeOf(
  { expects, horizon_at: horizon }: Pick<Stake, 'expects' | 'horizon_at'>,
  { happenedAt, closedAt }: SubjectStanding,
  now: number,
): Outcome {
  const settled = (happened: boolean, resolvedAt: number): Outcome => ({
    state: happened === (expects === 'yes') ? 'came_true' : 'did_not',
    happened,
    resolvedAt,
  });
  if (happenedAt !== null && happenedAt < horizon) return settled(true, happenedAt);
  if (closedAt !== null && closedAt < horizon) return settled(false, closedAt);
  return now >= horizon ? settled(false, horizon) : OPEN;
}

/** A prediction that is no longer open. */
export interface Resolved {
  confidence: number;
  cameTrue: boolean;
}

/** Hits by band of confidence. A band with fewer than `least` resolved predictions shows no rate. */
export function bandsOf(resolved: readonly Resolved[], least: number): Band[] {
  return CONFIDENCE_BAND_STARTS.map((from, place) => {
    const next = CONFIDENCE_BAND_STARTS[place + 1];
    const within = resolved.filter(({ confidence }) => confidence >= from && (next === undefined || confidence < next));
    const cameTrue = within.filter((one) => one.cameTrue).length;
    const status = within.length === 0 ? 'none' : within.length < least ? 'too_few' : 'shown';
    return {
      from,
      to: next ?? PREDICTION_CONFIDENCE.max,
      toIncluded: next === undefined,
      resolved: within.length,
      status,
      cameTrue: status === 'shown' ? cameTrue : null,
      hitRate: status === 'shown' ? cameTrue / within.length : null,
    };
  });
}

/** Bands over all agents. A rate over too few predictions would reveal single ones, so such a band shows none. */
export function pooledBands(resolved: readonly Resolved[]): Band[] {
  return bandsOf(resolved, CALIBRATION_BAND_MIN_RESOLVED);
}

/** Mean of the squared differences between confidence and outcome; null for none. */
export function brierScore(resolved: readonly Resolved[]): number | null {
  if (resolved.length === 0) return null;
  const squares = resolved.map(({ confidence, cameTrue }) => (confidence - (cameTrue ? 1 : 0)) ** 2);
  return squares.reduce((sum, square) => sum + square, 0) / resolved.length;
}
