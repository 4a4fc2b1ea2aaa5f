import type { SitesThere } from '../../contract/schemas/site-status.ts';
import type { MatchGroundRecord } from '../../contract/schemas/trials/matching.ts';
import type { ModalityRecord } from '../../contract/schemas/trials/modality.ts';
import { unpackBytes } from '../../snapshot/format/words/packed-text.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

export interface DocumentOptions {
  /** `brief`: registrations by name, as in lists; `full`: registrations with all their fields. */
  detail: 'brief' | 'full';
  /** Whether `eligibilityText` is part of the record. */
  eligibility: boolean;
  /** Infers the modality of a row; left out where labels are not requested. */
  modality?: (row: number) => ModalityRecord;
  /** Says why a row matched; left out unless concepts were asked for. */
  matchedBy?: ((row: number) => MatchGroundRecord[]) | null;
  /** What a row says of its sites; left out unless the request is about their status. */
  sitesThere?: ((row: number) => SitesThere) | null;
  /** Days that the results of a row are overdue; left out unless the request is about them. */
  overdue?: ((row: number) => number | null) | null;
  /** Raw payloads as the JSON text of an array, in pieces, for a record that is read alone. */
  raw?: readonly Uint8Array[];
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = Buffer.from(',');
const END = Buffer.from('}');
const LINE = Buffer.from('\n');
const REGISTRATIONS = Buffer.from(',"registrations":');
const MODALITY = Buffer.from(',"modality":');
const MATCHED_BY = Buffer.from(',"matchedBy":');
const SITE_STATUS = Buffer.from(',"siteStatus":');
const DAYS_OVERDUE = Buffer.from(',"daysOverdue":');
const RAW = Buffer.from(',"raw":');
const ELIGIBILITY = Buffer.from(',"eligibilityText":');

/** The rows' records as the JSON text of an array, joined from finished slices. The copy outlives the image. */
export function documents(image: SnapshotImage, rows: Iterable<number>, options: DocumentOptions): Buffer<ArrayBuffer> {
  return Buffer.concat(pieces(image, rows, options));
}

/** The JSON text of an object whose one field is that array. */
export function documentsIn(
  field: string,
  image: SnapshotImage,
  rows: Iterable<number>,
  options: DocumentOptions,
): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(`{${JSON.stringify(field)}:`), ...pieces(image, rows, options), END]);
}

/** The rows' records as JSON texts, each on a line of its own. */
export function documentLines(
  image: SnapshotImage,
  rows: Iterable<number>,
  options: DocumentOptions,
): Buffer<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  for (const row of rows) {
    pushRecord(image, pieces, row, options);
    pieces.push(LINE);
  }
  return Buffer.concat(pieces);
}

function pieces(image: SnapshotImage, rows: Iterable<number>, options: DocumentOptions): Uint8Array[] {
  const pieces: Uint8Array[] = [OPEN];
  let first = true;
  for (const row of rows) {
    if (!first) pieces.push(COMMA);
    first = false;
    pushRecord(image, pieces, row, options);
  }
  pieces.push(CLOSE);
  return pieces;
}

/** A record that is no row's own, with what its row adds, as the JSON text of an object. */
export function recordText(
  record: object,
  row: number,
  { modality, raw }: Pick<DocumentOptions, 'modality' | 'raw'>,
): Buffer<ArrayBuffer> {
  const pieces: Uint8Array[] = [Buffer.from(JSON.stringify(record).slice(0, -1))];
  if (modality) pieces.push(MODALITY, Buffer.from(JSON.stringify(modality(row))));
  if (raw) pieces.push(RAW, ...raw);
  return Buffer.concat([...pieces, END]);
}

/** One record as the JSON text of an object. */
export function document(image: SnapshotImage, row: number, options: DocumentOptions): Buffer<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  pushRecord(image, pieces, row, options);
  return Buffer.concat(pieces);
}

function pushRecord(image: SnapshotImage, pieces: Uint8Array[], row: number, options: DocumentOptions): void {
  const registrations: Uint8Array[] =
    options.detail === 'brief' ? [image.slice(row, 'brief')] : fullRegistrations(image, row);
  pieces.push(image.slice(row, 'head'), REGISTRATIONS, ...registrations);
  if (options.eligibility) pieces.push(ELIGIBILITY, image.slice(row, 'eligibility'));
  if (options.modality) pieces.push(MODALITY, Buffer.from(JSON.stringify(options.modality(row))));
  if (options.matchedBy) pieces.push(MATCHED_BY, Buffer.from(JSON.stringify(options.matchedBy(row))));
  if (options.sitesThere) pieces.push(SITE_STATUS, Buffer.from(JSON.stringify(options.sitesThere(row))));
  if (options.overdue) pieces.push(DAYS_OVERDUE, Buffer.from(JSON.stringify(options.overdue(row))));
  if (options.raw) pieces.push(RAW, ...options.raw);
  pieces.push(END);
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
