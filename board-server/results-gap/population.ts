import { join } from 'node:path';
import type { MATCH_MODES } from '../../contract/vocabularies.ts';
import { partsHeld } from '../../snapshot/format/registry-answer.ts';
import {
  RESULTS_GAP_BASES,
  RESULTS_GAP_CONCEPTS_KEY,
  RESULTS_GAP_FILE,
  RESULTS_GAP_PRECISIONS,
  RESULTS_GAP_STATES,
  RESULTS_GAP_TOPICS_KEY,
  type ResultsGapBasis,
  type ResultsGapPrecision,
  type ResultsGapState,
  type TopicConceptsStatement,
} from '../../snapshot/format/results-gap.ts';
import { SERVING_DIR } from '../../snapshot/format/serving.ts';
import { NOT_STATED } from '../../snapshot/format/serving-columns.ts';
import { readServingFile } from '../../snapshot/format/serving-file.ts';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { snapshotDay } from '../../snapshot/format/versions/snapshot-day.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import {
  type BinaryColumn,
  binaryColumn,
  type ListColumn,
  listColumn,
  numberColumn,
  onlyBatch,
  readImageTable,
  textAt,
} from '../../snapshot/image/arrow-reader.ts';

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
  topicsByConcepts: string[];
  resultsState: ResultsGapState;
}

export type MatchMode = (typeof MATCH_MODES)[number];

/** What answers name of a snapshot. */
export type SnapshotName = Pick<Manifest, 'version' | 'asOf'> & { identity?: string; held?: readonly string[] };

const NCT_PREFIX = 'NCT';

/** Columns sorted by nctId, as views of the file's bytes. */
interface Columns {
  nctId: BinaryColumn;
  canonicalId: BinaryColumn;
  title: BinaryColumn;
  completionDay: Int32Array;
  basis: Uint8Array;
  precision: Uint8Array;
  /** Places in the list of topic ids. */
  topics: ListColumn;
  topicsByConcepts: ListColumn;
  resultsState: Uint8Array;
}

/** The trials of results-gap.arrow in one snapshot, in memory; about 150 bytes each. */
export class Population {
  readonly snapshot: string;
  /** Null for a snapshot of a format without one. */
  readonly identity: string | null;
  /** Of each registry that is not held whole, how much of it is held. */
  readonly held: readonly string[];
  /** The snapshot's day, to which clocks count: days since 1970-01-01. */
  readonly day: number;
  readonly topicIds: readonly string[];
  readonly size: number;
  readonly #columns: Columns;
  /** Rows of each topic, in order. */
  readonly #byTopic: Readonly<Record<MatchMode, readonly Uint32Array[]>>;
  readonly concepts: TopicConceptsStatement;
  readonly #all: Uint32Array;
  /** Digits of each NCT id, ascending as the ids are. */
  readonly #nctNumbers: Uint32Array;

  private constructor(
    of: SnapshotName,
    { topicIds, concepts }: { topicIds: string[]; concepts: TopicConceptsStatement },
    size: number,
    columns: Columns,
  ) {
    this.snapshot = of.version;
    this.identity = of.identity ?? null;
    this.held = of.held ?? [];
    this.day = snapshotDay(of);
    this.topicIds = topicIds;
    this.concepts = concepts;
    this.#columns = columns;
    this.size = size;
    this.#all = Uint32Array.from({ length: this.size }, (_, row) => row);
    this.#nctNumbers = this.#all.map((row) => Number(this.nctIdAt(row).slice(NCT_PREFIX.length)));
    this.#byTopic = { words: this.#rowsByTopic('words'), concepts: this.#rowsByTopic('concepts') };
  }

  /** Null for a snapshot made before the file existed. Throws, naming the file, when it is not as published or of another version. */
  static async open(snapshotDir: string, snapshot: string): Promise<Population | null> {
    const bytes = await readServingFile(snapshotDir, RESULTS_GAP_FILE);
    if (bytes === null) return null;
    const manifest = await readManifest(snapshotDir);
    const { asOf, identity } = manifest;
    const path = join(snapshotDir, SERVING_DIR, RESULTS_GAP_FILE);
    return Population.fromBytes(bytes, path, { version: snapshot, asOf, identity, held: partsHeld(manifest) });
  }

