/**
 * The serving image: Arrow IPC files under `serving/` that the index server maps read-only. Rows are trials in result
 * order: last update newest first, then canonical id; a row's number is its place in every list below. Every byte follows
 * from the tables, the topics, the terminology and the code.
 *
 * | file | one row per | columns |
 * |---|---|---|
 * | rows.arrow | trial, one batch | fixed-width columns for filters and counts (serving-columns.ts) |
 * | documents-NNN.arrow | trial, batches of DOCUMENTS_PER_BATCH | finished JSON in slices, `design`, `publications` and `superseded` packed |
 * | terms.arrow | posting key, sorted by bytes, one batch | key, encoding, count, data; a term's number is its place |
 * | pairs.arrow | two common terms in text order, sorted by bytes, one batch | key, encoding, count, data |
 * | sequences.arrow | trial, batches of DOCUMENTS_PER_BATCH | term numbers in text order, for phrases |
 * | ids.arrow | identifier, sorted by bytes, one batch | key, standing, row |
 * | sponsors.arrow | sponsor name, one batch | name |
 * | topics.arrow | curated topic, one batch | id, title, reading (JSON of TopicReading) |
 * | results-gap.arrow | registration without posted results, one batch | results-gap.ts |
 * | terminology.json | (JSON of terminology/) | the terms by which the image's concepts were recognised |
 */
/** A server reads images of this version alone; raise it with every change of the files. */
export const SERVING_IMAGE_VERSION = 5;
export const SERVING_DIR = 'serving';

/** Whether a file of a snapshot, by its path, belongs to the image. */
export function isOfImage(path: string): boolean {
  return path.startsWith(`${SERVING_DIR}/`);
}

export const DOCUMENTS_PER_BATCH = 1024;
/**
 * A new documents file begins after this many rows: about 0.5 GB. A server reads files of
 * any number of whole batches.
 */
export const DOCUMENTS_PER_FILE = 65_536;

export const ROWS_FILE = 'rows.arrow';
export const TERMS_FILE = 'terms.arrow';
export const PAIRS_FILE = 'pairs.arrow';
export const SEQUENCES_FILE = 'sequences.arrow';
export const IDS_FILE = 'ids.arrow';
export const SPONSORS_FILE = 'sponsors.arrow';
export const TOPICS_FILE = 'topics.arrow';
/** How a topic was read when the image was made. */
export interface TopicReading {
  /** Queries in the syntax of `q`; a trial meets at least one. */
  words: string[];
  /** By concepts: a trial states one of these or a narrower one ... */
  concepts: { id: string; heading: string }[];
  /** ... that is none of these and not narrower. */
  without: { id: string; heading: string }[];
}
/** The terminology, as JSON. */
export const TERMINOLOGY_FILE = 'terminology.json';

/** Name of the documents file that holds the rows from `index * DOCUMENTS_PER_FILE` on; there is one even when there are no trials. */
export function documentsFile(index: number): string {
  return `documents-${String(index).padStart(3, '0')}.arrow`;
}

/** Schema metadata key of every file: SERVING_IMAGE_VERSION as text. */
export const IMAGE_VERSION_KEY = 'servingImageVersion';
/** Schema metadata key of sequences.arrow: the number of trials, as text, and of rows.arrow likewise. */
export const TRIAL_COUNT_KEY = 'trials';
/** Schema metadata key of terms.arrow: COMMON_TERM_ROWS of the image, as text. */
export const COMMON_TERM_ROWS_KEY = 'commonTermRows';
