import { WEBHOOK_CONCURRENT_PER_HOST, WEBHOOK_HOST_PER_SECOND } from '../../contract/limits.ts';

/** One more turn a host has after each of these. */
export const SPACING_MICROS = 1_000_000 / WEBHOOK_HOST_PER_SECOND;
const BURST_MICROS = SPACING_MICROS * (WEBHOOK_HOST_PER_SECOND - 1);
/** Hosts whose allowance is full again are forgotten once there are so many. */
const SWEEP_FROM_HOSTS = 4096;

interface HostState {
  running: number;
  /** Time at which the allowance is full again. */
  fullAt: number;
}

/** Bounds what one host is sent, whoever subscribed it: so many at once and so many a second. Times: microseconds. */
export class HostLimit {
  readonly #hosts = new Map<string, HostState>();

  /** Takes a turn: 0; or says how long to wait for one, Infinity until one of those that run ends. */
  take(host: string, now: number): number {
    const state = this.#hosts.get(host) ?? { running: 0, fullAt: now };
    if (state.running >= WEBHOOK_CONCURRENT_PER_HOST) return Number.POSITIVE_INFINITY;
    // A clock that jumped back must not make the host wait for the past.
    const fullAt = Math.min(Math.max(state.fullAt, now), now + BURST_MICROS + SPACING_MICROS);
    const wait = fullAt - BURST_MICROS - now;
    if (wait > 0) return wait;
    this.#hosts.set(host, { running: state.running + 1, fullAt: fullAt + SPACING_MICROS });
    return 0;
  }

  /** Gives a turn back. */
  release(host: string, now: number): void {
    const state = this.#hosts.get(host);
    if (state) state.running -= 1;
    if (this.#hosts.size < SWEEP_FROM_HOSTS) return;
    for (const [name, { running, fullAt }] of this.#hosts) {
      if (running === 0 && fullAt <= now) this.#hosts.delete(name);
    }
  }
}
