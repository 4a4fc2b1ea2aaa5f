import { numberColumn, onlyBatch, readImageTable } from '../image/arrow-reader.ts';

/**
 * Where each payload lies in the part files, in an Arrow file of one batch that servers map, so that one is read without a query. It
 * follows from the part files, whose layout differs from one data directory to another; so it is no part of the serving image, which the
 * identity binds.
 */
export const PAYLOAD_INDEX_FILE = 'payloads.index';

/** Columns of 32-bit numbers, a row for each payload, sorted by the columns. */
export const PAYLOAD_COLUMNS = [
  /** First 32 bits of the SHA-256. */
  'key',
  /** Number of the part in the manifest. */
  'part',
  /** First byte of the column of payloads in its row group, how many bytes it has there, and the rows of the group. */
  'at',
  'bytes',
  'rows',
  /** The row of the payload in the group. */
  'row',
] as const;
type PayloadColumn = (typeof PAYLOAD_COLUMNS)[number];
export type PayloadPlace = Record<PayloadColumn, number>;

/** Reads an index. Throws, naming the file, where it is no index or is cut. */
export class PayloadIndex {
  readonly #columns: Record<PayloadColumn, Uint32Array>;

  constructor(bytes: Uint8Array, path: string) {
    const batch = onlyBatch(readImageTable(bytes, path), path);
    const columns = PAYLOAD_COLUMNS.map((name) => [name, numberColumn<Uint32Array>(batch, name, path)]);
    this.#columns = Object.fromEntries(columns) as Record<PayloadColumn, Uint32Array>;
  }

  /**
   * Where a payload may lie: nearly always one place, several where a part holds it again or where two checksums begin alike, none
   * where no part holds it.
   */
  placesOf(sha256: string): PayloadPlace[] {
    const key = Number.parseInt(sha256.slice(0, 8), 16);
    const { key: keys } = this.#columns;
    let [at, high] = [0, keys.length];
    while (at < high) {
      const middle = (at + high) >>> 1;
      if ((keys[middle] as number) < key) at = middle + 1;
      else high = middle;
    }
    const found: PayloadPlace[] = [];
    for (; keys[at] === key; at += 1) {
      const place = PAYLOAD_COLUMNS.map((name) => [name, this.#columns[name][at]]);
      found.push(Object.fromEntries(place) as PayloadPlace);
    }
    return found;
  }
}
