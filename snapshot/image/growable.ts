export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** A typed array that doubles its room; keeps millions of numbers outside the heap. */
export class Growable<A extends NumberArray> {
  readonly #make: new (
    length: number,
  ) => A;
  #values: A;
  #length = 0;

  constructor(make: new (length: number) => A, capacity = 1024) {
    this.#make = make;
    this.#values = new make(capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  /** Room for `count` more numbers, for the caller to fill; valid until the next are added. */
  extend(count: number): A {
    const start = this.#length;
    if (start + count > this.#values.length) this.#grow(start + count);
    this.#length += count;
    return this.#values.subarray(start, this.#length) as A;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  increment(index: number): void {
    this.#values[index] = (this.#values[index] as number) + 1;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A view of the numbers so far; a later push may move them elsewhere. */
  view(): A {
    return this.#values.subarray(0, this.#length) as A;
  }

  #grow(needed: number): void {
    const larger = new this.#make(Math.max(needed, this.#values.length * 2));
    larger.set(this.#values);
    this.#values = larger;
  }
}

/** Numbers in a chunk: 16 MB. */
const CHUNK = 2 ** 22;
const FIRST_CHUNK = 1024;

/**
 * Numbers for lists of hundreds of megabytes: a typed array that doubles its room holds them twice while it grows, and until the engine
 * collects the smaller one.
 */
export class ChunkedNumbers {
  readonly #chunks: Uint32Array[] = [];
  /** How many numbers each chunk before the last one has. */
  readonly #used: number[] = [];
  #last = new Uint32Array(0);
  #lastUsed = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#lastUsed === this.#last.length) this.#begin(1);
    this.#last[this.#lastUsed++] = value;
    this.#length += 1;
  }

  /** Adds numbers within one chunk; returns its number and where they begin in it. */
  pushTogether(values: ArrayLike<number>): { chunk: number; start: number } {
    if (this.#chunks.length === 0 || this.#lastUsed + values.length > this.#last.length) this.#begin(values.length);
    const start = this.#lastUsed;
    this.#last.set(values, start);
    this.#lastUsed += values.length;
    this.#length += values.length;
    return { chunk: this.#chunks.length - 1, start };
  }

  chunk(number: number): Uint32Array {
    return this.#chunks[number] as Uint32Array;
  }

  /** The numbers in their order, chunk by chunk. */
  *inOrder(): Generator<Uint32Array> {
    for (const [number, chunk] of this.#chunks.entries()) yield chunk.subarray(0, this.#used[number] ?? this.#lastUsed);
  }

  #begin(needed: number): void {
    if (this.#chunks.length > 0) this.#used.push(this.#lastUsed);
    this.#last = new Uint32Array(Math.max(needed, Math.min(CHUNK, Math.max(FIRST_CHUNK, this.#length))));
    this.#lastUsed = 0;
    this.#chunks.push(this.#last);
  }
}

/** Parts appended one after the other, with the end of each: the content of an Arrow binary column. */
export class ByteColumn {
  #bytes: Buffer;
  #used = 0;
  readonly #ends = new Growable(Int32Array);

  /** `capacity` in bytes; of one that is too large, what is not written takes no memory. */
  constructor(capacity = 1 << 16) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#ends.push(0);
  }

  appendText(text: string): void {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#used, length, 'utf8');
    this.#end(length);
  }

  appendBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.byteLength);
    this.#bytes.set(bytes, this.#used);
    this.#end(bytes.byteLength);
  }

  /** Views of bytes and row offsets; valid until something is appended or cleared. */
  view(): { bytes: Uint8Array; offsets: Int32Array } {
    return { bytes: this.#bytes.subarray(0, this.#used), offsets: this.#ends.view() };
  }

  clear(): void {
    this.#used = 0;
    this.#ends.clear();
    this.#ends.push(0);
  }

  #end(length: number): void {
    this.#used += length;
    this.#ends.push(this.#used);
  }

  #reserve(length: number): void {
    const needed = this.#used + length;
    if (needed > MAX_COLUMN_BYTES) {
      throw new Error(
        `a column of the serving image would pass ${MAX_COLUMN_BYTES} bytes in one batch; lower DOCUMENTS_PER_BATCH or split the file`,
      );
    }
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}

/** Arrow's 32-bit offsets end at 2 GiB; half of it leaves room for the copy that is written. */
const MAX_COLUMN_BYTES = 2 ** 30;
