/** Most bytes that UTF-8 has for a unit of a JavaScript string. */
const BYTES_PER_UNIT = 3;

/** A piece of a file, written where it is sent from: a text becomes bytes once, and no part is joined to others later. */
export class Piece {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  constructor(expectedBytes: number) {
    this.#bytes = ownBuffer(expectedBytes);
  }

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    const isSure = this.#length + text.length * BYTES_PER_UNIT <= this.#bytes.length;
    if (!isSure) this.#makeRoom(Buffer.byteLength(text));
    this.#length += this.#bytes.write(text, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What was written, in a buffer that is its own, so that it can be sent to another thread without a copy. */
  finished(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer, 0, this.#length);
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = ownBuffer(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Not a part of Node's common pool, which could not be sent away. */
function ownBuffer(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(new ArrayBuffer(bytes));
}
