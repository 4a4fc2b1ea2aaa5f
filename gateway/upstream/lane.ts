export interface LaneOptions {
  /** Requests under way at the same time. */
  concurrent: number;
  /** Requests that may wait for their turn. */
  queued: number;
  /** Longest wait for a turn. */
  waitMs: number;
  /** Requests of one subject, under way and waiting; default as many as the lane holds. */
  perSubject?: number;
}

/** The lane is full, or the turn did not come in time: the request was never sent. */
export class LaneRefusal extends Error {
  /** True where the caller's own requests fill its share; others are still served. */
  readonly own: boolean;

  constructor(message: string, own = false) {
    super(message);
    this.name = 'LaneRefusal';
    this.own = own;
  }
}

/** Hands in a place; does nothing the second time. */
export type Leave = () => void;

interface Waiter {
  enter: () => void;
}

/** A bounded number of places, and a bounded queue for them, first come first served. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #queue = new Set<Waiter>();
  readonly #bySubject = new Map<string, number>();
  inUse = 0;
  /** Requests turned away since the start. */
  refused = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Resolves with the place's end once it is this request's turn. Rejects with LaneRefusal, or when `signal` aborts. */
  async enter(subject: string, signal: AbortSignal | null): Promise<Leave> {
    const { concurrent, queued, perSubject = Number.POSITIVE_INFINITY } = this.#options;
    signal?.throwIfAborted();
    if ((this.#bySubject.get(subject) ?? 0) >= perSubject) {
      throw this.#refusal(`one address holds ${perSubject} places already`, true);
    }
    if (this.inUse >= concurrent && this.waiting >= queued) {
      throw this.#refusal(`${concurrent} requests are under way and ${queued} wait`);
    }
    this.#count(subject, 1);
    try {
      if (this.inUse < concurrent) this.inUse += 1;
      else await this.#turn(signal);
    } catch (error) {
      this.#count(subject, -1);
      throw error;
    }
    return this.#place(subject);
  }

  /** Resolves when a place was handed over; its number under way stays the same. */
  #turn(signal: AbortSignal | null): Promise<void> {
    const { waitMs } = this.#options;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#queue.delete(waiter);
      };
      const waiter: Waiter = {
        enter: () => {
          settle();
          resolve();
        },
      };
      const onAbort = (): void => {
        settle();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        settle();
        reject(this.#refusal(`no turn within ${waitMs} ms`));
      }, waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(waiter);
    });
  }

  #place(subject: string): Leave {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#count(subject, -1);
      const next: Waiter | undefined = this.#queue.values().next().value;
      if (next) next.enter();
      else this.inUse -= 1;
    };
  }

  #count(subject: string, change: 1 | -1): void {
    const count = (this.#bySubject.get(subject) ?? 0) + change;
    if (count === 0) this.#bySubject.delete(subject);
    else this.#bySubject.set(subject, count);
  }

  #refusal(message: string, own = false): LaneRefusal {
    this.refused += 1;
    return new LaneRefusal(message, own);
  }
}
