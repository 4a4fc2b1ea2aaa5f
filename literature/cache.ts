export interface Kept<Value> {
  value: Value;
  /** When the source answered. */
  at: Date;
}

export interface CacheOptions<Value> {
  now: () => Date;
  maxEntries: number;
  maxBytes: number;
  /** Milliseconds that a value is given out for. */
  keepMs: (value: Value) => number;
  /** Bytes that a value is reckoned at; at least its key. */
  bytes: (value: Value) => number;
}

interface Entry<Value> extends Kept<Value> {
  bytes: number;
  until: number;
}

/**
 * Answers by question, least recently used out first. Questions that are asked while the same one is under way share
 * it; a failure reaches all who wait for it and is not kept.
 */
export class AnswerCache<Value> {
  readonly #options: CacheOptions<Value>;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #underWay = new Map<string, Promise<Kept<Value>>>();
  #bytes = 0;

  constructor(options: CacheOptions<Value>) {
    this.#options = options;
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes };
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
    // Whoever asked may have gone; a failure that nobody waits for must not end the process.
    asked.catch(() => {});
    return asked;
  }

  #fresh(key: string): Kept<Value> | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#drop(key, entry);
    if (entry.until <= this.#options.now().getTime()) return null;
    this.#put(key, entry);
    return { value: entry.value, at: entry.at };
  }

  #keep(key: string, value: Value): Kept<Value> {
    const { now, keepMs, bytes, maxBytes, maxEntries } = this.#options;
    const at = now();
    const size = bytes(value) + 2 * key.length;
    if (size <= maxBytes) this.#put(key, { value, at, bytes: size, until: at.getTime() + keepMs(value) });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= maxBytes && this.#entries.size <= maxEntries) break;
      this.#drop(oldest, entry);
    }
    return { value, at };
  }

  #put(key: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #drop(key: string, entry: Entry<Value>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
