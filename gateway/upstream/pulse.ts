import { setTimeout as pause } from 'node:timers/promises';

/** Pause between two probes of a server that does not answer. */
const PROBE_EVERY_MS = 250;

/**
 * Whether a server has stopped answering. Once a request has waited long, a probe is sent; if nothing is heard of the
 * server while that waits, it counts as silent until it is heard again, so that nobody else has to wait for it.
 */
export class Pulse implements Disposable {
  readonly #probe: () => Promise<void>;
  readonly #ended = new AbortController();
  #probing = false;
  #heardAt = 0;
  /** Since when nothing was heard of a server that counts as silent; null for one that does not. */
  #silentSince: number | null = null;

  /** `probe` resolves when the server answers or refuses the connection, and rejects when it does neither in time. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  get isSilent(): boolean {
    return this.#silentSince !== null;
  }

  /** How long nothing was heard of a server that counts as silent; 0 for one that does not. */
  get silentMs(): number {
    return this.#silentSince === null ? 0 : performance.now() - this.#silentSince;
  }

  /** The server has answered something. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#silentSince = null;
  }

  /** Finds out in the background; does nothing while that is under way. */
  doubt(): void {
    if (this.#probing) return;
    this.#probing = true;
    void this.#watch().finally(() => {
      this.#probing = false;
    });
  }

  async #watch(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const askedAt = performance.now();
      try {
        await this.#probe();
        return this.heard();
      } catch {
        if (this.#heardAt < askedAt) this.#silentSince ??= askedAt;
      }
      await pause(PROBE_EVERY_MS, undefined, { ref: false, signal: this.#ended.signal }).catch(() => undefined);
    }
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
  }
}
