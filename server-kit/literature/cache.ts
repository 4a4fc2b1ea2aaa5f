import { LRUCache } from 'lru-cache';

export interface Kept<Value> {
  value: Value;
  /** When the source answered. */
  at: Date;
}

export interface CacheOptions<Value> {
  now: () => Date;
  maxEntries: number;
  maxBytes: number;
  /** How long a value is served, in milliseconds. */
  keepMs: (value: Value) => number;
  /** Bytes counted for a value; those of its key are added. */
  bytes: (value: Value) => number;
}

interface Entry<Value> extends Kept<Value> {
  bytes: number;
  until: number;
}

/**
 * Keeps answers by question and drops the least recently used first. Callers that ask a question while it is under way
 * share its answer; a failure reaches all of them and is not kept.
 */
export class AnswerCache<Value> {
  readonly #options: CacheOptions<Value>;
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #underWay = new Map<string, Promise<Kept<Value>>>();

  constructor(options: CacheOptions<Value>) {
    this.#options = options;
    const { maxEntries, maxBytes } = options;
    this.#entries = new LRUCache({ max: maxEntries, maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize };
  }

  ask(key: string, produce: () => Promise<Value>): Promise<Kept<Value>> {
    const kept = this.#fresh(key);
    if (kept !== null) return Promise.resolve(kept);
    const running = this.#underWay.get(key);
    if (running !== undefined) return running;
    const asked = produce()
      .then((value) => this.#keep(key, value))
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    // The caller may have gone; a failure that nobody waits for must not end the process.
    asked.catch(() => {});
    return asked;
  }

  #fresh(key: string): Kept<Value> | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.until > this.#options.now().getTime()) return { value: entry.value, at: entry.at };
    this.#entries.delete(key);
    return null;
  }

  #keep(key: string, value: Value): Kept<Value> {
    const { now, keepMs, bytes } = this.#options;
    const at = now();
    this.#entries.set(key, { value, at, bytes: bytes(value) + 2 * key.length, until: at.getTime() + keepMs(value) });
    return { value, at };
  }
}
