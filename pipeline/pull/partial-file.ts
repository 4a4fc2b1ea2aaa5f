import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** Largest piece of what is there already that is read at once. */
const PIECE_BYTES = 1 << 20;

/** A file that is written from its beginning to its end, whose bytes are hashed as they come. */
export class PartialFile implements AsyncDisposable {
  readonly #handle: FileHandle;
  readonly #told: (bytes: number) => void;
  #hash: Hash = createHash('sha256');
  /** Bytes that it has, from the first on. */
  bytes = 0;
  /** Bytes that were appended since it was opened, also those that a restart gave up. */
  received = 0;

  private constructor(handle: FileHandle, told: (bytes: number) => void) {
    this.#handle = handle;
    this.#told = told;
  }

  /**
   * Opens a file and hashes what is there, so that more can be appended. One with more than `most` bytes begins again. `told` gets the
   * number of bytes by which the file grew, less than 0 where it begins again.
   */
  static async open(path: string, most: number, told: (bytes: number) => void): Promise<PartialFile> {
    // Read and appended to, and made where it is not there.
    const file = new PartialFile(await open(path, 'a+'), told);
    try {
      await file.#readOn(most);
      return file;
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #readOn(most: number): Promise<void> {
    const { size } = await this.#handle.stat();
    if (size > most) return this.restart();
    const piece = Buffer.allocUnsafe(Math.min(Math.max(size, 1), PIECE_BYTES));
    while (this.bytes < size) {
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, this.bytes);
      if (bytesRead === 0) break;
      this.#hash.update(piece.subarray(0, bytesRead));
      this.bytes += bytesRead;
    }
    this.#told(this.bytes);
  }

  async append(chunk: Uint8Array): Promise<void> {
    await this.#handle.appendFile(chunk);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    this.received += chunk.length;
    this.#told(chunk.length);
  }

  /** Begins again with no bytes. */
  async restart(): Promise<void> {
    await this.#handle.truncate(0);
    this.#told(-this.bytes);
    this.#hash = createHash('sha256');
    this.bytes = 0;
  }

  /** SHA-256 of the bytes that it has, lower-case hex. */
  sum(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Makes its bytes durable. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
