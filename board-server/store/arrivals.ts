import { BOARD_FOLLOWING_MAX_PER_ADDRESS, BOARD_FOLLOWING_MAX_REQUESTS } from '../../contract/limits/limits.ts';
import { type EventFilter, letsThrough } from './event-store.ts';

/** Each reader that waits holds a connection, so that their number is bounded, in all and from one address. */
const LISTENERS_MAX = BOARD_FOLLOWING_MAX_REQUESTS;
const LISTENERS_PER_ADDRESS_MAX = BOARD_FOLLOWING_MAX_PER_ADDRESS;

/**
 * One reader that waits for events. It registers before it reads, so that an event committed between the read and the
 * wait ends the wait at once.
 */
export class Listener implements Disposable {
  readonly filter: EventFilter;
  readonly #leave: () => void;
  #arrived = false;
  #wake: (() => void) | null = null;

  constructor(filter: EventFilter, leave: () => void) {
    this.filter = filter;
    this.#leave = leave;
  }

  notify(): void {
    this.#arrived = true;
    this.#wake?.();
  }

  /** Ends at an event since the last wait, after `milliseconds`, or when `signal` aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#arrived && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(end, milliseconds);
        function end(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        }
        this.#wake = end;
        signal.addEventListener('abort', end);
      });
      this.#wake = null;
    }
    this.#arrived = false;
  }

  [Symbol.dispose](): void {
    this.#leave();
  }
}

/** Everyone who waits for the next event of the board, bounded. */
export class Arrivals {
  readonly #listeners = new Set<Listener>();
  readonly #perAddress = new Map<string, number>();
  #closed = false;
  /** Grows with each event that was announced. */
  announced = 0;

  get waiting(): number {
    return this.#listeners.size;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Null when the most readers wait already. Dispose of the listener to leave. */
  listen(filter: EventFilter, address: string): Listener | null {
    const held = this.#perAddress.get(address) ?? 0;
    if (this.#closed || this.#listeners.size >= LISTENERS_MAX || held >= LISTENERS_PER_ADDRESS_MAX) return null;
    const listener = new Listener(filter, () => this.#leave(listener, address));
    this.#listeners.add(listener);
    this.#perAddress.set(address, held + 1);
    return listener;
  }

  announce(event: Parameters<typeof letsThrough>[1]): void {
    this.announced += 1;
    for (const listener of this.#listeners) if (letsThrough(listener.filter, event)) listener.notify();
  }

  /** Wakes everyone for the last time, so that a server can drain; nobody can wait afterwards. */
  close(): void {
    this.#closed = true;
    for (const listener of this.#listeners) listener.notify();
  }

  #leave(listener: Listener, address: string): void {
    if (!this.#listeners.delete(listener)) return;
    const left = (this.#perAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }
}
