import type { FileAbout } from '../../server-kit/answer/file-about.ts';
import { Problem } from '../../server-kit/problem.ts';
import { Moved } from '../../server-kit/threads/worker-pool.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { filtersOf } from '../handlers/answer.ts';
import { orderOf } from '../handlers/search-order.ts';
import { sitesThereOf } from '../handlers/site-status.ts';
import { Modalities } from '../modality/modalities.ts';
import { resultsDueOf } from '../search/counting/days-overdue.ts';
import { asksResultsDue, clockAsked } from '../search/counting/results-clock.ts';
import { search } from '../search/matching.ts';
import { EMPTY, type RowSet } from '../search/row-set.ts';
import { openSnapshotImage, type SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { ExportAnswer, ExportJob, ExportRequest } from './export-thread.ts';
import { Piece } from './piece.ts';
import { readAsWords } from './read-as.ts';
import { type TrialFileWriter, type TrialFormat, trialFileWriter } from './trial-file.ts';

/** Runs in the worker of export-thread.ts. */

/** About what a socket takes at once; larger pieces would let other files wait longer. */
const PIECE_BYTES = 256 * 1024;
/** Rows that are written between two looks at the length of a piece. */
const STEP_ROWS = 16;
/** What these rows usually add beyond that length. */
const ROOM_BYTES = 64 * 1024;
/** After this many trials their memory pages are released: each is read once. */
const LET_GO_ROWS = 10_000;
/** How long the image of a version stays mapped after its last file. */
const IDLE_MS = 30_000;

const ONE_EACH: Record<TrialFormat, string> = {
  csv: 'one a row',
  jsonl: 'one a line',
  ris: 'a reference each',
};

interface OpenImage {
  image: SnapshotImage;
  files: number;
  rowsRead: number;
  idle: NodeJS.Timeout | null;
}

interface OpenFile {
  opened: OpenImage;
  writer: TrialFileWriter;
  rows: Uint32Array;
  /** The next row; -1 before the head. */
  at: number;
}

const images = new Map<string, OpenImage>();
const files = new Map<number, OpenFile>();
let modalities: Modalities | null = null;

export async function serveExport(request: ExportRequest): Promise<ExportAnswer | Moved<ExportAnswer>> {
  if ('close' in request) close();
  else if ('end' in request) end(request.end);
  else if ('begin' in request) return beginOrRefuse(request.begin, request.id);
  else {
    const piece = pieceOf(files.get(request.next));
    return new Moved({ piece }, piece === null ? [] : [piece.buffer]);
  }
  return { piece: null };
}

async function beginOrRefuse(job: ExportJob, id: number): Promise<ExportAnswer> {
  try {
    return { begun: await begin(job, id) };
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault;
    const { cause: _cause, ...details } = fault.details;
    return { refused: { code: fault.code, details: { ...details, message: fault.message } } };
  }
}

async function begin(
  { directory, manifest, query, within, options, about }: ExportJob,
  id: number,
): Promise<FileAbout> {
  const opened = opening(directory);
  const { image } = opened;
  const fail = (code: 'INVALID_PARAM', details = {}): never => {
    throw new Problem(code, details);
  };
  // The labels of all trials are inferred where requests are answered.
  const known = { rowsWith: async (): Promise<RowSet> => within ?? EMPTY } as unknown as Modalities;
  const asked = await filtersOf({ image, manifest }, query, known, fail);
  const sort = orderOf(query.sort, asked.parts, query.gapClock);
  const { rows } = search(image, asked.compiled, { offset: 0, limit: image.trials, sort });
  const matching = query.match === 'concepts' ? asked.meta(false).matching : undefined;
  const whole: FileAbout = {
    ...about,
    rows: { count: rows.length, what: 'distinct trials', each: ONE_EACH[options.format] },
    readAs: matching === undefined ? [] : readAsWords(matching),
  };
  const labels = query.modality !== undefined || (query.include?.includes('modality') ?? false);
  modalities ??= labels ? new Modalities() : null;
  const writer = trialFileWriter(image, whole, options, {
    eligibility: query.include?.includes('eligibilityText') ?? false,
    ...(labels && { modality: (row: number) => modalities!.labelsOf(image, row) }),
    matchedBy: asked.groundsOf,
    sitesThere: sitesThereOf(image, query),
    ...(asksResultsDue(query) && { overdueOf: resultsDueOf(image, clockAsked(query, snapshotDay(manifest))) }),
  });
  opened.files += 1;
  files.set(id, { opened, writer, rows, at: -1 });
  return whole;
}

function pieceOf(file: OpenFile | undefined): Uint8Array<ArrayBuffer> | null {
  if (file === undefined) throw new Error('the file was ended');
  if (file.at >= file.rows.length) return null;
  const piece = new Piece(PIECE_BYTES + ROOM_BYTES);
  if (file.at < 0) {
    file.at = 0;
    file.writer.head(piece);
  }
  while (piece.length < PIECE_BYTES && file.at < file.rows.length) {
    file.writer.rows(file.rows.subarray(file.at, file.at + STEP_ROWS), piece);
    file.at += STEP_ROWS;
    file.opened.rowsRead += STEP_ROWS;
  }
  if (file.opened.rowsRead >= LET_GO_ROWS) {
    file.opened.rowsRead = 0;
    file.opened.image.letGoOfPages();
  }
  return piece.finished();
}

function opening(directory: string): OpenImage {
  const known = images.get(directory);
  const opened = known ?? { image: openSnapshotImage(directory), files: 0, rowsRead: 0, idle: null };
  images.set(directory, opened);
  // Also where the file is refused, so that the image is let go.
  if (opened.files === 0) letGoLater(directory, opened);
  return opened;
}

function end(id: number): void {
  const file = files.get(id);
  if (file === undefined) return;
  files.delete(id);
  file.opened.files -= 1;
  if (file.opened.files === 0) letGoLater(file.opened.image.directory, file.opened);
}

function letGoLater(directory: string, opened: OpenImage): void {
  if (opened.idle !== null) clearTimeout(opened.idle);
  opened.idle = setTimeout(() => {
    if (opened.files > 0) return;
    images.delete(directory);
    opened.image.release();
  }, IDLE_MS);
  opened.idle.unref();
}

function close(): void {
  files.clear();
  for (const { image, idle } of images.values()) {
    if (idle !== null) clearTimeout(idle);
    image.release();
  }
  images.clear();
}
