/** Entries that were moved or removed may stay in the heap until they outnumber the others by so many. */
const STALE_MIN = 64;

interface Due {
  key: string;
  at: number;
}

/** Keys with a time each; the earliest is at hand. Every step costs the logarithm of their number. */
export class DueTimes {
  readonly #times = new Map<string, number>();
  /** A binary heap by time; an entry counts only while `#times` holds the same time for its key. */
  #heap: Due[] = [];

  has(key: string): boolean {
    return this.#times.has(key);
  }

  /** Adds a key, or moves it to another time. */
  set(key: string, at: number): void {
    this.#times.set(key, at);
    this.#push({ key, at });
    if (this.#heap.length > 2 * this.#times.size + STALE_MIN) this.#rebuild();
  }

  delete(key: string): void {
    this.#times.delete(key);
  }

  /** The earliest time; null without a key. */
  earliest(): number | null {
    while (this.#heap.length > 0) {
      const { key, at } = this.#heap[0]!;
      if (this.#times.get(key) === at) return at;
      this.#pop();
    }
    return null;
  }

  /** Removes and gives what is due by `now`, earliest first. */
  *takeDue(now: number): Generator<string> {
    for (let at = this.earliest(); at !== null && at <= now; at = this.earliest()) {
      const { key } = this.#pop();
      this.#times.delete(key);
      yield key;
    }
  }

  #rebuild(): void {
    this.#heap = [...this.#times].map(([key, at]) => ({ key, at })).sort((one, other) => one.at - other.at);
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(due);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (heap[parent]!.at <= due.at) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = due;
  }

  #pop(): Due {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child += 1;
      if (heap[child]!.at >= last.at) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}
