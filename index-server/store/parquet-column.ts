import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { parquetHeader, readColumn } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';

const unzstd = promisify(zstdDecompress);

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
 * The bytes of one value of a column of texts in a row group, from the column's bytes in the file. Pages are decompressed on Node's
 * pool, so that the thread of requests goes on meanwhile. Rejects for bytes that are no such column.
 */
export async function textInColumn(
  column: Uint8Array,
  { row, rows }: { row: number; rows: number },
): Promise<Uint8Array> {
  const pages = await decompressed(column);
  const select = { groupStart: 0, groupRows: rows, selectStart: row, selectEnd: row + 1 };
  const compressors = { ZSTD: ({ byteOffset }: Uint8Array) => pages.get(byteOffset) as Uint8Array };
  const { data, skipped } = readColumn(readerOf(column), select, { ...DECODER, compressors });
  const value: unknown = data.flatMap((values) => [...values]).at(row - skipped);
  if (!(value instanceof Uint8Array)) throw new Error(`the column has no text in row ${row} of ${rows}`);
  return value;
}

/** The pages of a column by where they begin compressed. */
async function decompressed(column: Uint8Array): Promise<Map<number, Uint8Array>> {
  const reader = readerOf(column);
  const pages = new Map<number, Uint8Array>();
  while (reader.offset < column.length) {
    const { compressed_page_size: length, uncompressed_page_size: bytes } = parquetHeader(reader);
    if (!(length > 0 && reader.offset + length <= column.length))
      throw new Error(`a page of ${length} bytes does not fit`);
    const page = column.subarray(reader.offset, reader.offset + length);
    const chunkSize = Math.min(Math.max(0, bytes), PIECE_BYTES) + SPARE_BYTES;
    pages.set(page.byteOffset, await unzstd(page, { chunkSize, maxOutputLength: Math.max(1, bytes) }));
    reader.offset += length;
  }
  return pages;
}

function readerOf({ buffer, byteOffset, byteLength }: Uint8Array): { view: DataView; offset: number } {
  return { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
}
