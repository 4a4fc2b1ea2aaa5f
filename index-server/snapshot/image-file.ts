import { MessageReader, type Schema } from 'apache-arrow';
import { type FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import {
  type ListColumn,
  MAGIC_BYTES,
  notWhole,
  refuseCut,
  refuseOtherVersion,
} from '../../snapshot/image/arrow-reader.ts';
import type { MappedFile } from './mapped-file.ts';

/** A range of bytes in a file. */
export interface Region {
  at: number;
  length: number;
}

/** One batch of rows: the buffers of its columns in the order of the schema, as Arrow lays them out. */
export interface BatchLayout {
  rows: number;
  buffers: Region[];
}

/**
 * A file of batches with `rowsPerBatch` rows each; the last may have fewer. The layout of a batch is read when it is
 * asked for.
 */
export interface ImageFile {
  schema: Schema;
  rows: number;
  batches: (() => BatchLayout)[];
}

/** The file ends with the length of its footer and the magic word. */
const TAIL_BYTES = 4 + MAGIC_BYTES;

/**
 * Opens a file of batches by its footer, without a view of it, so that nothing grows with its length. Throws, naming
 * the file, when it is cut or of another version; a batch throws when it is not one.
 */
export function openImageFile(file: MappedFile, rowsPerBatch: number, path: string): ImageFile {
  if (file.byteLength < MAGIC_BYTES + TAIL_BYTES) throw notWhole(path);
  refuseCut(copied(file, 0, MAGIC_BYTES), copied(file, file.byteLength - MAGIC_BYTES, MAGIC_BYTES), path);
  const tailAt = file.byteLength - TAIL_BYTES;
  const footerBytes = copied(file, tailAt, 4).readInt32LE();
  if (footerBytes <= 0 || footerBytes > tailAt) throw notWhole(path);
  const footer = Footer.decode(copied(file, tailAt - footerBytes, footerBytes));
  refuseOtherVersion(footer.schema, path);
  const batches = Array.from(footer.recordBatches(), (block) => () => layoutOf(file, block, path));
  const rows = Math.max(0, batches.length - 1) * rowsPerBatch + (batches.at(-1)?.().rows ?? 0);
  return { schema: footer.schema, rows, batches };
}

function layoutOf(file: MappedFile, { offset, metaDataLength, bodyLength }: FileBlock, path: string): BatchLayout {
  const message = new MessageReader(copied(file, offset, metaDataLength)).readMessage();
  const bodyAt = offset + metaDataLength;
  if (!message?.isRecordBatch() || bodyAt + bodyLength > file.byteLength) {
    throw notWhole(path);
  }
  const { length, buffers } = message.header();
  return { rows: length, buffers: buffers.map((buffer) => ({ at: bodyAt + buffer.offset, length: buffer.length })) };
}

function copied(file: MappedFile, from: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length);
  file.copy(from, bytes);
  return bytes;
}

/** Views of the number lists of a batch, in a file that has no other column. */
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
