/** Words of 32 bits that are kept of a sum: no two sums with equal ones can be made. */
const WORDS = 4;
const HEX_DIGITS = 8;

/**
 * SHA-256 sums of payloads, in one array: the collector goes through a Set of 600,000 texts after every few buffers that are
 * freed, which is a third of the CPU time of reading as many payloads.
 */
export class PayloadSums {
  #slots: Uint32Array = new Uint32Array(WORDS * 4096);
  #count = 0;

  /** Adds a sum, 64 hexadecimal digits; false where it is there already. */
  add(sha256: string): boolean {
    const words = new Uint32Array(WORDS);
    for (let place = 0; place < WORDS; place++)
      words[place] = Number.parseInt(sha256.slice(place * HEX_DIGITS, (place + 1) * HEX_DIGITS), 16);
    if (!insert(this.#slots, words)) return false;
    this.#count++;
    if (2 * this.#count * WORDS > this.#slots.length) this.#grow();
    return true;
  }

  #grow(): void {
    const held = this.#slots;
    this.#slots = new Uint32Array(2 * held.length);
    for (let at = 0; at < held.length; at += WORDS) {
      const words = held.subarray(at, at + WORDS);
      if (words.some((word) => word !== 0)) insert(this.#slots, words);
    }
  }
}

/** The number of slots is a power of two; the first empty one behind that of the sum takes it. */
function insert(slots: Uint32Array, words: Uint32Array): boolean {
  const mask = slots.length - 1;
  for (let at = (words[0]! * WORDS) & mask; ; at = (at + WORDS) & mask) {
    if (slots[at] === 0 && slots[at + 1] === 0 && slots[at + 2] === 0 && slots[at + 3] === 0) {
      slots.set(words, at);
      return true;
    }
    if (words.every((word, place) => slots[at + place] === word)) return false;
  }
}
