import type { BinaryColumn } from './arrow-reader.ts';

/** Keys of a file, sorted by their bytes; a look-up halves them, so that opening costs nothing. */
export class SortedKeys {
  readonly offsets: Int32Array;
  readonly bytes: Buffer;
  readonly length: number;

  constructor({ offsets, values }: BinaryColumn, length: number) {
    this.offsets = offsets;
    this.bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    this.length = length;
  }

  /** Bytes of the key at a place. */
  at(place: number): Buffer {
    return this.bytes.subarray(this.offsets[place], this.offsets[place + 1]);
  }

  /** Place of the first key that equals `key`, or -1. */
  find(key: string | Uint8Array): number {
    const wanted = typeof key === 'string' ? Buffer.from(key) : key;
    const place = this.#lowerBound(wanted);
    return place < this.length && this.#compare(place, wanted) === 0 ? place : -1;
  }

  /** Places of every key that equals `key`: they lie side by side. */
  findAll(key: string): number[] {
    const wanted = Buffer.from(key);
    const places: number[] = [];
    for (let place = this.#lowerBound(wanted); place < this.length && this.#compare(place, wanted) === 0; place++) {
      places.push(place);
    }
    return places;
  }

  /** Places of the keys that begin with `prefix`, from the first to before the last: they lie side by side. */
  rangeOf(prefix: string): { from: number; to: number } {
    const first = Buffer.from(prefix);
    const beyond = Buffer.from(first);
    // No byte of UTF-8 is 255, so that the last one can be raised.
    beyond[beyond.length - 1] = (beyond.at(-1) as number) + 1;
    return { from: this.#lowerBound(first), to: this.#lowerBound(beyond) };
  }

  #lowerBound(wanted: Uint8Array): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Below 0 where the key at a place is the lesser. Keys differ early: with a loop a look-up takes a sixth of the time that it takes with the engine's compare. */
  #compare(place: number, wanted: Uint8Array): number {
    const { bytes, offsets } = this;
    const start = offsets[place] as number;
    const length = (offsets[place + 1] as number) - start;
    const common = Math.min(length, wanted.length);
    for (let at = 0; at < common; at++) {
      const difference = (bytes[start + at] as number) - (wanted[at] as number);
      if (difference !== 0) return difference;
    }
    return length - wanted.length;
  }
}
