import { aboutBriefly, aboutLine, csvHead, csvRow, type FileAbout } from '../../server-kit/answer/file-about.ts';
import type { ResultsDue } from '../search/counting/results-clock.ts';
import type { DocumentOptions } from '../search/documents.ts';
import { document, documentLines } from '../search/documents.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { Piece } from './piece.ts';
import { type RegistryNames, risWriter } from './ris.ts';
import { type FileTrial, trialColumns } from './trial-columns.ts';

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

/** Writes a file piece by piece: its head, then rows in any number of batches. */
export interface TrialFileWriter {
  head(into: Piece): void;
  rows(rows: Uint32Array, into: Piece): void;
}

interface Shown extends Omit<DocumentOptions, 'detail'> {
  /** When the results of a row were due; only where the query is about that. */
  overdueOf?: (row: number) => ResultsDue | null;
}

/** The image must be held while the writer is used. */
export function trialFileWriter(
  image: SnapshotImage,
  about: FileAbout,
  options: TrialFileOptions,
  { overdueOf, ...shown }: Shown,
): TrialFileWriter {
  const { format, header, registryNames, baseUrl } = options;
  const asShown: DocumentOptions = { ...shown, detail: 'brief' };
  if (format === 'jsonl') {
    return {
      head: (into) => into.text(`${JSON.stringify({ about: { ...about, words: aboutLine(about) } })}\n`),
      rows: (rows, into) => into.bytes(documentLines(image, rows, asShown)),
    };
  }
  const trialAt = (row: number): FileTrial => {
    const trial = JSON.parse(document(image, row, asShown).toString('utf8')) as FileTrial;
    trial.page = `${baseUrl}/trials/${trial.canonicalId}`;
    if (overdueOf !== undefined) trial.overdue = overdueOf(row);
    return trial;
  };
  if (format === 'ris') {
    const written = risWriter({ first: aboutLine(about), others: aboutBriefly(about) }, registryNames);
    return { head: () => {}, rows: each((row) => written(trialAt(row))) };
  }
  const columns = trialColumns({
    overdue: overdueOf !== undefined,
    siteStatus: Boolean(shown.sitesThere),
    ...{ eligibility: shown.eligibility, modality: shown.modality !== undefined },
  });
  return {
    head: (into) => into.text(csvHead(columns, about, header)),
    rows: each((row) => csvRow(columns, trialAt(row))),
  };
}

function each(textOf: (row: number) => string): TrialFileWriter['rows'] {
  return (rows, into) => {
    for (const row of rows) into.text(textOf(row));
  };
}
