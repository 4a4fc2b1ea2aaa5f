import { aboutLine, csvHead, csvRow, type FileAbout } from '../../server-kit/file-about.ts';
import type { DocumentOptions } from '../search/documents.ts';
import type { ResultsDue } from '../search/days-overdue.ts';
import { document, documentLines } from '../search/documents.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type RegistryNames, risRecord } from './ris.ts';
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
  head(): Buffer;
  rows(rows: Uint32Array): Buffer;
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
      head: () => Buffer.from(`${JSON.stringify({ about: { ...about, words: aboutLine(about) } })}\n`),
      rows: (rows) => documentLines(image, rows, asShown),
    };
  }
  const trialAt = (row: number): FileTrial => {
    const trial = JSON.parse(document(image, row, asShown).toString('utf8')) as FileTrial;
    trial.page = `${baseUrl}/trials/${trial.canonicalId}`;
    if (overdueOf !== undefined) trial.overdue = overdueOf(row);
    return trial;
  };
  if (format === 'ris') {
    const provenance = aboutLine(about);
    return { head: () => Buffer.alloc(0), rows: textOf((row) => risRecord(trialAt(row), provenance, registryNames)) };
  }
  const columns = trialColumns({
    overdue: overdueOf !== undefined,
    ...{ eligibility: shown.eligibility, modality: shown.modality !== undefined },
  });
  return {
    head: () => Buffer.from(csvHead(columns, about, header)),
    rows: textOf((row) => csvRow(columns, trialAt(row))),
  };
}

function textOf(lineOf: (row: number) => string): (rows: Uint32Array) => Buffer {
  return (rows) => {
    let text = '';
    for (const row of rows) text += lineOf(row);
    return Buffer.from(text);
  };
}
