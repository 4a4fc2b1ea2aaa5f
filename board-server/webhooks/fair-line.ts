import { Line } from './line.ts';

/**
 * Owners take turns, however many each of them has waiting; of one owner, who came first is first. An owner that may not
 * be let out is set aside until `release`, so that it costs the others nothing.
 */
export class FairLine {
  readonly #lines = new Map<string, Line>();
  /** Owners with someone waiting, each once, unless set aside. */
  readonly #owners = new Line();
  readonly #aside = new Set<string>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: string, owner: string): void {
    const known = this.#lines.get(owner);
    const line = known ?? new Line();
    line.add(id);
    this.#size += 1;
    if (known) return;
    this.#lines.set(owner, line);
    this.#owners.add(owner);
  }

  /** The next one of the next owner; undefined when nobody waits who may be let out. */
  take(mayGo: (owner: string) => boolean = () => true): string | undefined {
    while (this.#owners.size > 0) {
      const owner = this.#owners.take()!;
      if (!mayGo(owner)) {
        this.#aside.add(owner);
        continue;
      }
      const line = this.#lines.get(owner)!;
      const id = line.take();
      this.#size -= 1;
      if (line.size > 0) this.#owners.add(owner);
      else this.#lines.delete(owner);
      return id;
    }
    return undefined;
  }

  /** Lets an owner that was set aside take turns again. */
  release(owner: string): void {
    if (this.#aside.delete(owner)) this.#owners.add(owner);
  }
}
