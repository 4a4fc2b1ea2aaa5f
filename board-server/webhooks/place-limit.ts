import {
  WEBHOOK_CONCURRENT_PER_HOST,
  WEBHOOK_CONCURRENT_SLOW_PER_HOST,
  WEBHOOK_HOST_PER_SECOND,
} from '../../contract/limits/limits.ts';

/** A place gets one more turn after each of these. */
export const SPACING_MICROS = 1_000_000 / WEBHOOK_HOST_PER_SECOND;
const BURST_MICROS = SPACING_MICROS * (WEBHOOK_HOST_PER_SECOND - 1);
/** Places whose allowance is full again are forgotten once there are so many. */
const SWEEP_FROM_PLACES = 4096;

/** Slow subscriptions have turns of their own, so that they never stand before quick ones at the same place. */
export type Lane = 'quick' | 'slow';

const AT_ONCE: Record<Lane, number> = {
  quick: WEBHOOK_CONCURRENT_PER_HOST,
  slow: WEBHOOK_CONCURRENT_SLOW_PER_HOST,
};

interface PlaceState {
  running: number;
  /** Time at which the allowance is full again. */
  fullAt: number;
}

/** Names the turns of one lane at one place, for maps. */
export function turnName(lane: Lane, place: string): string {
  return `${lane} ${place}`;
}

/**
 * Bounds what one place is sent, whoever subscribed it and under however many names: so many at once and so many a
 * second. Times: microseconds.
 */
export class PlaceLimit {
  readonly #turns = new Map<string, PlaceState>();

  /** Takes a turn and gives 0; or says how long to wait for one, Infinity until a running delivery ends. */
  take(lane: Lane, place: string, now: number): number {
    const name = turnName(lane, place);
    const state = this.#turns.get(name) ?? { running: 0, fullAt: now };
    if (state.running >= AT_ONCE[lane]) return Number.POSITIVE_INFINITY;
    // A clock that jumped back must not make the place wait for the past.
    const fullAt = Math.min(Math.max(state.fullAt, now), now + BURST_MICROS + SPACING_MICROS);
    const wait = fullAt - BURST_MICROS - now;
    if (wait > 0) return wait;
    this.#turns.set(name, { running: state.running + 1, fullAt: fullAt + SPACING_MICROS });
    return 0;
  }

  /** Gives a turn back. */
  release(lane: Lane, place: string, now: number): void {
    const state = this.#turns.get(turnName(lane, place));
    if (state) state.running -= 1;
    if (this.#turns.size < SWEEP_FROM_PLACES) return;
    for (const [name, { running, fullAt }] of this.#turns) {
      if (running === 0 && fullAt <= now) this.#turns.delete(name);
    }
  }
}
