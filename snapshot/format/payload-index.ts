/**
 * Where each payload lies in the part files, in a file that servers map, so that one is read without a query. It follows from the
 * part files, whose layout differs from one data directory to another; so it is no part of the serving image, which the identity
 * binds.
 *
 * | bytes | what |
 * |---|---|
 * | 16 | magic, number of row groups, number of payloads (32-bit, little-endian, as all numbers) |
 * | 16 × groups | of each row group: number of its part in the manifest, first byte and length of its column of payloads, rows |
 * | 4 × payloads | first 32 bits of the SHA-256 of each, ascending |
 * | 4 × payloads | the row group of each |
 * | 4 × payloads | its row in the group |
 */
export const PAYLOAD_INDEX_FILE = 'payloads.index';

const MAGIC = 'TRPAYL01';
const HEADER_BYTES = 16;

/** A row group of a part file. */
export interface PayloadGroup {
  part: number;
  /** First byte of the column of payloads in the file, and how many bytes it has there. */
  at: number;
  bytes: number;
  rows: number;
}

const GROUP_WORDS = ['part', 'at', 'bytes', 'rows'] as const satisfies (keyof PayloadGroup)[];
const WORDS_PER_GROUP = GROUP_WORDS.length;

/** Of each payload its key, the number of its row group, and its row in it, in the order of these. */
export interface PlacedPayloads {
  keys: readonly number[];
  groups: readonly number[];
  rows: readonly number[];
}

export interface PayloadPlace extends PayloadGroup {
  row: number;
}

/** The bytes of an index; the payloads come in order of key, group and row. */
export function packPayloadIndex(groups: readonly PayloadGroup[], payloads: PlacedPayloads): Buffer {
  const { keys, groups: groupOf, rows: rowOf } = payloads;
  const packed = Buffer.alloc(HEADER_BYTES + 4 * (WORDS_PER_GROUP * groups.length + 3 * keys.length));
  packed.write(MAGIC, 'latin1');
  let at = packed.writeUInt32LE(groups.length, MAGIC.length);
  at = packed.writeUInt32LE(keys.length, at);
  for (const group of groups) for (const name of GROUP_WORDS) at = packed.writeUInt32LE(group[name], at);
  for (const column of [keys, groupOf, rowOf]) for (const word of column) at = packed.writeUInt32LE(word, at);
  return packed;
}

/** Bytes that an index is read from; a mapped file is one. */
export interface IndexBytes {
  readonly byteLength: number;
  part(from: number, length: number): Uint8Array;
  copy(from: number, target: Uint8Array): void;
}

/** Reads an index. Throws for a file that is no index, or is cut. */
export class PayloadIndex {
  readonly #groups: Uint32Array;
  readonly #keys: Uint32Array;
  readonly #groupOf: Uint32Array;
  readonly #rowOf: Uint32Array;

  constructor(file: IndexBytes) {
    const header = Buffer.alloc(HEADER_BYTES);
    if (file.byteLength >= HEADER_BYTES) file.copy(0, header);
    if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error(`not an index of payloads: no ${MAGIC}`);
    const groups = header.readUInt32LE(MAGIC.length);
    const payloads = header.readUInt32LE(MAGIC.length + 4);
    let at = HEADER_BYTES;
    const numbers = (length: number): Uint32Array => {
      const { buffer, byteOffset } = file.part(at, 4 * length);
      at += 4 * length;
      return new Uint32Array(buffer, byteOffset, length);
    };
    this.#groups = numbers(WORDS_PER_GROUP * groups);
    this.#keys = numbers(payloads);
    this.#groupOf = numbers(payloads);
    this.#rowOf = numbers(payloads);
  }

  /**
   * Where a payload may lie: nearly always one place, several where a part holds it again or where two checksums begin alike, none
   * where no part holds it.
   */
  placesOf(sha256: string): PayloadPlace[] {
    const key = Number.parseInt(sha256.slice(0, 8), 16);
    const found: PayloadPlace[] = [];
    for (let at = lowerBound(this.#keys, key); this.#keys[at] === key; at += 1) {
      const first = WORDS_PER_GROUP * (this.#groupOf[at] as number);
      const [part, begin, bytes, rows] = this.#groups.subarray(first, first + WORDS_PER_GROUP);
      found.push({ part: part!, at: begin!, bytes: bytes!, rows: rows!, row: this.#rowOf[at] as number });
    }
    return found;
  }
}

/** Place of the first of ascending numbers that is not below `wanted`; their count where all are. */
function lowerBound(values: Uint32Array, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
