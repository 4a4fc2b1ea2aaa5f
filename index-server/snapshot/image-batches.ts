import { MessageReader } from 'apache-arrow';
import { type FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { DOCUMENTS_PER_BATCH } from '../../snapshot/format/serving.ts';
import { MAGIC_BYTES, notWhole, refuseCut, refuseOtherVersion } from '../../snapshot/image/arrow-reader.ts';
import type { MappedFile } from './mapped-file.ts';

/** One column of a batch: row n is `offsets[n]` to `offsets[n + 1]` of its values. */
export interface BatchColumn {
  file: MappedFile;
  offsets: Int32Array;
  /** Where the values lie in the file. */
  valuesAt: number;
  valuesBytes: number;
  /** A view of the values of number lists, once it was made. */
  numbers?: Uint32Array;
}

interface Batch {
  file: MappedFile;
  path: string;
  block: FileBlock;
  /** Names of its columns in the order of the file. */
  names: string[];
  columns: Map<string, BatchColumn>;
}

/** The file ends with the length of its footer and the magic word. */
const TAIL_BYTES = 4 + MAGIC_BYTES;

/**
 * Columns of files of batches with DOCUMENTS_PER_BATCH rows each; the last batch may have fewer. No view is made of a file, so that
 * nothing grows with its length: a request reads a few kilobytes, which are copied. The offsets of a column are kept from its first
 * use on, at most 28 bytes a trial.
 */
export class ImageBatches {
  /** Buffers of one column as Arrow lays them out; the second are the offsets, the last are the values. */
  readonly #buffersPerColumn: number;
  readonly #batches: Batch[] = [];
  #rows = 0;

  constructor(buffersPerColumn: number) {
    this.#buffersPerColumn = buffersPerColumn;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds the file of the next rows. Throws, naming it, when it is cut, of another version or of another layout. */
  add(file: MappedFile, path: string, wanted: readonly string[]): void {
    if (file.byteLength < MAGIC_BYTES + TAIL_BYTES) throw notWhole(path);
    refuseCut(copied(file, 0, MAGIC_BYTES), copied(file, file.byteLength - MAGIC_BYTES, MAGIC_BYTES), path);
    const tailAt = file.byteLength - TAIL_BYTES;
    const footerBytes = copied(file, tailAt, 4).readInt32LE();
    if (footerBytes <= 0 || footerBytes > tailAt) throw notWhole(path);
    const footer = Footer.decode(copied(file, tailAt - footerBytes, footerBytes));
    refuseOtherVersion(footer.schema, path);
    const names = footer.schema.fields.map(({ name }) => name);
    const missing = wanted.find((name) => !names.includes(name));
    if (missing !== undefined) throw new Error(`${path} has no column ${missing}; publish the snapshot again`);
    for (const block of footer.recordBatches()) this.#batches.push({ file, path, block, names, columns: new Map() });
    const last = this.#batches.at(-1);
    const rowsInLast = last?.file === file ? this.#layoutOf(last).rows : 0;
    this.#rows += Math.max(0, footer.numRecordBatches - 1) * DOCUMENTS_PER_BATCH + rowsInLast;
  }

  /** The column in the batch of a row. Throws for a row that the files do not have. */
  column(row: number, name: string): BatchColumn {
    const batch = this.#batches[Math.floor(row / DOCUMENTS_PER_BATCH)];
    if (batch === undefined || row < 0 || row >= this.#rows) {
      throw new RangeError(`row ${row} is none of the ${this.#rows} trials`);
    }
    const known = batch.columns.get(name);
    if (known !== undefined) return known;
    const { rows, buffers } = this.#layoutOf(batch);
    const first = batch.names.indexOf(name) * this.#buffersPerColumn;
    const [offsetsAt, values] = [buffers[first + 1]!.at, buffers[first + this.#buffersPerColumn - 1]!];
    const offsets = new Int32Array(rows + 1);
    batch.file.copy(offsetsAt, new Uint8Array(offsets.buffer));
    const column: BatchColumn = { file: batch.file, offsets, valuesAt: values.at, valuesBytes: values.length };
    batch.columns.set(name, column);
    return column;
  }

  #layoutOf({ file, path, block, names }: Batch): { rows: number; buffers: { at: number; length: number }[] } {
    const { offset, metaDataLength, bodyLength } = block;
    const message = new MessageReader(copied(file, offset, metaDataLength)).readMessage();
    const bodyAt = offset + metaDataLength;
    if (!message?.isRecordBatch() || bodyAt + bodyLength > file.byteLength) throw notWhole(path);
    const { length, buffers } = message.header();
    if (buffers.length !== names.length * this.#buffersPerColumn) {
      throw new Error(`${path} has a column of another type; publish the snapshot again`);
    }
    return { rows: length, buffers: buffers.map((one) => ({ at: bodyAt + one.offset, length: one.length })) };
  }
}

function copied(file: MappedFile, from: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length);
  file.copy(from, bytes);
  return bytes;
}
