const NONE = -1;
const FIRST_SLOTS = 1024;

/** Numbers pairs of 32-bit words from 0, in the order of their first occurrence. */
export class PairNumbers {
  /** Open addressing: each slot holds the number of its pair; at most half of the slots are taken. */
  #slots = new Int32Array(FIRST_SLOTS).fill(NONE);
  #firsts = new Uint32Array(FIRST_SLOTS / 2);
  #seconds = new Uint32Array(FIRST_SLOTS / 2);
  #size = 0;

  /** Number of different pairs so far. */
  get size(): number {
    return this.#size;
  }

  first(number: number): number {
    return this.#firsts[number] as number;
  }

  second(number: number): number {
    return this.#seconds[number] as number;
  }

  /** The pair's number; a new pair gets the next one. Both words are unsigned. */
  numberOf(first: number, second: number): number {
    const slot = this.#slotOf(first, second);
    const known = this.#slots[slot] as number;
    return known === NONE ? this.#add(first, second, slot) : known;
  }

  #slotOf(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hash = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca77);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const held = slots[slot] as number;
      if (held === NONE || (this.#firsts[held] === first && this.#seconds[held] === second)) return slot;
    }
  }

  #add(first: number, second: number, slot: number): number {
    const number = this.#size;
    if (number === this.#firsts.length) {
      this.#grow();
      return this.numberOf(first, second);
    }
    this.#firsts[number] = first;
    this.#seconds[number] = second;
    this.#slots[slot] = number;
    this.#size += 1;
    return number;
  }

  #grow(): void {
    const [firsts, seconds] = [this.#firsts, this.#seconds];
    this.#slots = new Int32Array(this.#slots.length * 2).fill(NONE);
    this.#firsts = new Uint32Array(firsts.length * 2);
    this.#seconds = new Uint32Array(seconds.length * 2);
    this.#firsts.set(firsts);
    this.#seconds.set(seconds);
    for (let number = 0; number < this.#size; number++) {
      this.#slots[this.#slotOf(firsts[number] as number, seconds[number] as number)] = number;
    }
  }
}
