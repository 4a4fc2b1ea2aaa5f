/** Requests that begin in one turn of the event loop; then the loop reads what else has come and ends what has begun. */
const TURN_REQUESTS = 2;

/**
 * Spreads requests over turns of the event loop, and addresses take turns: a thousand requests that one address sends at
 * once delay those of the others by a few, not by a thousand.
 */
export class Turns {
  /** Requests that wait, by address; the address whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Requests that have begun in this turn of the event loop. */
  #begun = 0;

  /** Requests of an address that wait. */
  waiting(address: string): number {
    return this.#waiting.get(address)?.length ?? 0;
  }

  /** Resolves when a request of the address may begin; null if it may at once. */
  take(address: string): Promise<void> | null {
    if (this.#begun < TURN_REQUESTS && this.#waiting.size === 0) {
      if (this.#begun === 0) setImmediate(() => this.#turn());
      this.#begun += 1;
      return null;
    }
    const line = this.#waiting.get(address) ?? [];
    this.#waiting.set(address, line);
    return new Promise((begin) => line.push(begin));
  }

  #turn(): void {
    this.#begun = 0;
    while (this.#begun < TURN_REQUESTS && this.#waiting.size > 0) this.#beginNext();
    if (this.#begun > 0) setImmediate(() => this.#turn());
  }

  #beginNext(): void {
    const [address, line] = this.#waiting.entries().next().value!;
    const begin = line.shift()!;
    this.#begun += 1;
    // An address goes to the end of the line with what it still has.
    this.#waiting.delete(address);
    if (line.length > 0) this.#waiting.set(address, line);
    begin();
  }
}
