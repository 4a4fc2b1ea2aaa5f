import { setImmediate } from 'node:timers/promises';

/** How background work makes way for requests. */
export interface Preparation {
  /** Called after each slice of a millisecond or two. */
  pause: () => Promise<unknown>;
  /** Whether the result is still needed; the work ends when it is not. */
  isWanted: () => boolean;
}

/** Work that is done in short steps, so that other requests are served in between; several may advance the same work. */
export interface Stepwise {
  readonly isComplete: boolean;
  step(): void;
}

/** Longest time for which a slice keeps other requests waiting. */
const SLICE_MS = 2;

function advance(work: Stepwise): void {
  const end = performance.now() + SLICE_MS;
  while (!work.isComplete && performance.now() < end) work.step();
}

/** Does the rest for a request that waits. */
export async function completed(work: Stepwise): Promise<void> {
  while (!work.isComplete) {
    advance(work);
    await setImmediate();
  }
}

/** Does the rest in the background, at the pace of `preparation`; a request that comes meanwhile completes the work. */
export async function prepared(work: Stepwise, { pause, isWanted }: Preparation): Promise<void> {
  while (!work.isComplete) {
    advance(work);
    await pause();
    if (!isWanted()) return;
  }
}
