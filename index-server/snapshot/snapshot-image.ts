import { basename, join } from 'node:path';
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
  numberColumn,
  onlyBatch,
  readImageTable,
  textAt,
} from '../../snapshot/image/arrow-reader.ts';
import { type Posting, type PostingFile, postingAt, readPostings } from '../../snapshot/image/postings.ts';
import { SortedKeys } from '../../snapshot/image/sorted-keys.ts';
import { openSignals, type SignalImage, type SignalImageFault } from '../signals/signal-image.ts';
import { ImageBatches } from './image-batches.ts';
import { type MappedFile, mapFile } from './mapped-file.ts';

/** Columns of the finished JSON of a trial. */
const DOCUMENT_SLICES = ['head', 'brief', 'full', 'design', 'eligibility', 'publications', 'superseded'] as const;
export type DocumentSlice = (typeof DOCUMENT_SLICES)[number];

/**
 * Maps the serving image of a snapshot directory. Throws, naming the file, when one is missing, cut, of another version
 * or of another number of trials; nothing stays mapped then.
 */
export function openSnapshotImage(directory: string): SnapshotImage {
  const files: MappedFile[] = [];
  try {
    return new SnapshotImage(directory, files);
  } catch (error) {
    for (const file of files) file.release();
    throw error;
  }
}

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
  /** `pair` knows the pairs of terms with at least this many rows each. */
  readonly commonTermRows: number;
  /** The signal part, or why there is none. */
  readonly signals: SignalImage | SignalImageFault;
  /** All ids in the order of their bytes, each with its standing and row; an id that leads to several trials stands there for each. */
  readonly ids: { readonly keys: SortedKeys; readonly standings: Uint8Array; readonly rows: Uint32Array };
  readonly sponsorCount: number;
  readonly #terms: PostingFile;
  readonly #pairs: PostingFile;
  readonly #sponsors: BinaryColumn;
  readonly #documents = new ImageBatches(3);
  readonly #sequences = new ImageBatches(4);
  /** Released with the image. */
  readonly #files: MappedFile[];
  #holds = 1;

  /** Adds every file to `files` as soon as it is mapped. */
  constructor(directory: string, files: MappedFile[]) {
    const pathOf = (name: string): string => join(directory, SERVING_DIR, name);
    const map = (name: string): MappedFile => {
      const file = mapFile(pathOf(name));
      files.push(file);
      return file;
    };
    const open = (name: string): Table => readImageTable(map(name).bytes, pathOf(name));
    this.directory = directory;
    this.version = basename(directory);
    this.#files = files;
    const rows = open(ROWS_FILE);
    this.trials = rows.numRows;
    this.columns = readColumns(rows);
    const terms = open(TERMS_FILE);
    this.#terms = readPostings(terms, TERMS_FILE);
    this.commonTermRows = Number(terms.schema.metadata.get(COMMON_TERM_ROWS_KEY));
    this.#pairs = readPostings(open(PAIRS_FILE), PAIRS_FILE);
    this.ids = readIds(open(IDS_FILE));
    const sponsors = open(SPONSORS_FILE);
    this.#sponsors = binaryColumn(onlyBatch(sponsors, SPONSORS_FILE), 'name', SPONSORS_FILE);
    this.sponsorCount = sponsors.numRows;
    this.topics = readTopics(open(TOPICS_FILE));
    this.#sequences.add(map(SEQUENCES_FILE), pathOf(SEQUENCES_FILE), ['terms']);
    for (let index = 0; index === 0 || this.#documents.rows < this.trials; index++) {
      this.#documents.add(map(documentsFile(index)), pathOf(documentsFile(index)), DOCUMENT_SLICES);
    }
    this.signals = openSignals(open);
    this.#refuseMismatch(Number(rows.schema.metadata.get(TRIAL_COUNT_KEY)));
  }

  retain(): this {
    if (this.#holds === 0) throw new Error(`snapshot ${this.version} was already released`);
    this.#holds += 1;
    return this;
  }

  release(): void {
    if (this.#holds === 0) throw new Error(`snapshot ${this.version} was released more often than retained`);
    this.#holds -= 1;
    if (this.#holds === 0) for (const file of this.#files) file.release();
  }

  /** Releases another mapped file of the snapshot together with the image. */
  releaseWith(file: MappedFile): void {
    if (this.released) file.release();
    else this.#files.push(file);
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
    const { from, to } = keys.rangeOf(prefix);
    return Array.from({ length: to - from }, (_, index) => ({
      rest: keys.at(from + index).toString('utf8', length),
      posting: this.postingAt(from + index),
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
    const column = this.#sequences.column(row, 'terms');
    const { file, offsets, valuesAt, valuesBytes } = column;
    column.numbers ??= new Uint32Array(file.part(valuesAt, valuesBytes).buffer);
    const place = row % DOCUMENTS_PER_BATCH;
    return { values: column.numbers, start: offsets[place] as number, end: offsets[place + 1] as number };
  }

  /** Every entry of a folded id, strongest standing first. */
  idEntries(foldedId: string): { standing: IdStanding; row: number }[] {
    const { keys, standings, rows } = this.ids;
    const entries = keys.findAll(foldedId).map((place) => ({
      standing: ID_STANDINGS[standings[place] as number] as IdStanding,
      row: rows[place] as number,
    }));
    return entries.sort((a, b) => compareStandings(a.standing, b.standing));
  }

  /** A copy of a slice of a trial's finished JSON. */
  slice(row: number, name: DocumentSlice): Buffer<ArrayBuffer> {
    const { file, offsets, valuesAt } = this.#documents.column(row, name);
    const place = row % DOCUMENTS_PER_BATCH;
    const start = offsets[place] as number;
    const bytes = Buffer.allocUnsafe((offsets[place + 1] as number) - start);
    file.copy(valuesAt + start, bytes);
    return bytes;
  }

  sponsorName(number: number): string {
    return textAt(this.#sponsors, number);
  }

  #refuseMismatch(stated: number): void {
    const counts = { documents: this.#documents.rows, sequences: this.#sequences.rows, stated };
    for (const [name, rows] of Object.entries(counts)) {
      if (rows === this.trials) continue;
      throw new Error(
        `${this.directory}: ${ROWS_FILE} has ${this.trials} trials but ${name} has ${rows}; publish the snapshot again`,
      );
    }
  }
}

function readColumns(table: Table): RowColumns {
  const batch = onlyBatch(table, ROWS_FILE);
  const names = Object.keys(ROW_COLUMNS) as RowColumn[];
  return Object.fromEntries(names.map((name) => [name, numberColumn(batch, name, ROWS_FILE)])) as RowColumns;
}

function readIds(table: Table): SnapshotImage['ids'] {
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
