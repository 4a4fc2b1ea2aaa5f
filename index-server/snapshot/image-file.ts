import { MessageReader, type Schema } from 'apache-arrow';
import { type FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { IMAGE_VERSION_KEY, SERVING_IMAGE_VERSION } from '../../snapshot-format/serving.ts';
import type { MappedFile } from './mapped-file.ts';

/** Where bytes lie in a file. */
export interface Region {
  at: number;
  length: number;
}

/** One batch of rows: the buffers of its columns in the order of the schema, as Arrow lays them out. */
export interface BatchLayout {
  rows: number;
  buffers: Region[];
}

/** A file of batches of `rowsPerBatch` rows, the last of fewer; where the columns of a batch lie is read when it is asked for. */
export interface ImageFile {
  schema: Schema;
  rows: number;
  batches: (() => BatchLayout)[];
}

const MAGIC = 'ARROW1';
/** At the end of the file, behind the footer: its length, the magic word. */
const TAIL_BYTES = 4 + MAGIC.length;

/** Throws, naming the file, when it is cut. */
export function refuseCutFile(file: MappedFile, path: string): void {
  const magicAt = (from: number): string => copied(file, from, MAGIC.length).toString('latin1');
  const isWhole = file.byteLength >= MAGIC.length + TAIL_BYTES;
  if (!isWhole || magicAt(0) !== MAGIC || magicAt(file.byteLength - MAGIC.length) !== MAGIC) {
    throw notWhole(path);
  }
}

function notWhole(path: string): Error {
  return new Error(`${path} is not a whole Arrow file; publish the snapshot again`);
}

/** Throws, naming the file, when it is of another version than this program reads. */
export function refuseOtherVersion(schema: Schema, path: string): void {
  const version = schema.metadata.get(IMAGE_VERSION_KEY);
  if (version !== String(SERVING_IMAGE_VERSION)) {
    throw new Error(
      `${path} has serving image version ${version ?? 'none'}, this server reads ${SERVING_IMAGE_VERSION}; run \`pipeline publish --reindex\` with this code`,
    );
  }
}

/**
 * Opens a file of batches by its footer, without a view of it, so that nothing grows with its length. Throws, naming the
 * file, when it is cut or of another version; so does a batch that is none.
 */
export function openImageFile(file: MappedFile, rowsPerBatch: number, path: string): ImageFile {
  refuseCutFile(file, path);
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
