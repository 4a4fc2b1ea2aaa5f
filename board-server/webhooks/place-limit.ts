import {
  WEBHOOK_CONCURRENT_PER_HOST,
  WEBHOOK_CONCURRENT_SLOW_PER_HOST,
  WEBHOOK_HOST_PER_SECOND,
} from '../../contract/limits/limits.ts';

/** A place gets one more turn after each of these. */
const SPACING_MICROS = 1_000_000 / WEBHOOK_HOST_PER_SECOND;
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

/**
 * Bounds what one place is sent, whoever subscribed it and under however many names: so many at once and so many a
 * second. Times: microseconds.
 */
export class PlaceLimit {
  readonly #states = new Map<string, PlaceState>();

  /** A turn; or the time until there may be one, Infinity until a running delivery ends. */
  take(lane: Lane, place: string, now: number): Turn | number {
    const wait = this.#take(lane, place, now);
    return wait > 0 ? wait : new Turn(place, (from, to, at) => this.#move(lane, from, to, at));
  }

  #take(lane: Lane, place: string, now: number): number {
    const name = `${lane} ${place}`;
    const state = this.#states.get(name) ?? { running: 0, fullAt: now };
    if (state.running >= AT_ONCE[lane]) return Number.POSITIVE_INFINITY;
    // A clock that jumped back must not make the place wait for the past.
    const fullAt = Math.min(Math.max(state.fullAt, now), now + BURST_MICROS + SPACING_MICROS);
    const wait = fullAt - BURST_MICROS - now;
    if (wait > 0) return wait;
    this.#states.set(name, { running: state.running + 1, fullAt: fullAt + SPACING_MICROS });
    return 0;
  }

  /** Gives a turn back, with its part of the pace unless it was used, and takes one of another place if there is one. */
  #move(lane: Lane, from: { place: string; isUsed: boolean }, to: string | null, now: number): boolean {
    const state = this.#states.get(`${lane} ${from.place}`);
    if (state) {
      state.running -= 1;
      if (!from.isUsed) state.fullAt -= SPACING_MICROS;
    }
    if (to !== null) return this.#take(lane, to, now) === 0;
    if (this.#states.size < SWEEP_FROM_PLACES) return true;
    for (const [name, { running, fullAt }] of this.#states) {
      if (running === 0 && fullAt <= now) this.#states.delete(name);
    }
    return true;
  }
}

type Move = (from: { place: string; isUsed: boolean }, to: string | null, now: number) => boolean;

/** One delivery that a place takes now. */
export class Turn {
  readonly #move: Move;
  #place: string;
  #isUsed = false;
  #isHeld = true;

  constructor(place: string, move: Move) {
    this.#place = place;
    this.#move = move;
  }

  /** The place; that which was wanted where `use` was refused. */
  get place(): string {
    return this.#place;
  }

  /** To be called before a message is sent to this place, where the host may lead elsewhere than expected. False if it has no turn free. */
  use(place: string, now: number): boolean {
    if (place !== this.#place) {
      this.#isHeld = this.#move({ place: this.#place, isUsed: false }, place, now);
      this.#place = place;
    }
    this.#isUsed = this.#isHeld;
    return this.#isHeld;
  }

  /** Gives it back. */
  release(now: number): void {
    if (this.#isHeld) this.#move({ place: this.#place, isUsed: this.#isUsed }, null, now);
    this.#isHeld = false;
  }
}
