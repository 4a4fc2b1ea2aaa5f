import { zstdDecompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { readColumn } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';

/** A page is decompressed in one piece up to this size; a damaged header may state any. */
const PIECE_BYTES = 2 ** 22;
/** A piece that is filled to its last byte makes zlib take room for another and look for more. */
const SPARE_BYTES = 64;

const ROOT: SchemaElement = { name: 'root', num_children: 1 };
const VALUE: SchemaElement = { name: 'value', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' };
const DECODER: Parameters<typeof readColumn>[2] = {
  pathInSchema: ['value'],
  type: 'BYTE_ARRAY',
  element: VALUE,
  schemaPath: [
    { element: ROOT, children: [], count: 2, path: [] },
    { element: VALUE, children: [], count: 1, path: ['value'] },
  ],
  codec: 'ZSTD',
  parsers: DEFAULT_PARSERS,
  utf8: false,
};

/**
 * The bytes of one value of a column of texts in a row group, from the column's bytes in the file. Throws for bytes that are no such
 * column. Pages after the one of the value are not decompressed.
 */
export function textInColumn(column: Uint8Array, { row, rows }: { row: number; rows: number }): Uint8Array {
  const select = { groupStart: 0, groupRows: rows, selectStart: row, selectEnd: row + 1 };
  const compressors = { ZSTD: decompressed };
  const { data, skipped } = readColumn(readerOf(column), select, { ...DECODER, compressors });
  const value: unknown = data.flatMap((values) => [...values]).at(row - skipped);
  if (!(value instanceof Uint8Array)) throw new Error(`the column has no text in row ${row} of ${rows}`);
  return value;
}

function decompressed(page: Uint8Array, bytes: number): Uint8Array {
  const chunkSize = Math.min(Math.max(0, bytes), PIECE_BYTES) + SPARE_BYTES;
  return zstdDecompressSync(page, { chunkSize, maxOutputLength: Math.max(1, bytes) });
}

function readerOf({ buffer, byteOffset, byteLength }: Uint8Array): { view: DataView; offset: number } {
  return { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
}
