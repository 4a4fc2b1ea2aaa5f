import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { PayloadIndex, PayloadPlace } from '../../snapshot-format/payload-index.ts';
import { textInColumn } from './parquet-column.ts';

/**
 * The payloads of one snapshot, read from its part files where the index says. Files are read and not mapped: one that was cut is a
 * failed read, not the end of the process. Each is opened when it is first asked for, and closed with the snapshot.
 */
export class PayloadFiles {
  readonly #parts: readonly string[];
  readonly #index: PayloadIndex;
  readonly #open = new Map<string, Promise<FileHandle>>();
  #released = false;

  /** Paths of the parts in the order of the manifest. */
  constructor(parts: readonly string[], index: PayloadIndex) {
    this.#parts = parts;
    this.#index = index;
  }

  /**
   * The payload with this SHA-256, as received; null where no part holds it. Rejects where a part cannot be read, or holds other
   * bytes in its place.
   */
  async read(sha256: string): Promise<Buffer | null> {
    const faults: unknown[] = [];
    // Several places where a part holds it again: each will do.
    for (const place of this.#index.placesOf(sha256)) {
      try {
        return await this.#at(place, sha256);
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
    return null;
  }

  async #at({ part, at, bytes, rows, row }: PayloadPlace, sha256: string): Promise<Buffer> {
    const path = this.#parts[part];
    if (path === undefined) throw new Error(`the index of payloads names part ${part} of ${this.#parts.length}`);
    const column = Buffer.allocUnsafeSlow(bytes);
    const file = await this.#opened(path);
    const { bytesRead } = await file.read(column, 0, bytes, at);
    if (bytesRead < bytes) throw new Error(`${path} has ${bytesRead} bytes at ${at}, expected ${bytes}`);
    const { buffer, byteOffset, length } = await textInColumn(column, { row, rows }).catch((cause: unknown) => {
      throw new Error(`${path} is damaged in the row group at ${at}`, { cause });
    });
    const payload = Buffer.from(buffer, byteOffset, length) as Buffer;
    const found = createHash('sha256').update(payload).digest('hex');
    if (found !== sha256) throw new Error(`a payload in ${path} has SHA-256 ${found}, expected ${sha256}`);
    return payload;
  }

  async #opened(path: string): Promise<FileHandle> {
    const held = this.#open.get(path);
    if (held !== undefined) return held;
    // Whoever reads holds the snapshot, unless another read of the same request failed.
    if (this.#released) throw new Error(`${path} was closed with its snapshot`);
    const opened = open(path);
    this.#open.set(path, opened);
    opened.catch(() => this.#open.delete(path));
    return opened;
  }

  /** Closes the files after the reads that are under way. */
  release(): void {
    this.#released = true;
    for (const opened of this.#open.values()) void opened.then((file) => file.close()).catch(() => undefined);
    this.#open.clear();
  }
}
