import { unpackBytes } from '../../snapshot/format/words/packed-text.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** Members that a request adds to each record, in this order; null for those that it does not ask for. */
export interface AddedMembers {
  modality?: ((row: number) => unknown) | null;
  matchedBy?: ((row: number) => unknown) | null;
  siteStatus?: ((row: number) => unknown) | null;
  daysOverdue?: ((row: number) => unknown) | null;
}

export interface DocumentOptions extends AddedMembers {
  /** `brief`: registrations by name, as in lists; `full`: registrations with all their fields. */
  detail: 'brief' | 'full';
  /** Whether `eligibilityText` is part of the record. */
  eligibility: boolean;
  /** Raw payloads as the JSON text of an array, in pieces, for a record that is read alone. */
  raw?: readonly Uint8Array[];
}

const COMMA = Buffer.from(',');
const END = Buffer.from('}');
const REGISTRATIONS = Buffer.from(',"registrations":');
const RAW = Buffer.from(',"raw":');
const ELIGIBILITY = Buffer.from(',"eligibilityText":');

/** The rows' records as the JSON text of an array, joined from finished slices. The copy outlives the image. */
export function documents(image: SnapshotImage, rows: Iterable<number>, options: DocumentOptions): Buffer<ArrayBuffer> {
  const pieces = Array.from(rows).flatMap((row) => [COMMA, ...piecesOf(image, row, options)]);
  return Buffer.concat([Buffer.from('['), ...pieces.slice(1), Buffer.from(']')]);
}

/** The rows' records as JSON texts, each on a line of its own. */
export function documentLines(
  image: SnapshotImage,
  rows: Iterable<number>,
  options: DocumentOptions,
): Buffer<ArrayBuffer> {
  const line = Buffer.from('\n');
  return Buffer.concat(Array.from(rows).flatMap((row) => [...piecesOf(image, row, options), line]));
}

/** A record that is no row's own, with what its row adds, as the JSON text of an object. */
export function recordText(
  record: object,
  row: number,
  options: AddedMembers & Pick<DocumentOptions, 'raw'>,
): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(JSON.stringify(record).slice(0, -1)), ...addedPieces(row, options)]);
}

/** One record as the JSON text of an object. */
export function document(image: SnapshotImage, row: number, options: DocumentOptions): Buffer<ArrayBuffer> {
  return Buffer.concat(piecesOf(image, row, options));
}

function piecesOf(image: SnapshotImage, row: number, options: DocumentOptions): Uint8Array[] {
  const registrations = options.detail === 'brief' ? [image.slice(row, 'brief')] : fullRegistrations(image, row);
  const eligibility = options.eligibility ? [ELIGIBILITY, image.slice(row, 'eligibility')] : [];
  return [image.slice(row, 'head'), REGISTRATIONS, ...registrations, ...eligibility, ...addedPieces(row, options)];
}

function addedPieces(row: number, { raw, ...added }: AddedMembers & Pick<DocumentOptions, 'raw'>): Uint8Array[] {
  const { modality, matchedBy, siteStatus, daysOverdue } = added;
  const members = Object.entries({ modality, matchedBy, siteStatus, daysOverdue }).flatMap(([name, of]) =>
    of ? [Buffer.from(`,"${name}":${JSON.stringify(of(row))}`)] : [],
  );
  return [...members, ...(raw ? [RAW, ...raw] : []), END];
}

const LINE_END = 0x0a;
const ARRAY_END = 0x5d;

/**
 * The array of registrations. The last members of their fields are packed in a slice of their own: each registration is a
 * line that ends with the braces of its fields and of itself, and so are its packed members.
 */
function fullRegistrations(image: SnapshotImage, row: number): Uint8Array[] {
  const packed = image.slice(row, 'design');
  if (packed.length === 0) return [image.slice(row, 'full')];
  const members = linesOf(unpackBytes(packed));
  return linesOf(image.slice(row, 'full')).flatMap((line, place) => {
    const braces = line.length - (line.at(-1) === ARRAY_END ? '}}]' : '}}').length;
    return [line.subarray(0, braces), COMMA, members[place]!, line.subarray(braces)];
  });
}

/** The lines of a text in UTF-8, as views of it: a record is too long to be read as a text for each request. */
function linesOf(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = text.indexOf(LINE_END); end >= 0; end = text.indexOf(LINE_END, from)) {
    lines.push(text.subarray(from, end));
    from = end + 1;
  }
  lines.push(text.subarray(from));
  return lines;
}
