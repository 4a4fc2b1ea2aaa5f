import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import {
  ArrowFile,
  BINARY,
  binaryData,
  INT32,
  listData,
  numberData,
  UINT8,
  UINT32_LIST,
} from '../../../serving-image/arrow-file.ts';
import { binaryColumn, listColumn, numberColumn, onlyBatch, textAt } from '../../../serving-image/arrow-reader.ts';
import { ByteColumn } from '../../../serving-image/growable.ts';
import { dayNumber } from '../../../snapshot-format/dates.ts';
import {
  RESULTS_GAP_BASES,
  RESULTS_GAP_FILE,
  RESULTS_GAP_PRECISIONS,
  RESULTS_GAP_STATES,
  RESULTS_GAP_TOPICS_KEY,
  type ResultsGapState,
} from '../../../snapshot-format/results-gap.ts';
import { NOT_STATED } from '../../../snapshot-format/serving-columns.ts';
import { sqlLiteral } from '../../../snapshot-sql/connection.ts';
import type { Database } from '../../store/database.ts';
import { compareUtf8 } from './byte-order.ts';
import type { ParentImage } from './parent-image.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

export interface GapRow {
  nctId: string;
  canonicalId: string;
  title: string;
  completionDay: number;
  basis: (typeof RESULTS_GAP_BASES)[number];
  precision: (typeof RESULTS_GAP_PRECISIONS)[number];
  topics: string[];
  state: ResultsGapState;
}

/** Gathers the rows of results-gap.arrow (snapshot-format/results-gap.ts). */
export class ResultsGapWriter {
  readonly #states: ReadonlyMap<string, ResultsGapState>;
  readonly #rows: GapRow[];

  /** `states` of the registrations whose record says more than nothing; `held`: rows that are known already. */
  constructor(states: ReadonlyMap<string, ResultsGapState>, held: GapRow[] = []) {
    this.#states = states;
    this.#rows = held;
  }

  /** `topics` of the trial, as the index serves them. */
  add({ trial, registrations }: TrialParts, topics: string[]): void {
    for (const registration of registrations) {
      if (!isInGap(registration)) continue;
      this.#rows.push({
        nctId: registration.id,
        canonicalId: trial.canonical_id,
        title: registration.common.title ?? registration.common.officialTitle ?? '',
        ...clock(registration),
        topics,
        state: this.#states.get(registration.id) ?? 'none',
      });
    }
  }

  /** `topicIds`: every topic that there is, so that one without a trial is known too. */
  write(outDir: string, topicIds: readonly string[]): void {
    const rows = this.#rows.sort((a, b) => compareUtf8(a.nctId, b.nctId));
    const place = new Map(topicIds.map((id, index) => [id, index]));
    const columns = {
      nctId: BINARY,
      canonicalId: BINARY,
      title: BINARY,
      completionDay: INT32,
      basis: UINT8,
      precision: UINT8,
      topics: UINT32_LIST,
      resultsState: UINT8,
    };
    const metadata = { [RESULTS_GAP_TOPICS_KEY]: JSON.stringify(topicIds) };
    using file = new ArrowFile(join(outDir, RESULTS_GAP_FILE), columns, metadata);
    file.write([
      texts(rows.map(({ nctId }) => nctId)),
      texts(rows.map(({ canonicalId }) => canonicalId)),
      texts(rows.map(({ title }) => title)),
      numberData(Int32Array.from(rows, ({ completionDay }) => completionDay)),
      numberData(Uint8Array.from(rows, ({ basis }) => RESULTS_GAP_BASES.indexOf(basis))),
      numberData(Uint8Array.from(rows, ({ precision }) => RESULTS_GAP_PRECISIONS.indexOf(precision))),
      lists(rows.map(({ topics }) => topics.map((id) => place.get(id) as number).sort((a, b) => a - b))),
      numberData(Uint8Array.from(rows, ({ state }) => RESULTS_GAP_STATES.indexOf(state))),
    ]);
    file.close();
  }
}

/** The rows of a results-gap.arrow. */
export function readGapRows(table: Table): GapRow[] {
  const batch = onlyBatch(table, RESULTS_GAP_FILE);
  const text = (name: string): ((row: number) => string) => {
    const column = binaryColumn(batch, name, RESULTS_GAP_FILE);
    return (row) => textAt(column, row);
  };
  const number = (name: string): ArrayLike<number> => numberColumn(batch, name, RESULTS_GAP_FILE);
  const [nctId, canonicalId, title] = [text('nctId'), text('canonicalId'), text('title')];
  const [day, basis, precision, state] = [
    number('completionDay'),
    number('basis'),
    number('precision'),
    number('resultsState'),
  ];
  const topicIds = JSON.parse(table.schema.metadata.get(RESULTS_GAP_TOPICS_KEY) as string) as string[];
  const topics = listColumn(batch, 'topics', RESULTS_GAP_FILE);
  return Array.from({ length: table.numRows }, (_, row) => ({
    nctId: nctId(row),
    canonicalId: canonicalId(row),
    title: title(row),
    completionDay: day[row] as number,
    basis: RESULTS_GAP_BASES[basis[row] as number] as GapRow['basis'],
    precision: RESULTS_GAP_PRECISIONS[precision[row] as number] as GapRow['precision'],
    topics: Array.from(
      topics.values.subarray(topics.offsets[row], topics.offsets[row + 1]),
      (place) => topicIds[place] as string,
    ),
    state: RESULTS_GAP_STATES[state[row] as number] as ResultsGapState,
  }));
}

