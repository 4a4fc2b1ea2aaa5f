import { join } from 'node:path';
import { parseIdentifier } from '../../snapshot/format/identifiers.ts';
import { IDS_FILE, SERVING_DIR } from '../../snapshot/format/serving.ts';
import { foldId } from '../../snapshot/format/serving-columns.ts';
import { readServingFile } from '../../snapshot/format/serving-file.ts';
import { type BinaryColumn, binaryColumn, onlyBatch, readImageTable } from '../../snapshot/image/arrow-reader.ts';

/**
 * Every id that leads to a trial of one snapshot, in memory: the sorted keys of ids.arrow and their offsets, about 20
 * bytes an id and nothing else of the file. Read once for each snapshot; a look-up is a binary search.
 */
export class TrialIds {
  readonly snapshot: string;
  readonly size: number;
  readonly #offsets: Int32Array;
  readonly #bytes: Buffer;

  private constructor(snapshot: string, size: number, { offsets, values }: BinaryColumn) {
    this.snapshot = snapshot;
    this.size = size;
    // Copies, so that the memory of the other columns of the file can be freed.
    this.#offsets = offsets.slice(0, size + 1);
    this.#bytes = Buffer.from(values.subarray(0, this.#offsets[size] ?? 0));
  }

  /** Null for a snapshot without the file. Throws, naming the file, when it is not as published or of another version. */
  static async open(snapshotDir: string, snapshot: string): Promise<TrialIds | null> {
    const bytes = await readServingFile(snapshotDir, IDS_FILE);
    return bytes === null ? null : TrialIds.fromBytes(bytes, join(snapshotDir, SERVING_DIR, IDS_FILE), snapshot);
  }

  /** `path` is for messages only. */
  static fromBytes(bytes: Uint8Array, path: string, snapshot: string): TrialIds {
    const batch = onlyBatch(readImageTable(bytes, path), path);
    return new TrialIds(snapshot, batch.numRows, binaryColumn(batch, 'key', path));
  }

  /**
   * Whether an id leads to a trial, as the index resolves it: a canonical id, a registry id, or a number that a trial
   * declares, in any case and in every spelling by which identifiers are recognised.
   */
  has(id: string): boolean {
    const parsed = parseIdentifier(id);
    return this.#holds(foldId(id)) || (parsed !== null && this.#holds(foldId(parsed.value)));
  }

  #holds(key: string): boolean {
    const wanted = Buffer.from(key);
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.#compare(low, wanted) === 0;
  }

  #compare(place: number, wanted: Uint8Array): number {
    return this.#bytes.compare(wanted, 0, wanted.length, this.#offsets[place], this.#offsets[place + 1]);
  }
}
