import { type Data, type RecordBatch, type Schema, type Table, tableFromIPC } from 'apache-arrow';
import { IMAGE_VERSION_KEY, SERVING_IMAGE_VERSION } from '../format/serving.ts';
import type { NumberArray } from './growable.ts';

/** Reads the files that arrow-file.ts writes. Columns are views of the file's bytes; nothing is copied. */

/** First and last bytes of an Arrow file. */
const MAGIC = Buffer.from('ARROW1');
export const MAGIC_BYTES = MAGIC.length;

/** A binary column of one batch: row n is `values[offsets[n]] .. values[offsets[n + 1]]`. */
export interface BinaryColumn {
  offsets: Int32Array;
  values: Uint8Array;
}

/** A number-list column of one batch: row n is `values[offsets[n]] .. values[offsets[n + 1]]`. */
export interface ListColumn {
  offsets: Int32Array;
  values: Uint32Array;
}

/** Reads an image file. Throws, naming it, when it is cut or of another version. */
export function readImageTable(bytes: Uint8Array, path: string): Table {
  refuseCut(bytes.subarray(0, MAGIC_BYTES), bytes.subarray(-MAGIC_BYTES), path);
  const table = tableFromIPC(bytes);
  refuseOtherVersion(table.schema, path);
  return table;
}

/** Throws, naming the file, unless `first` and `last`, its first and last bytes, are those of a whole Arrow file. */
export function refuseCut(first: Uint8Array, last: Uint8Array, path: string): void {
  if (!MAGIC.equals(first) || !MAGIC.equals(last)) throw notWhole(path);
}

export function notWhole(path: string): Error {
  return new Error(`${path} is not a whole Arrow file; publish the snapshot again`);
}

/** Throws, naming the file, when this program does not read its version. */
export function refuseOtherVersion(schema: Schema, path: string): void {
  const version = schema.metadata.get(IMAGE_VERSION_KEY);
  if (version !== String(SERVING_IMAGE_VERSION)) {
    throw new Error(
      `${path} has serving image version ${version ?? 'none'}, this server reads ${SERVING_IMAGE_VERSION}; run \`pipeline publish\` with this code`,
    );
  }
}

/** The one batch of a file that has one. */
export function onlyBatch(table: Table, path: string): RecordBatch {
  const [batch, ...more] = table.batches;
  if (batch === undefined || more.length > 0)
    throw new Error(`${path} has ${table.batches.length} batches instead of one`);
  return batch;
}

export function binaryColumn(batch: RecordBatch, name: string, path: string): BinaryColumn {
  const data = columnData(batch, name, path);
  return { offsets: data.valueOffsets, values: data.values };
}

/** A fixed-width column, without the padding behind it in the file. */
export function numberColumn<A extends NumberArray>(batch: RecordBatch, name: string, path: string): A {
  return columnData(batch, name, path).values.subarray(0, batch.numRows);
}

export function listColumn(batch: RecordBatch, name: string, path: string): ListColumn {
  const data = columnData(batch, name, path);
  return { offsets: data.valueOffsets, values: data.children[0]?.values ?? new Uint32Array() };
}

/** One row of a binary column that holds text. */
export function textAt({ offsets, values }: BinaryColumn, row: number): string {
  const start = offsets[row] as number;
  return Buffer.from(values.buffer, values.byteOffset + start, (offsets[row + 1] as number) - start).toString('utf8');
}

function columnData(batch: RecordBatch, name: string, path: string): Data {
  const place = batch.schema.fields.findIndex((field) => field.name === name);
  const data = batch.data.children[place];
  if (data === undefined) throw new Error(`${path} has no column ${name}; publish the snapshot again`);
  return data;
}
