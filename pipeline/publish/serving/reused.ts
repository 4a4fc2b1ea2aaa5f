import type { ResultsGapState } from '../../../snapshot/format/results-gap.ts';
import type { GatheredPosting } from '../../../snapshot/image/postings.ts';
import type { Database } from '../../store/database.ts';
import type { FileSum } from '../durable.ts';
import type { ReusedIds } from './id-gatherer.ts';
import type { RowTexts } from './present-trial.ts';
import type { GapRow } from './results-gap-writer.ts';
import type { RowGatherer, Run } from './row-gatherer.ts';
import type { Sequence } from './sequence-writer.ts';
import type { Sponsors } from './sponsors.ts';

/** What an image can be made from besides the tables: parts of the image of its parent. ../reuse/ implements it. */

/**
 * Keys of the rows of wide tables that differ between a snapshot and its parent, found by the SHA-256 of hashed
 * columns.
 */
export interface DifferingRows {
  /** Canonical ids. */
  trials: readonly string[];
  /** Ids of registrations. */
  registrations: readonly string[];
  /** Parquet files with rows of the new snapshot, each once: these trials and their registrations, or fewer or more; none where left out. */
  rows?: { trials: readonly string[]; registrations: readonly string[] };
}

/** The snapshot that a new one follows, as its manifest describes it. */
export interface ParentSnapshot {
  dir: string;
  imageVersion: number;
  /** Files of the serving image and of the tables. */
  files: readonly FileSum[];
  /** Null or left out if unknown: then every wide row of both snapshots is read and compared. */
  differing?: DifferingRows | null;
}

/** Why nothing of the parent's image can be reused; the image is then made whole. */
export class NotReusable extends Error {}

/**
 * The reused rows of an image. The tables shown_rows, shown_members, shown_registrations and shown_trials hold the other trials,
 * which are made from the tables.
 */
export interface Reused extends AsyncDisposable {
  /** In ascending order on both sides. */
  readonly runs: readonly Run[];
  readonly documents: ReusedDocuments;
  /** Copies the columns of all runs. */
  copyRows(into: RowGatherer, sponsors: Sponsors): void;
  /** The parent's ids with their new rows. */
  ids(): ReusedIds;
  /** Rows of the results gap, and the states of registrations by NCT id. */
  gap(): Promise<{ rows: GapRow[]; states: ReadonlyMap<string, ResultsGapState> }>;
  readonly terms: ReusedTerms;
  /** Program of a worker that makes the terms with these reused, and what it needs besides `TermWorkerData`. */
  readonly termWorker: { program: URL; data: unknown };
}

/** Takes documents in row order and writes them. Its methods throw NotReusable, perhaps later than the step that finds it. */
export interface ReusedDocuments extends AsyncDisposable {
  add(texts: RowTexts): Promise<void>;
  /** Copies the documents of one run. */
  copy(run: Run): Promise<void>;
  /** Waits until the bytes of every file are on disk. Returns their sums, by paths in the image. */
  close(): Promise<FileSum[]>;
}

/** The reused terms. Each part is read from its file when it is asked for. */
export interface ReusedTerms {
  readonly runs: readonly Run[];
  /** How many rows each term of the parent had, and the postings that keep a row; numbers are the parent's. */
  postings(): { counts: Uint32Array; kept: Iterator<GatheredPosting> };
  /**
   * The pairs that keep a row. `numbers` gives the new number of each term, -1 for none; both terms must be `common`.
   */
  pairs(numbers: Int32Array, common: Uint8Array): Iterator<GatheredPosting>;
  /** Gives the sequence of a row of the parent, in the parent's term numbers. */
  sequences(): (row: number) => Sequence;
}

/**
 * Finds what an image of so many trials can reuse, and makes the shown_* tables. Throws NotReusable when it can reuse
 * nothing.
 */
export type FindReused = (database: Database, trials: number) => Promise<Reused>;
