import { setTimeout as pause } from 'node:timers/promises';

/** Pause between two probes of a server that does not answer. */
const PROBE_EVERY_MS = 250;

/**
 * Whether a server has stopped answering. Once a request has waited long, a probe is sent; if that gets no answer
 * either, the server counts as silent until a later probe is answered, so that nobody else has to wait for it.
 */
export class Pulse implements Disposable {
  readonly #probe: () => Promise<void>;
  readonly #ended = new AbortController();
  #probing = false;
  #silent = false;

  /** `probe` resolves when the server answers or refuses the connection, and rejects when it does neither in time. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  get isSilent(): boolean {
    return this.#silent;
  }

  /** Finds out in the background; does nothing while that is under way. */
  doubt(): void {
    if (this.#probing) return;
    this.#probing = true;
    void this.#watch().finally(() => {
      this.#probing = false;
    });
  }

  /** Another server took its place, and nothing is known about that one. */
  forget(): void {
    this.#silent = false;
  }

  async #watch(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        await this.#probe();
        this.#silent = false;
        return;
      } catch {
        this.#silent = true;
      }
      await pause(PROBE_EVERY_MS, undefined, { ref: false, signal: this.#ended.signal }).catch(() => undefined);
    }
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
  }
}
