import { aboutBriefly, aboutLine, csvHead, csvRow, type FileAbout } from '../../server-kit/answer/file-about.ts';
import type { ResultsDue } from '../search/counting/results-clock.ts';
import type { DocumentOptions } from '../search/documents.ts';
import { document, documentLines } from '../search/documents.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type RegistryNames, risWriter } from './ris.ts';
import { type ColumnsAsked, type FileTrial, trialColumns } from './trial-columns.ts';

export const TRIAL_FORMATS = ['csv', 'jsonl', 'ris'] as const;
export type TrialFormat = (typeof TRIAL_FORMATS)[number];

export interface TrialFileOptions {
  format: TrialFormat;
  /** How the first line of CSV names the columns. */
  header: 'words' | 'names';
  registryNames: RegistryNames;
  /** Public address of the service. */
  baseUrl: string;
}

interface Shown extends Omit<DocumentOptions, 'detail'> {
  /** When the results of a row were due; only where the query is about that. */
  overdueOf?: (row: number) => ResultsDue | null;
}

/** About what a socket takes at once; larger pieces would let other files wait longer. */
const PIECE_BYTES = 256 * 1024;
/** Rows that are written between two looks at the length of a piece. */
const STEP_ROWS = 16;

/** Writes a file piece by piece. The image must be held while it is. Each piece is a buffer of its own, to be sent to another thread. */
export function* trialFile(
  image: SnapshotImage,
  rows: Uint32Array,
  about: FileAbout,
  options: TrialFileOptions & { columns: ColumnsAsked },
  shown: Shown,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const { head, textOf } = formatOf(image, about, options, shown);
  let parts: Uint8Array[] = [Buffer.from(head)];
  let length = head.length;
  for (let at = 0; at < rows.length; at += STEP_ROWS) {
    const part = textOf(rows.subarray(at, at + STEP_ROWS));
    parts.push(part);
    length += part.length;
    if (length >= PIECE_BYTES) {
      yield new Uint8Array(Buffer.concat(parts));
      [parts, length] = [[], 0];
    }
  }
  if (length > 0) yield new Uint8Array(Buffer.concat(parts));
}

/** What stands before the rows, and the text of some rows. */
function formatOf(
  image: SnapshotImage,
  about: FileAbout,
  { format, header, registryNames, baseUrl, columns: asked }: TrialFileOptions & { columns: ColumnsAsked },
  { overdueOf, ...shown }: Shown,
): { head: string; textOf: (rows: Uint32Array) => Uint8Array } {
  const asShown: DocumentOptions = { ...shown, detail: 'brief' };
  if (format === 'jsonl') {
    const head = `${JSON.stringify({ about: { ...about, words: aboutLine(about) } })}\n`;
    return { head, textOf: (rows) => documentLines(image, rows, asShown) };
  }
  const each = (write: (trial: FileTrial) => string) => (rows: Uint32Array) => {
    let text = '';
    for (const row of rows) {
      const trial = JSON.parse(document(image, row, asShown).toString('utf8')) as FileTrial;
      trial.page = `${baseUrl}/trials/${trial.canonicalId}`;
      if (overdueOf !== undefined) trial.overdue = overdueOf(row);
      text += write(trial);
    }
    return Buffer.from(text);
  };
  if (format === 'ris') {
    return {
      head: '',
      textOf: each(risWriter({ first: aboutLine(about), others: aboutBriefly(about) }, registryNames)),
    };
  }
  const columns = trialColumns(asked);
  return { head: csvHead(columns, about, header), textOf: each((trial) => csvRow(columns, trial)) };
}
