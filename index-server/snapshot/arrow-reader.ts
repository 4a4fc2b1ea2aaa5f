import { type Data, type RecordBatch, type Table, tableFromIPC } from 'apache-arrow';
import { type BatchLayout, refuseCutFile, refuseOtherVersion } from './image-file.ts';
import type { MappedFile } from './mapped-file.ts';

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

/** Reads an image file without copying its columns. Throws, naming the file, when it is cut or of another version. */
export function readImageTable(file: MappedFile, path: string): Table {
  refuseCutFile(file, path);
  const table = tableFromIPC(file.bytes);
  refuseOtherVersion(table.schema, path);
  return table;
}

/** The number lists of a batch of a file that has nothing else, as views into it. */
export function listColumnAt(file: MappedFile, { rows, buffers }: BatchLayout, path: string): ListColumn {
  const [, offsetsAt, , valuesAt] = buffers;
  if (offsetsAt === undefined || valuesAt === undefined || buffers.length !== 4) {
    throw new Error(`${path} has not the one column of lists; publish the snapshot again`);
  }
  const { buffer } = file.part(offsetsAt.at, valuesAt.at + valuesAt.length - offsetsAt.at);
  return {
    offsets: new Int32Array(buffer, 0, rows + 1),
    values: new Uint32Array(buffer, valuesAt.at - offsetsAt.at, valuesAt.length / Uint32Array.BYTES_PER_ELEMENT),
  };
}

/** The data of a column in a batch; throws when the file lacks it. */
function columnData(batch: RecordBatch, name: string, path: string): Data {
  const place = batch.schema.fields.findIndex((field) => field.name === name);
  const data = batch.data.children[place];
  if (data === undefined) throw new Error(`${path} has no column ${name}; publish the snapshot again`);
  return data;
}

export function binaryColumn(batch: RecordBatch, name: string, path: string): BinaryColumn {
  const data = columnData(batch, name, path);
  return { offsets: data.valueOffsets, values: data.values };
}

export function numberColumn(
  batch: RecordBatch,
  name: string,
  path: string,
): Uint8Array | Uint16Array | Uint32Array | Int32Array {
  return columnData(batch, name, path).values;
}

/** The one batch of a single-batch file. */
export function onlyBatch(table: Table, path: string): RecordBatch {
  const [batch, ...more] = table.batches;
  if (batch === undefined || more.length > 0)
    throw new Error(`${path} has ${table.batches.length} batches instead of one`);
  return batch;
}
