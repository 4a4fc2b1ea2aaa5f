import type { ModalityRecord } from '../../contract/schemas/modality.ts';
import type { DocumentSlice, SnapshotImage } from '../snapshot/snapshot-image.ts';

export interface DocumentOptions {
  /** `brief`: registrations by name, as in lists; `full`: each with what it says. */
  detail: 'brief' | 'full';
  /** Whether `eligibilityText` is part of the record. */
  eligibility: boolean;
  /** What is inferred about the modality of a row, where that is asked for. */
  modality?: (row: number) => ModalityRecord;
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = Buffer.from(',');
const END = Buffer.from('}');
const REGISTRATIONS = Buffer.from(',"registrations":');
const MODALITY = Buffer.from(',"modality":');
const ELIGIBILITY = Buffer.from(',"eligibilityText":');

/** The rows' records as the JSON text of an array, joined from finished slices; a copy that outlives the image. */
export function documents(image: SnapshotImage, rows: Iterable<number>, options: DocumentOptions): Buffer<ArrayBuffer> {
  return Buffer.concat(pieces(image, rows, options));
}

/** The same as the one field of an object. */
export function documentsIn(
  field: string,
  image: SnapshotImage,
  rows: Iterable<number>,
  options: DocumentOptions,
): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(`{${JSON.stringify(field)}:`), ...pieces(image, rows, options), END]);
}

function pieces(image: SnapshotImage, rows: Iterable<number>, options: DocumentOptions): Uint8Array[] {
  const pieces: Uint8Array[] = [OPEN];
  let first = true;
  for (const row of rows) {
    if (!first) pieces.push(COMMA);
    first = false;
    pushRecord(pieces, image, row, options);
  }
  pieces.push(CLOSE);
  return pieces;
}

/** One record as the JSON text of an object. */
export function document(image: SnapshotImage, row: number, options: DocumentOptions): Buffer<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  pushRecord(pieces, image, row, options);
  return Buffer.concat(pieces);
}

function pushRecord(pieces: Uint8Array[], image: SnapshotImage, row: number, options: DocumentOptions): void {
  const slice = (name: DocumentSlice): Uint8Array => image.slice(row, name);
  pieces.push(slice('head'), REGISTRATIONS, slice(options.detail));
  if (options.eligibility) pieces.push(ELIGIBILITY, slice('eligibility'));
  if (options.modality) pieces.push(MODALITY, Buffer.from(JSON.stringify(options.modality(row))));
  pieces.push(END);
}
