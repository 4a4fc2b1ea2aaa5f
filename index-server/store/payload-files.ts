import type { PayloadIndex, PayloadPlace } from '../../snapshot/format/payload-index.ts';
import type { PayloadThread, ReadPayload } from './payload-thread.ts';
import type { RegistrationKey } from './records.ts';

let lastNumber = 0;

/**
 * The payloads of one snapshot, read from its part files where the index says. Files are read and not mapped: one that was cut is a
 * failed read, not the end of the process. Each is opened when it is first asked for, and closed with the snapshot.
 */
export class PayloadFiles {
  readonly #parts: readonly string[];
  readonly #index: PayloadIndex;
  readonly #thread: PayloadThread;
  readonly #number = ++lastNumber;
  #released = false;

  /** Paths of the parts in the order of the manifest. */
  constructor(parts: readonly string[], index: PayloadIndex, thread: PayloadThread) {
    this.#parts = parts;
    this.#index = index;
    this.#thread = thread;
  }

  /**
   * A registry's payload with this SHA-256, or the part of it that a JSON pointer names; null where no part holds it. Rejects where a part cannot be read, or holds other bytes in
   * its place.
   */
  async read(sha256: string, registry: RegistrationKey['registry'], part?: string): Promise<ReadPayload | null> {
    const faults: unknown[] = [];
    // Several places where a part holds it again: each will do.
    for (const place of this.#index.placesOf(sha256)) {
      try {
        return await this.#at(place, { sha256, registry, part });
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
    return null;
  }

  async #at(
    { part, ...place }: PayloadPlace,
    wanted: { sha256: string; registry: RegistrationKey['registry']; part: string | undefined },
  ): Promise<ReadPayload> {
    const path = this.#parts[part];
    if (path === undefined) throw new Error(`the index of payloads names part ${part} of ${this.#parts.length}`);
    // Whoever reads holds the snapshot, unless another read of the same request failed.
    if (this.#released) throw new Error(`${path} was closed with its snapshot`);
    return this.#thread.read({ ...place, ...wanted, files: this.#number, path });
  }

  /** Closes the files after the reads that are under way. */
  release(): void {
    this.#released = true;
    this.#thread.closeFiles(this.#number);
  }
}
