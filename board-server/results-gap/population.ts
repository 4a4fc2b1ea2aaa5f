import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Data, type RecordBatch, tableFromIPC } from 'apache-arrow';
import { dayToIso } from '../../snapshot-format/dates.ts';
import {
  RESULTS_GAP_BASES,
  RESULTS_GAP_FILE,
  RESULTS_GAP_PRECISIONS,
  RESULTS_GAP_STATES,
  RESULTS_GAP_TOPICS_KEY,
  type ResultsGapBasis,
  type ResultsGapPrecision,
  type ResultsGapState,
} from '../../snapshot-format/results-gap.ts';
import { IMAGE_VERSION_KEY, SERVING_DIR, SERVING_IMAGE_VERSION } from '../../snapshot-format/serving.ts';
import { NOT_STATED } from '../../snapshot-format/serving-columns.ts';

/** A registration that is interventional, completed and without posted results; not all are old enough to be in the population. */
export interface GapTrial {
  nctId: string;
  canonicalId: string;
  /** Null where the registry has none. */
  title: string | null;
  /** Days since 1970-01-01; a month's last day; null where no completion is stated. */
  completionDay: number | null;
  basis: ResultsGapBasis;
  precision: ResultsGapPrecision;
  topics: string[];
  resultsState: ResultsGapState;
}

const NCT_PREFIX = 'NCT';

/** Columns of any length, sorted by nctId; strings as views on the file's own bytes. */
interface Columns {
  nctId: TextColumn;
  canonicalId: TextColumn;
  title: TextColumn;
  completionDay: Int32Array;
  basis: Uint8Array;
  precision: Uint8Array;
  topicOffsets: Int32Array;
  topicPlaces: Uint32Array;
  resultsState: Uint8Array;
}

interface TextColumn {
  offsets: Int32Array;
  bytes: Buffer;
}

/** The trials of results-gap.arrow in one snapshot, in memory; about 150 bytes each. */
export class Population {
  readonly snapshot: string;
  readonly topicIds: readonly string[];
  readonly size: number;
  readonly #columns: Columns;
  /** Rows of each topic, in order. */
  readonly #byTopic: readonly Uint32Array[];
  readonly #all: Uint32Array;
  /** Digits of each NCT id, ascending as the ids are. */
  readonly #nctNumbers: Uint32Array;

  private constructor(snapshot: string, topicIds: string[], size: number, columns: Columns) {
    this.snapshot = snapshot;
    this.topicIds = topicIds;
    this.#columns = columns;
    this.size = size;
    this.#all = Uint32Array.from({ length: this.size }, (_, row) => row);
    this.#nctNumbers = this.#all.map((row) => Number(this.nctIdAt(row).slice(NCT_PREFIX.length)));
    const rows: number[][] = topicIds.map(() => []);
    for (let row = 0; row < this.size; row += 1) for (const place of this.#topicPlaces(row)) rows[place]?.push(row);
    this.#byTopic = rows.map((list) => Uint32Array.from(list));
  }

  /** Null for a snapshot made before the file existed. Throws, naming the file, when it is damaged or of another version. */
  static async open(snapshotDir: string, snapshot: string): Promise<Population | null> {
    const path = join(snapshotDir, SERVING_DIR, RESULTS_GAP_FILE);
    const bytes = await readIfPresent(path);
    return bytes === null ? null : Population.fromBytes(bytes, path, snapshot);
  }

  /** `path` is for messages only. */
  static fromBytes(bytes: Uint8Array, path: string, snapshot: string): Population {
    const table = tableFromIPC(bytes);
    const [batch, ...more] = table.batches;
    const version = table.schema.metadata.get(IMAGE_VERSION_KEY);
    const topics = table.schema.metadata.get(RESULTS_GAP_TOPICS_KEY);
    if (!batch || more.length > 0 || version !== String(SERVING_IMAGE_VERSION) || topics === undefined) {
      throw new Error(`${path} is not the results-gap file of this version; publish the snapshot again`);
    }
    const column = (name: string): Data => columnOf(batch, name, path);
    const lists = column('topics');
    // The columns themselves may be padded beyond their last row.
    return new Population(snapshot, JSON.parse(topics) as string[], batch.numRows, {
      nctId: textColumn(column('nctId')),
      canonicalId: textColumn(column('canonicalId')),
      title: textColumn(column('title')),
      completionDay: column('completionDay').values,
      basis: column('basis').values,
      precision: column('precision').values,
      topicOffsets: lists.valueOffsets,
      topicPlaces: lists.children[0]?.values ?? new Uint32Array(),
      resultsState: column('resultsState').values,
    });
  }

  /** Rows of a topic, or of all; ascending by nctId. */
  rowsOf(topic: string | null): Uint32Array {
    if (topic === null) return this.#all;
    return this.#byTopic[this.topicIds.indexOf(topic)] ?? new Uint32Array();
  }

  /** Whether the row's completion is stated and not later than a day. */
  completedBy(row: number, day: number): boolean {
    const completed = this.#columns.completionDay[row] as number;
    return completed !== NOT_STATED && completed <= day;
  }

  nctIdAt(row: number): string {
    return textAt(this.#columns.nctId, row);
  }

  at(row: number): GapTrial {
    const columns = this.#columns;
    const day = columns.completionDay[row] as number;
    return {
      nctId: this.nctIdAt(row),
      canonicalId: textAt(columns.canonicalId, row),
      title: textAt(columns.title, row) || null,
      completionDay: day === NOT_STATED ? null : day,
      basis: RESULTS_GAP_BASES[columns.basis[row] as number] ?? 'none',
      precision: RESULTS_GAP_PRECISIONS[columns.precision[row] as number] ?? 'none',
      topics: [...this.#topicPlaces(row)].map((place) => this.topicIds[place] as string),
      resultsState: RESULTS_GAP_STATES[columns.resultsState[row] as number] ?? 'none',
    };
  }

  hasTopic(row: number, topic: string): boolean {
    return this.#topicPlaces(row).includes(this.topicIds.indexOf(topic));
  }

  /** Row of a registration, or null; by binary search. */
  rowOf(nctId: string): number | null {
    const wanted = Number(nctId.slice(NCT_PREFIX.length));
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#nctNumbers[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.nctIdAt(low) === nctId ? low : null;
  }

  #topicPlaces(row: number): Uint32Array {
    const { topicOffsets, topicPlaces } = this.#columns;
    return topicPlaces.subarray(topicOffsets[row], topicOffsets[row + 1]);
  }
}

/** YYYY-MM-DD, or YYYY-MM for a month; null where none is stated. */
export function completionDate({ completionDay, precision }: GapTrial): string | null {
  if (completionDay === null) return null;
  return dayToIso(completionDay).slice(0, precision === 'month' ? 7 : 10);
}

function columnOf(batch: RecordBatch, name: string, path: string): Data {
  const place = batch.schema.fields.findIndex((field) => field.name === name);
  const data = batch.data.children[place];
  if (data === undefined) throw new Error(`${path} has no column ${name}; publish the snapshot again`);
  return data;
}

function textColumn({ valueOffsets, values }: Data): TextColumn {
  const bytes = values as Uint8Array;
  return { offsets: valueOffsets, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

function textAt({ offsets, bytes }: TextColumn, row: number): string {
  return bytes.toString('utf8', offsets[row], offsets[row + 1]);
}

async function readIfPresent(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
