import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Table } from 'apache-arrow';
import {
  COMMON_TERM_ROWS_KEY,
  DOCUMENTS_PER_BATCH,
  documentsFile,
  IDS_FILE,
  PAIRS_FILE,
  ROWS_FILE,
  SEQUENCES_FILE,
  SERVING_DIR,
  SPONSORS_FILE,
  TERMS_FILE,
  TOPICS_FILE,
  type TopicReading,
  TRIAL_COUNT_KEY,
} from '../../snapshot/format/serving.ts';
import {
  compareStandings,
  encodePair,
  ID_STANDINGS,
  type IdStanding,
  ROW_COLUMNS,
  type RowColumn,
  type RowColumns,
} from '../../snapshot/format/serving-columns.ts';
import {
  type BinaryColumn,
  binaryColumn,
  type ListColumn,
  numberColumn,
  onlyBatch,
  readImageTable,
  textAt,
} from '../../snapshot/image/arrow-reader.ts';
import { type Posting, type PostingFile, postingAt, readPostings } from '../../snapshot/image/postings.ts';
import { SortedKeys } from '../../snapshot/image/sorted-keys.ts';
import { openSignals, type SignalImage, type SignalImageFault } from '../signals/signal-image.ts';
import { type DocumentSlice, DocumentSlices } from './document-slices.ts';
import { listColumnAt, openImageFile } from './image-file.ts';
import { type FileMapper, libcMapper, type MappedFile, mapFile } from './mapped-file.ts';

/**
 * One snapshot's serving image, mapped. Holds are counted: the constructor gives one; call `retain` before use,
 * `release` after it. The last release unmaps the files and empties every view, so that no view may be used after its
 * hold.
 */
export class SnapshotImage {
  readonly directory: string;
  /** The snapshot's version: the name of its directory. */
  readonly version: string;
  /** Number of trials; rows are 0 to trials - 1 in result order. */
  readonly trials: number;
  readonly columns: RowColumns;
  readonly topics: { id: string; title: string; reading: TopicReading }[];
  readonly #files: MappedFile[];
  /** `pair` knows the pairs of terms with at least this many rows each. */
  readonly commonTermRows: number;
  /** The signal part, or why there is none. */
  readonly signals: SignalImage | SignalImageFault;
  readonly #terms: PostingFile;
  readonly #pairs: PostingFile;
  readonly #ids: { keys: SortedKeys; standings: Uint8Array; rows: Uint32Array };
  readonly #sponsors: BinaryColumn;
  readonly sponsorCount: number;
  readonly #documents: DocumentSlices;
  readonly #sequences: Sequences;
  readonly #beside: { release(): void }[] = [];
  #holds = 1;

  constructor(directory: string, files: MappedFile[], tables: ImageTables, signals: SignalImage | SignalImageFault) {
    this.directory = directory;
    this.version = basename(directory);
    this.#files = files;
    this.trials = tables.rows.numRows;
    this.columns = readColumns(tables.rows);
    this.#terms = readPostings(tables.terms, TERMS_FILE);
    this.#pairs = readPostings(tables.pairs, PAIRS_FILE);
    this.signals = signals;
    this.commonTermRows = Number(tables.terms.schema.metadata.get(COMMON_TERM_ROWS_KEY));
    this.#ids = readIds(tables.ids);
    this.#sponsors = binaryColumn(onlyBatch(tables.sponsors, SPONSORS_FILE), 'name', SPONSORS_FILE);
    this.sponsorCount = tables.sponsors.numRows;
    this.topics = readTopics(tables.topics);
    this.#documents = tables.documents;
    this.#sequences = tables.sequences;
    this.#refuseMismatch(tables);
  }

  /** Whether every file is mapped; false if one had to be read into memory. */
  get mapped(): boolean {
    return this.#files.every(({ through }) => through === 'mmap');
  }

