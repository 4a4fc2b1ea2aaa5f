/** A wall clock that is adjusted stays within this of the time that has really passed; further away it was stepped. */
const STEP_MS = 2_000;
/** A step is believed after it has lasted this long: a clock that is set wrong and back again changes nothing. */
const BELIEVED_AFTER_MS = 600_000;

/** A step of the wall clock that was believed. */
export interface ClockCorrection {
  /** The time from which on the corrected clock holds, by itself. */
  at: Date;
  /** How far it was moved; negative: back. */
  bySeconds: number;
}

interface Clocks {
  wall: () => Date;
  /** Milliseconds that pass whatever the wall clock does. */
  monotonicMs: () => number;
}

/**
 * The wall clock without its steps: time goes on by the monotonic clock from where the wall clock was, so that leases and
 * the dates of events are off by at most STEP_MS until a step has lasted for BELIEVED_AFTER_MS.
 */
export class SteadyClock {
  /** The last step that was believed; null before the first. */
  correction: ClockCorrection | null = null;
  readonly #clocks: Clocks;
  #wallMs: number;
  #monotonicMs: number;
  #step: { byMs: number; since: number } | null = null;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#wallMs = clocks.wall().getTime();
    this.#monotonicMs = clocks.monotonicMs();
  }

  now = (): Date => {
    const wallMs = this.#clocks.wall().getTime();
    const monotonicMs = this.#clocks.monotonicMs();
    const reckoned = this.#wallMs + (monotonicMs - this.#monotonicMs);
    const byMs = wallMs - reckoned;
    if (Math.abs(byMs) <= STEP_MS) {
      this.#step = null;
      return this.#follow(wallMs, monotonicMs);
    }
    if (this.#step === null || Math.abs(this.#step.byMs - byMs) > STEP_MS) this.#step = { byMs, since: monotonicMs };
    if (monotonicMs - this.#step.since < BELIEVED_AFTER_MS) return new Date(reckoned);
    this.#step = null;
    this.correction = { at: new Date(wallMs), bySeconds: Math.round(byMs / 1000) };
    return this.#follow(wallMs, monotonicMs);
  };

  #follow(wallMs: number, monotonicMs: number): Date {
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    return new Date(wallMs);
  }
}
