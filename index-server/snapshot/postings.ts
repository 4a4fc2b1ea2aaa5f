import type { Table } from 'apache-arrow';
import { POSTING_ENCODING } from '../../snapshot-format/serving-columns.ts';
import { type BinaryColumn, binaryColumn, numberColumn, onlyBatch } from './arrow-reader.ts';
import { SortedKeys } from './sorted-keys.ts';

/** Rows that hold a posting key, as they lie in the file: ascending rows, or one bit per row. */
export interface Posting {
  form: 'list' | 'bitmap';
  count: number;
  words: Uint32Array;
}

export interface PostingFile {
  keys: SortedKeys;
  encodings: Uint8Array;
  counts: Uint32Array;
  data: BinaryColumn;
}

/** The postings of a file; throws, naming it, when it is not laid out as one. */
export function readPostings(table: Table, path: string): PostingFile {
  const batch = onlyBatch(table, path);
  const data = binaryColumn(batch, 'data', path);
  if (data.values.byteOffset % 4 !== 0)
    throw new Error(`${path} is not aligned to 4 bytes; publish the snapshot again`);
  return {
    keys: new SortedKeys(binaryColumn(batch, 'key', path), table.numRows),
    encodings: numberColumn(batch, 'encoding', path) as Uint8Array,
    counts: numberColumn(batch, 'count', path) as Uint32Array,
    data,
  };
}

/** The rows of the key at a place, or null where there is none. */
export function postingAt({ encodings, counts, data }: PostingFile, place: number): Posting | null {
  if (place < 0) return null;
  const start = data.offsets[place] as number;
  const bytes = (data.offsets[place + 1] as number) - start;
  return {
    form: encodings[place] === POSTING_ENCODING.bitmap ? 'bitmap' : 'list',
    count: counts[place] as number,
    words: new Uint32Array(data.values.buffer, data.values.byteOffset + start, bytes / 4),
  };
}
