import { type Data, type RecordBatch, type Table, tableFromIPC } from 'apache-arrow';
import { IMAGE_VERSION_KEY, SERVING_IMAGE_VERSION } from '../../snapshot-format/serving.ts';

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

const MAGIC = 'ARROW1';

/** Reads an image file without copying its columns. Throws, naming the file, when it is cut or of another version. */
export function readImageTable(bytes: Uint8Array, path: string): Table {
  const text = (from: number): string => Buffer.from(bytes.buffer, bytes.byteOffset + from, MAGIC.length).toString();
  if (bytes.length < 2 * MAGIC.length || text(0) !== MAGIC || text(bytes.length - MAGIC.length) !== MAGIC) {
    throw new Error(`${path} is not a whole Arrow file; publish the snapshot again`);
  }
  const table = tableFromIPC(bytes);
  const version = table.schema.metadata.get(IMAGE_VERSION_KEY);
  if (version !== String(SERVING_IMAGE_VERSION)) {
    throw new Error(
      `${path} has serving image version ${version ?? 'none'}, this server reads ${SERVING_IMAGE_VERSION}; run \`pipeline publish --reindex\` with this code`,
    );
  }
  return table;
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

export function listColumn(batch: RecordBatch, name: string, path: string): ListColumn {
  const data = columnData(batch, name, path);
  return { offsets: data.valueOffsets, values: data.children[0]?.values };
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
