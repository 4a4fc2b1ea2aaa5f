/** What is counted under a key in its running window, in the form of the library's limiters. */
export interface Count {
  consumedPoints: number;
  /** Milliseconds until the window ends. */
  msBeforeNext: number;
}

interface Window {
  points: number;
  endsAt: number;
}

/** A window takes about 150 bytes. When there are more, the one that began first ends early. */
const WINDOWS_MAX = 200_000;

/**
 * Counts in fixed windows in memory, each beginning with a key's first point. The clock is monotonic: a wall clock that
 * is set changes no window. The methods have the names of the library's limiters.
 */
export class MemoryCounter {
  readonly #durationMs: number;
  readonly #clock: () => number;
  readonly #windowsMax: number;
  /** All windows last equally long, so they stand in the order in which they end. */
  readonly #windows = new Map<string, Window>();

  constructor(seconds: number, clock: () => number = () => performance.now(), windowsMax = WINDOWS_MAX) {
    this.#durationMs = seconds * 1000;
    this.#clock = clock;
    this.#windowsMax = windowsMax;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Adds points and returns the count with them. */
  penalty(key: string, points = 1): Count {
    const now = this.#clock();
    const window = this.#running(key, now) ?? this.#begin(key, now);
    window.points += points;
    return { consumedPoints: window.points, msBeforeNext: window.endsAt - now };
  }

  /** The count without adding to it; null if no window runs. */
  get(key: string): Count | null {
    const now = this.#clock();
    const window = this.#running(key, now);
    return window ? { consumedPoints: window.points, msBeforeNext: window.endsAt - now } : null;
  }

  #running(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && window.endsAt > now ? window : undefined;
  }

  #begin(key: string, now: number): Window {
    this.#windows.delete(key);
    for (const [first, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.#windowsMax) break;
      this.#windows.delete(first);
    }
    const window = { points: 0, endsAt: now + this.#durationMs };
    this.#windows.set(key, window);
    return window;
  }
}