/** What the records of the gap's population say of results that are not posted, by NCT id; the others say nothing. */
export async function unpostedStates(
  database: Database,
  snapshotDir: string,
): Promise<ReadonlyMap<string, ResultsGapState>> {
  const payloads = sqlLiteral(join(snapshotDir, 'raw', 'part-*.parquet'));
  // A part file may hold payloads that no registration of the snapshot names any more.
  await database.run(
    `CREATE VIEW payloads AS SELECT registry, id, payload FROM read_parquet(${payloads})
     SEMI JOIN (
       SELECT id, payload_sha256 FROM main.registrations
       WHERE registry = 'clinicaltrials_gov' AND study_type = 'interventional' AND status = 'completed'
         AND NOT results_available
     ) named USING (id, payload_sha256)`,
  );
  return readStates(database);
}

/**
 * The same of the trials that are asked for (`inherit`), given what a parent's image said of its registrations. Payloads
 * are read only where they changed or were of no concern before, and only in the parts that hold such.
 */
export async function unpostedStatesOfShown(
  database: Database,
  snapshotDir: string,
  { held, parent }: { held: readonly GapRow[]; parent: ParentImage },
): Promise<ReadonlyMap<string, ResultsGapState>> {
  const states = new Map(held.map(({ nctId, state }) => [nctId, state]));
  await database.run(await readFile(new URL('asked-payloads.sql', import.meta.url), 'utf8'));
  const asked = await database.all('SELECT id FROM asked');
  for (const { id } of asked) states.delete(String(id));
  const parts = (await partsOfAsked(database, join(snapshotDir, 'raw'), parent)).join(', ');
  const holding = await database.all(`
    SELECT DISTINCT filename FROM read_parquet([${parts}], filename = true)
    SEMI JOIN asked USING (id, payload_sha256) WHERE registry = 'clinicaltrials_gov' ORDER BY filename`);
  if (holding.length === 0) return states;
  const files = holding.map(({ filename }) => sqlLiteral(String(filename))).join(', ');
  await database.run(
    `CREATE VIEW payloads AS SELECT registry, id, payload FROM read_parquet([${files}])
     SEMI JOIN asked USING (id, payload_sha256)`,
  );
  for (const [id, state] of await readStates(database)) states.set(id, state);
  return states;
}

/**
 * Part files, as SQL, that hold all payloads asked for. A day's payloads lie in its own parts, which the parent has none of
 * the same length as; should one lie elsewhere, all parts are named.
 */
async function partsOfAsked(database: Database, dir: string, parent: ParentImage): Promise<string[]> {
  const known = parent.lengthsBelow('raw/');
  const [all, own]: [string[], string[]] = [[], []];
  for (const name of (await readdir(dir)).sort()) {
    const path = join(dir, name);
    all.push(sqlLiteral(path));
    if (!known.has((await stat(path)).size)) own.push(sqlLiteral(path));
  }
  if (own.length === 0) return all;
  const elsewhere = await database.one(
    `SELECT id FROM asked ANTI JOIN read_parquet([${own.join(', ')}]) USING (id, payload_sha256) LIMIT 1`,
  );
  return elsewhere === null ? own : all;
}

async function readStates(database: Database): Promise<Map<string, ResultsGapState>> {
  const found = await database.all(await readFile(new URL('unposted-results.sql', import.meta.url), 'utf8'));
  const states = new Map<string, ResultsGapState>();
  for (const { id, submitted, certificate } of found) {
    if (submitted) states.set(String(id), 'submitted_qc');
    else if (certificate) states.set(String(id), 'delayed_certificate');
  }
  return states;
}

/** asked-payloads.sql and `unpostedStates` say the same in SQL. */
export function isInGap({ registry, common }: RegistrationRow): boolean {
  const { studyType, status, resultsAvailable } = common;
  return (
    registry === 'clinicaltrials_gov' && studyType === 'interventional' && status === 'completed' && !resultsAvailable
  );
}

/** From the primary completion, else the completion; a month counts from its last day. */
function clock({ common }: RegistrationRow): Pick<GapRow, 'completionDay' | 'basis' | 'precision'> {
  const { primaryCompletion, completion } = common.dates;
  const date = primaryCompletion ?? completion;
  if (date === null) return { completionDay: NOT_STATED, basis: 'none', precision: 'none' };
  const basis = primaryCompletion === null ? 'completion' : 'primary_completion';
  return { completionDay: dayNumber(date).last, basis, precision: date.precision };
}

function texts(values: string[]) {
  const column = new ByteColumn();
  for (const value of values) column.appendText(value);
  return binaryData(column.take());
}

function lists(values: number[][]) {
  const offsets = new Int32Array(values.length + 1);
  for (const [row, list] of values.entries()) offsets[row + 1] = (offsets[row] as number) + list.length;
  return listData(Uint32Array.from(values.flat()), offsets);
}