  /** `path` is for messages only. */
  static fromBytes(bytes: Uint8Array, path: string, of: SnapshotName): Population {
    const table = readImageTable(bytes, path);
    const batch = onlyBatch(table, path);
    const topics = table.schema.metadata.get(RESULTS_GAP_TOPICS_KEY);
    const concepts = table.schema.metadata.get(RESULTS_GAP_CONCEPTS_KEY);
    if (topics === undefined || concepts === undefined) {
      throw new Error(`${path} names no topics; publish the snapshot again`);
    }
    const read = {
      topicIds: JSON.parse(topics) as string[],
      concepts: JSON.parse(concepts) as TopicConceptsStatement,
    };
    return new Population(of, read, batch.numRows, {
      nctId: binaryColumn(batch, 'nctId', path),
      canonicalId: binaryColumn(batch, 'canonicalId', path),
      title: binaryColumn(batch, 'title', path),
      completionDay: numberColumn(batch, 'completionDay', path),
      basis: numberColumn(batch, 'basis', path),
      precision: numberColumn(batch, 'precision', path),
      topics: listColumn(batch, 'topics', path),
      topicsByConcepts: listColumn(batch, 'topicsByConcepts', path),
      resultsState: numberColumn(batch, 'resultsState', path),
    });
  }

  /** Rows of a topic, or of all; ascending by nctId. */
  rowsOf(topic: string | null, match: MatchMode = 'words'): Uint32Array {
    if (topic === null) return this.#all;
    return this.#byTopic[match][this.topicIds.indexOf(topic)] ?? new Uint32Array();
  }

  #rowsByTopic(match: MatchMode): Uint32Array[] {
    const rows: number[][] = this.topicIds.map(() => []);
    for (let row = 0; row < this.size; row += 1) {
      for (const place of this.#topicPlaces(row, match)) rows[place]?.push(row);
    }
    return rows.map((list) => Uint32Array.from(list));
  }

  /** Whether the row's completion is stated and not later than a day. */
  completedBy(row: number, day: number): boolean {
    const completed = this.#columns.completionDay[row] as number;
    return completed !== NOT_STATED && completed <= day;
  }

  nctIdAt(row: number): string {
    return textAt(this.#columns.nctId, row);
  }

  canonicalIdAt(row: number): string {
    return textAt(this.#columns.canonicalId, row);
  }

  at(row: number): GapTrial {
    const columns = this.#columns;
    const day = columns.completionDay[row] as number;
    return {
      nctId: this.nctIdAt(row),
      canonicalId: this.canonicalIdAt(row),
      title: textAt(columns.title, row) || null,
      completionDay: day === NOT_STATED ? null : day,
      basis: RESULTS_GAP_BASES[columns.basis[row] as number] ?? 'none',
      precision: RESULTS_GAP_PRECISIONS[columns.precision[row] as number] ?? 'none',
      topics: this.#topicsOf(row, 'words'),
      topicsByConcepts: this.#topicsOf(row, 'concepts'),
      resultsState: RESULTS_GAP_STATES[columns.resultsState[row] as number] ?? 'none',
    };
  }

  hasTopic(row: number, topic: string, match: MatchMode = 'words'): boolean {
    return this.#topicPlaces(row, match).includes(this.topicIds.indexOf(topic));
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

  #topicsOf(row: number, match: MatchMode): string[] {
    return [...this.#topicPlaces(row, match)].map((place) => this.topicIds[place] as string);
  }

  #topicPlaces(row: number, match: MatchMode): Uint32Array {
    const column = match === 'words' ? this.#columns.topics : this.#columns.topicsByConcepts;
    return column.values.subarray(column.offsets[row], column.offsets[row + 1]);
  }
}

/** YYYY-MM-DD, or YYYY-MM for a month; null where none is stated. */
export function completionDate({ completionDay, precision }: GapTrial): string | null {
  if (completionDay === null) return null;
  return dayToIso(completionDay).slice(0, precision === 'month' ? 7 : 10);
}
