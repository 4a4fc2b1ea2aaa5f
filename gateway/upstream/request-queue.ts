/** Whose share of the places a request takes. */
export interface Holder {
  subject: string;
  group: string;
}

export interface QueueOptions {
  /** Requests that run at the same time. */
  concurrent: number;
  /** Requests that may wait for their turn. */
  queued: number;
  /** Longest wait for a turn. */
  waitMs: number;
  /** Requests of one subject, running and waiting; default no limit of its own. */
  perSubject?: number;
  /** Requests of one group of subjects, running and waiting; default no limit of its own. */
  perGroup?: number;
}

/** The queue is full, or the turn did not come in time. The request was never sent. */
export class QueueRefusal extends Error {
  /** True if the caller's own requests fill its share; other callers are still served. */
  readonly own: boolean;

  constructor(message: string, own = false) {
    super(message);
    this.name = 'QueueRefusal';
    this.own = own;
  }
}

/** Gives the place back; a second call does nothing. */
export type Leave = () => void;

interface Waiter {
  enter: () => void;
}

/** A bounded number of requests runs, a bounded number waits, first come first served. */
export class RequestQueue {
  readonly #options: QueueOptions;
  readonly #queue = new Set<Waiter>();
  readonly #held = new Map<string, number>();
  inUse = 0;
  /** Requests turned away since the start. */
  refused = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Resolves when it is this request's turn, with the function that ends it. Rejects with QueueRefusal or on `signal`. */
  async enter(holder: Holder | null, signal: AbortSignal | null): Promise<Leave> {
    const { concurrent, queued } = this.#options;
    signal?.throwIfAborted();
    for (const [name, max] of this.#sharesOf(holder)) {
      if ((this.#held.get(name) ?? 0) >= max) throw this.#refusal(`${name} holds ${max} places already`, true);
    }
    if (this.inUse >= concurrent && this.waiting >= queued) {
      throw this.#refusal(`${concurrent} requests are under way and ${queued} wait`);
    }
    this.#count(holder, 1);
    try {
      if (this.inUse < concurrent) this.inUse += 1;
      else await this.#turn(signal);
    } catch (error) {
      this.#count(holder, -1);
      throw error;
    }
    return this.#place(holder);
  }

  /** Resolves when another request hands over its place, so that `inUse` stays the same. */
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

  #place(holder: Holder | null): Leave {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#count(holder, -1);
      const next: Waiter | undefined = this.#queue.values().next().value;
      if (next) next.enter();
      else this.inUse -= 1;
    };
  }

  #count(holder: Holder | null, change: 1 | -1): void {
    for (const [name] of this.#sharesOf(holder)) {
      const count = (this.#held.get(name) ?? 0) + change;
      if (count === 0) this.#held.delete(name);
      else this.#held.set(name, count);
    }
  }

  /** Each share that the holder may not exceed, by its name. */
  #sharesOf(holder: Holder | null): [name: string, max: number][] {
    const { perSubject, perGroup } = this.#options;
    if (holder === null) return [];
    return [
      ...(perSubject === undefined ? [] : [[`the address ${holder.subject}`, perSubject] as [string, number]]),
      ...(perGroup === undefined ? [] : [[`the group ${holder.group}`, perGroup] as [string, number]]),
    ];
  }

  #refusal(message: string, own = false): QueueRefusal {
    this.refused += 1;
    return new QueueRefusal(message, own);
  }
}
