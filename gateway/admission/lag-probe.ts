/** Often enough to notice a lag before many requests have waited through it. */
const INTERVAL_MS = 50;
/** Weight of the newest sample. One pause of the garbage collector is forgotten within a few samples. */
const WEIGHT = 0.2;

/** Measures by how much timers of this process run late: the time that every request waits before its turn. */
export class LagProbe implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #due = performance.now() + INTERVAL_MS;
  #lagMs = 0;

  constructor() {
    this.#timer = setInterval(() => this.#sample(), INTERVAL_MS).unref();
  }

  /** Smoothed over about the last quarter of a second; a pause that is still going on shows at its end. */
  get lagMs(): number {
    return this.#lagMs;
  }

  #sample(): void {
    const now = performance.now();
    const late = Math.max(0, now - this.#due);
    this.#lagMs += (late - this.#lagMs) * WEIGHT;
    this.#due = now + INTERVAL_MS;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
