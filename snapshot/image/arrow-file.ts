import { closeSync, openSync, writeSync } from 'node:fs';
import {
  AsyncByteQueue,
  Binary,
  type Data,
  type DataType,
  Field,
  Int32,
  List,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Uint8,
  Uint16,
  Uint32,
} from 'apache-arrow';
import { IMAGE_VERSION_KEY, SERVING_IMAGE_VERSION } from '../format/serving.ts';
import { ByteColumn } from './growable.ts';

/** Writes each piece to the file as it comes, so that no more than one batch is held. */
class FileSink extends AsyncByteQueue {
  readonly #descriptor: number;
  #bytes = 0;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  get bytes(): number {
    return this.#bytes;
  }

  override write(value: Parameters<AsyncByteQueue['write']>[0]): void {
    const bytes = value as Uint8Array;
    let done = 0;
    while (done < bytes.byteLength) done += writeSync(this.#descriptor, bytes, done, bytes.byteLength - done);
    this.#bytes += bytes.byteLength;
  }
}

/** One uncompressed Arrow IPC file, written batch by batch. All batches share one schema, or the writer would close. */
export class ArrowFile implements Disposable {
  readonly #schema: Schema;
  readonly #descriptor: number;
  readonly #sink: FileSink;
  readonly #writer: RecordBatchFileWriter;
  #open = true;

  constructor(path: string, columns: Record<string, DataType>, metadata: Record<string, string> = {}) {
    this.#schema = new Schema(
      Object.entries(columns).map(([name, type]) => new Field(name, type, false)),
      new Map(Object.entries({ [IMAGE_VERSION_KEY]: String(SERVING_IMAGE_VERSION), ...metadata })),
    );
    this.#descriptor = openSync(path, 'wx');
    this.#sink = new FileSink(this.#descriptor);
    this.#writer = new RecordBatchFileWriter();
    this.#writer.reset(this.#sink, this.#schema);
  }

  get bytes(): number {
    return this.#sink.bytes;
  }

  /** Writes one batch; `columns` in the constructor's order. */
  write(columns: Data[]): void {
    const length = columns[0]?.length ?? 0;
    const struct = makeData({ type: new Struct(this.#schema.fields), length, nullCount: 0, children: columns });
    this.#writer.write(new RecordBatch(this.#schema, struct));
  }

  /** Writes the footer; the publication makes the finished files durable. */
  close(): void {
    this.#writer.finish();
    this[Symbol.dispose]();
  }

  /** Closes the descriptor of a file that a failure left half written; does nothing after `close`. */
  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }
}

/** Writes a whole file of one batch, with the types of the columns. */
export function writeColumns(path: string, columns: Record<string, Data>, metadata: Record<string, string> = {}): void {
  const types = Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, type]));
  using file = new ArrowFile(path, types, metadata);
  file.write(Object.values(columns));
  file.close();
}

export const BINARY = new Binary();
export const UINT8 = new Uint8();
export const UINT16 = new Uint16();
export const UINT32 = new Uint32();
export const INT32 = new Int32();
export const UINT32_LIST = new List(new Field('item', UINT32, false));

/** A binary column from its bytes and row offsets (one more than rows, the first 0). */
export function binaryData(column: { bytes: Uint8Array; offsets: Int32Array }): Data {
  return makeData({
    type: BINARY,
    length: column.offsets.length - 1,
    nullCount: 0,
    valueOffsets: column.offsets,
    data: column.bytes,
  });
}

/** A binary column of texts. */
export function textData(texts: Iterable<string>): Data {
  const column = new ByteColumn();
  for (const text of texts) column.appendText(text);
  return binaryData(column.view());
}

/** A fixed-width column over a typed array. */
export function numberData(values: Uint8Array | Uint16Array | Uint32Array | Int32Array): Data {
  const length = values.length;
  if (values instanceof Uint8Array) return makeData({ type: UINT8, length, nullCount: 0, data: values });
  if (values instanceof Uint16Array) return makeData({ type: UINT16, length, nullCount: 0, data: values });
  if (values instanceof Uint32Array) return makeData({ type: UINT32, length, nullCount: 0, data: values });
  return makeData({ type: INT32, length, nullCount: 0, data: values });
}

/** A column of number lists from all their values and the row offsets. */
export function listData(values: Uint32Array, offsets: Int32Array): Data {
  return makeData({
    type: UINT32_LIST,
    length: offsets.length - 1,
    nullCount: 0,
    valueOffsets: offsets,
    child: makeData({ type: UINT32, length: values.length, nullCount: 0, data: values }),
  });
}