  retain(): this {
    if (this.#holds === 0) throw new Error(`snapshot ${this.version} was already released`);
    this.#holds += 1;
    return this;
  }

  release(): void {
    if (this.#holds === 0) throw new Error(`snapshot ${this.version} was released more often than retained`);
    this.#holds -= 1;
    if (this.#holds === 0) for (const file of [...this.#files, ...this.#beside]) file.release();
  }

  /** Releases what reads other files of the snapshot together with the image. */
  releaseWith(beside: { release(): void }): void {
    if (this.released) beside.release();
    else this.#beside.push(beside);
  }

  /** Takes the pages read so far out of this process, for a caller that reads every trial: MappedFile.letGo. */
  letGoOfPages(): void {
    for (const file of this.#files) file.letGo();
  }

  get released(): boolean {
    return this.#holds === 0;
  }

  /** The rows of a posting key, or null when no trial holds it. */
  posting(key: string): Posting | null {
    return postingAt(this.#terms, this.#terms.keys.find(key));
  }

  /** The rows of the posting key at a place. */
  postingAt(place: number): Posting {
    return postingAt(this.#terms, place) as Posting;
  }

  /** The posting keys that begin with `prefix`, each with its rows and what follows the prefix. */
  postingsFrom(prefix: string): { rest: string; posting: Posting }[] {
    const { keys } = this.#terms;
    const length = Buffer.byteLength(prefix);
    return keys.findFrom(prefix).map((place) => ({
      rest: keys.bytes.toString('utf8', (keys.offsets[place] as number) + length, keys.offsets[place + 1]),
      posting: postingAt(this.#terms, place) as Posting,
    }));
  }

  /** Places of the posting keys that begin with `prefix`: from the first to before the last. */
  keysWith(prefix: string): { from: number; to: number } {
    return this.#terms.keys.rangeOf(prefix);
  }

  /** All posting keys: the key at place n is `bytes[offsets[n]] .. bytes[offsets[n + 1]]`. */
  get keys(): { readonly offsets: Int32Array; readonly bytes: Buffer } {
    return this.#terms.keys;
  }

  /** How many rows hold the posting key at a place. */
  countAt(place: number): number {
    return this.#terms.counts[place] as number;
  }

  /** The number of a posting key in sequences, which is its place among the keys; undefined if no trial holds it. */
  termNumber(key: string): number | undefined {
    const place = this.#terms.keys.find(key);
    return place < 0 ? undefined : place;
  }

  /**
   * Rows in which the term `first` can be read directly before `second`; null if there are none. Both must have
   * `commonTermRows` rows.
   */
  pair(first: number, second: number): Posting | null {
    return postingAt(this.#pairs, this.#pairs.keys.find(encodePair(first, second)));
  }

  /** Where a trial's term sequence lies. */
  sequence(row: number): { values: Uint32Array; start: number; end: number } {
    const { offsets, values } = this.#sequences.batch(Math.floor(row / DOCUMENTS_PER_BATCH));
    const place = row % DOCUMENTS_PER_BATCH;
    return { values, start: offsets[place] as number, end: offsets[place + 1] as number };
  }

  /** Every entry of a folded id, strongest standing first. */
  idEntries(foldedId: string): { standing: IdStanding; row: number }[] {
    const { keys, standings, rows } = this.#ids;
    const entries = keys.findAll(foldedId).map((place) => ({
      standing: ID_STANDINGS[standings[place] as number] as IdStanding,
      row: rows[place] as number,
    }));
    return entries.sort((a, b) => compareStandings(a.standing, b.standing));
  }

  /** All ids in the order of their bytes, each with its standing and row; an id that leads to several trials stands there for each. */
  get ids(): { readonly keys: SortedKeys; readonly standings: Uint8Array; readonly rows: Uint32Array } {
    return this.#ids;
  }

  /** A slice of a trial's finished JSON. */
  slice(row: number, name: DocumentSlice): Buffer<ArrayBuffer> {
    const bytes = Buffer.allocUnsafe(this.#documents.length(row, name));
    this.#documents.copy(row, name, bytes);
    return bytes;
  }

  /** How many bytes a slice has. */
  sliceLength(row: number, name: DocumentSlice): number {
    return this.#documents.length(row, name);
  }

  /** Copies a slice into `target`, which must have its length. */
  copySlice(row: number, name: DocumentSlice, target: Uint8Array): void {
    this.#documents.copy(row, name, target);
  }

  sponsorName(number: number): string {
    return textAt(this.#sponsors, number);
  }

  #refuseMismatch(tables: ImageTables): void {
    const documents = tables.documents.rows;
    const stated = Number(tables.rows.schema.metadata.get(TRIAL_COUNT_KEY));
    for (const [name, rows] of Object.entries({ documents, sequences: tables.sequences.rows, stated })) {
      if (rows !== this.trials) {
        throw new Error(
          `${this.directory}: ${ROWS_FILE} has ${this.trials} trials but ${name} has ${rows}; publish the snapshot again`,
        );
      }
    }
  }
}

interface ImageTables {
  rows: Table;
  terms: Table;
  pairs: Table;
  ids: Table;
  sponsors: Table;
  topics: Table;
  sequences: Sequences;
  documents: DocumentSlices;
}

/**
 * Maps the serving image of a snapshot directory. Throws, naming the file, when one is missing, cut, of another version
 * or of another number of trials; nothing stays mapped then.
 */
export function openSnapshotImage(snapshotDir: string, mapper: FileMapper = libcMapper): SnapshotImage {
  const opening = openInParts(snapshotDir, mapper);
  for (;;) {
    const { done, value } = opening.next();
    if (done) return value;
  }
}

/** Maps the serving image as `openSnapshotImage` does, and lets other work run between any two files. */
export async function openSnapshotImageBeside(snapshotDir: string): Promise<SnapshotImage> {
  const opening = openInParts(snapshotDir, libcMapper);
  for (;;) {
    const { done, value } = opening.next();
    if (done) return value;
    await setImmediate();
  }
}

/** Yields between two files. */
function* openInParts(snapshotDir: string, mapper: FileMapper): Generator<undefined, SnapshotImage> {
  const files: MappedFile[] = [];
  const pathOf = (name: string): string => join(snapshotDir, SERVING_DIR, name);
  const map = (name: string): MappedFile => {
    const file = mapFile(pathOf(name), mapper);
    files.push(file);
    return file;
  };
  const open = (name: string): Table => readImageTable(map(name).bytes, pathOf(name));
  try {
    const rows = open(ROWS_FILE);
    yield;
    const terms = open(TERMS_FILE);
    yield;
    const pairs = open(PAIRS_FILE);
    yield;
    const ids = open(IDS_FILE);
    yield;
    const sponsors = open(SPONSORS_FILE);
    const topics = open(TOPICS_FILE);
    yield;
    const sequences = readSequences(map(SEQUENCES_FILE), pathOf(SEQUENCES_FILE));
    const documents = new DocumentSlices();
    for (let index = 0; index === 0 || documents.rows < rows.numRows; index++) {
      yield;
      documents.add(map(documentsFile(index)), pathOf(documentsFile(index)));
    }
    yield;
    const signals = openSignals(open);
    return new SnapshotImage(
      snapshotDir,
      files,
      { rows, terms, pairs, ids, sponsors, topics, sequences, documents },
      signals,
    );
  } catch (error) {
    for (const file of files) file.release();
    throw error;
  }
}

interface Sequences {
  rows: number;
  /** A view, made when the batch is first asked for. */
  batch: (index: number) => ListColumn;
}

function readSequences(file: MappedFile, path: string): Sequences {
  const { rows, batches } = openImageFile(file, DOCUMENTS_PER_BATCH, path);
  const lists = new Array<ListColumn | undefined>(batches.length).fill(undefined);
  const viewed = (index: number): ListColumn => {
    const list = listColumnAt(file, batches[index]!(), path);
    lists[index] = list;
    return list;
  };
  return { rows, batch: (index) => lists[index] ?? viewed(index) };
}

function readColumns(table: Table): RowColumns {
  const batch = onlyBatch(table, ROWS_FILE);
  const names = Object.keys(ROW_COLUMNS) as RowColumn[];
  return Object.fromEntries(names.map((name) => [name, numberColumn(batch, name, ROWS_FILE)])) as RowColumns;
}

function readIds(table: Table) {
  const batch = onlyBatch(table, IDS_FILE);
  return {
    keys: new SortedKeys(binaryColumn(batch, 'key', IDS_FILE), table.numRows),
    standings: numberColumn<Uint8Array>(batch, 'standing', IDS_FILE),
    rows: numberColumn<Uint32Array>(batch, 'row', IDS_FILE),
  };
}

function readTopics(table: Table): SnapshotImage['topics'] {
  const batch = onlyBatch(table, TOPICS_FILE);
  const ids = binaryColumn(batch, 'id', TOPICS_FILE);
  const titles = binaryColumn(batch, 'title', TOPICS_FILE);
  const readings = binaryColumn(batch, 'reading', TOPICS_FILE);
  return Array.from({ length: table.numRows }, (_, place) => ({
    id: textAt(ids, place),
    title: textAt(titles, place),
    reading: JSON.parse(textAt(readings, place)) as TopicReading,
  }));
}
