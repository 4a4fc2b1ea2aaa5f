/** First come, first served. A Set would do, but finding its first entry walks over all that were taken before. */
export class Line {
  #ids: string[] = [];
  #taken = 0;

  get size(): number {
    return this.#ids.length - this.#taken;
  }

  add(id: string): void {
    this.#ids.push(id);
  }

  /** The one that has waited longest; undefined when nobody waits. */
  take(): string | undefined {
    if (this.size === 0) return undefined;
    const id = this.#ids[this.#taken];
    this.#taken += 1;
    if (2 * this.#taken >= this.#ids.length) {
      this.#ids = this.#ids.slice(this.#taken);
      this.#taken = 0;
    }
    return id;
  }
}
