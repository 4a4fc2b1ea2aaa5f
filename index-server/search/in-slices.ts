import { setImmediate } from 'node:timers/promises';

/** How background work makes way for requests. */
export interface Preparation {
  /** Called after each slice of a millisecond or two. */
  pause: () => Promise<unknown>;
  /** Whether the result is still needed; the work ends when it is not. */
  isWanted: () => boolean;
}

/** Longest time for which a slice keeps other requests waiting. */
const SLICE_MS = 2;

/**
 * Work that is done in short steps, so that other requests are served in between: a generator that yields after each step. Several
 * callers may advance the same work. One that fails begins anew with the next.
 */
export class Sliced<Result> {
  readonly #begin: () => Generator<void, Result>;
  #work: Generator<void, Result> | null = null;
  #made: { result: Result } | null = null;

  constructor(begin: () => Generator<void, Result>) {
    this.#begin = begin;
  }

  /** Does the rest for a request that waits. */
  async result(): Promise<Result> {
    for (;;) {
      const made = this.#advance();
      if (made !== null) return made.result;
      await setImmediate();
    }
  }

  /** Does the rest in the background, at the pace of `preparation`; a request that comes meanwhile completes the work. */
  async prepare({ pause, isWanted }: Preparation): Promise<void> {
    while (this.#advance() === null) {
      await pause();
      if (!isWanted()) return;
    }
  }

  #advance(): { result: Result } | null {
    const end = performance.now() + SLICE_MS;
    try {
      while (this.#made === null && performance.now() < end) {
        this.#work ??= this.#begin();
        const { done, value } = this.#work.next();
        if (done) this.#made = { result: value };
      }
    } catch (error) {
      this.#work = null;
      throw error;
    }
    return this.#made;
  }
}
