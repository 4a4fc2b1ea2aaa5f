import { DataType, type Schema } from 'apache-arrow';
import { DOCUMENTS_PER_BATCH } from '../../snapshot/format/serving.ts';
import { type BatchLayout, openImageFile, type Region } from './image-file.ts';
import type { MappedFile } from './mapped-file.ts';

export const DOCUMENT_SLICES = [
  'head',
  'brief',
  'full',
  'design',
  'eligibility',
  'publications',
  'superseded',
] as const;
export type DocumentSlice = (typeof DOCUMENT_SLICES)[number];

/** Buffers of a binary column: which rows have a value, the offset of each, the values. */
const BUFFERS_PER_COLUMN = 3;

interface Column {
  /** Row n is bytes `offsets[n]` to `offsets[n + 1]` of the values. */
  offsets: Int32Array;
  valuesAt: number;
}

/** A column is looked up when it is first asked for. */
interface Batch {
  file: MappedFile;
  layout: () => BatchLayout;
  /** Place of each column in the file's schema. */
  places: Record<DocumentSlice, number>;
  columns: Partial<Record<DocumentSlice, Column>>;
}

/**
 * The finished JSON of all trials. A request reads a few kilobytes of it, which are copied out of the files; no view of
 * them is made. Offsets of slices that were looked up are kept, at most 24 bytes a trial.
 */
export class DocumentSlices {
  readonly #batches: Batch[] = [];
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  /** Adds the file of the next rows. Throws, naming it, when its layout is another. */
  add(file: MappedFile, path: string): void {
    const { schema, rows, batches } = openImageFile(file, DOCUMENTS_PER_BATCH, path);
    const named = DOCUMENT_SLICES.map((name) => [name, columnPlace(schema, name, path)]);
    const places = Object.fromEntries(named) as Batch['places'];
    for (const layout of batches) this.#batches.push({ file, layout, places, columns: {} });
    this.#rows += rows;
  }

  /** How many bytes a slice has. Throws for a row that the image does not have. */
  length(row: number, name: DocumentSlice): number {
    const batch = this.#batchOf(row);
    const { offsets } = columnOf(batch, name);
    const place = row % DOCUMENTS_PER_BATCH;
    return (offsets[place + 1] as number) - (offsets[place] as number);
  }

  /** Copies the slice into `target`, which must have its length. */
  copy(row: number, name: DocumentSlice, target: Uint8Array): void {
    const batch = this.#batchOf(row);
    const { offsets, valuesAt } = columnOf(batch, name);
    batch.file.copy(valuesAt + (offsets[row % DOCUMENTS_PER_BATCH] as number), target);
  }

  #batchOf(row: number): Batch {
    const batch = this.#batches[Math.floor(row / DOCUMENTS_PER_BATCH)];
    if (batch === undefined || row < 0 || row >= this.#rows) {
      throw new RangeError(`row ${row} is none of the ${this.#rows} trials`);
    }
    return batch;
  }
}

function columnOf(batch: Batch, name: DocumentSlice): Column {
  const known = batch.columns[name];
  if (known !== undefined) return known;
  const { rows, buffers } = batch.layout();
  const first = batch.places[name] * BUFFERS_PER_COLUMN;
  const [offsetsAt, valuesAt] = [buffers[first + 1] as Region, buffers[first + 2] as Region];
  const offsets = new Int32Array(rows + 1);
  batch.file.copy(offsetsAt.at, new Uint8Array(offsets.buffer));
  const column = { offsets, valuesAt: valuesAt.at };
  batch.columns[name] = column;
  return column;
}

function columnPlace(schema: Schema, name: string, path: string): number {
  if (!schema.fields.every((field) => DataType.isBinary(field.type))) {
    throw new Error(`${path} has a column that is no binary one; publish the snapshot again`);
  }
  const place = schema.fields.findIndex((field) => field.name === name);
  if (place < 0) throw new Error(`${path} has no column ${name}; publish the snapshot again`);
  return place;
}
