import {
  REALITY_LANES,
  REALITY_STATES,
  type RealityLane,
  type RealityState,
} from '../../contract/declared/research.ts';
import { REALITY_COUNCIL_PRIORITY_POINTS } from '../../contract/limits/research.ts';

/**
 * The order of the queue as one whole number: state, lane, council priority and the number in order of arrival, one
 * above the other, so that a smaller number stands before a larger one.
 */

/** More requests than a board will ever hold. Fifteen such blocks and more stay below 2^53. */
const ARRIVALS = 2 ** 40;

/** What a priority takes off a place: it moves a request before all others of its state and lane. */
export const PRIORITY_LIFT = ARRIVALS;

/** The place of a request without council priority; `number` counts from 1 in order of arrival. */
export function queueKey({ state, lane, number }: { state: RealityState; lane: RealityLane; number: number }): number {
  const block = REALITY_STATES.indexOf(state) * REALITY_LANES.length + REALITY_LANES.indexOf(lane);
  return (2 * block + 1) * ARRIVALS + number;
}

/** Positions of a request in its state and lane, from 1, and its points. */
export function positionsOf(
  row: { state: RealityState; lane: RealityLane },
  isPriority: boolean,
): { statePosition: number; lanePosition: number; councilPoints: 0 | typeof REALITY_COUNCIL_PRIORITY_POINTS } {
  return {
    statePosition: REALITY_STATES.indexOf(row.state) + 1,
    lanePosition: REALITY_LANES.indexOf(row.lane) + 1,
    councilPoints: isPriority ? REALITY_COUNCIL_PRIORITY_POINTS : 0,
  };
}
