import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { type Database, sqlLiteral } from '../../store/database.ts';
import { ArrowFile, BINARY, binaryData, INT32, listData, numberData, UINT8, UINT32_LIST } from './arrow-file.ts';
import { compareUtf8 } from './byte-order.ts';
import { ByteColumn } from './growable.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

interface GapRow {
  nctId: string;
  canonicalId: string;
  title: string;
  completionDay: number;
  basis: (typeof RESULTS_GAP_BASES)[number];
  precision: (typeof RESULTS_GAP_PRECISIONS)[number];
  topics: string[];
}

/** Gathers the rows of results-gap.arrow (snapshot-format/results-gap.ts). */
export class ResultsGapWriter {
  readonly #states: ReadonlyMap<string, ResultsGapState>;
  readonly #rows: GapRow[] = [];

  /** `states` of the registrations whose record says more than nothing. */
  constructor(states: ReadonlyMap<string, ResultsGapState>) {
    this.#states = states;
  }

  /** `topics` of the trial, as the index serves them. */
  add({ trial, registrations }: TrialParts, topics: string[]): void {
    for (const registration of registrations) {
      if (!isInGap(registration)) continue;
      this.#rows.push({
        nctId: registration.id,
        canonicalId: trial.canonical_id,
        title: registration.title ?? registration.official_title ?? '',
        ...clock(registration),
        topics,
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
      numberData(Uint8Array.from(rows, ({ nctId }) => RESULTS_GAP_STATES.indexOf(this.#states.get(nctId) ?? 'none'))),
    ]);
    file.close();
  }
}

/** What the records in the snapshot's payloads say of results that are not posted, by NCT id; the others say nothing. */
export async function unpostedStates(
  database: Database,
  snapshotDir: string,
): Promise<ReadonlyMap<string, ResultsGapState>> {
  const payloads = sqlLiteral(join(snapshotDir, 'raw', 'part-*.parquet'));
  await database.run(`CREATE VIEW raw AS SELECT * FROM read_parquet(${payloads})`);
  const found = await database.all(await readFile(new URL('unposted-results.sql', import.meta.url), 'utf8'));
  const states = new Map<string, ResultsGapState>();
  for (const { id, submitted, certificate } of found) {
    if (submitted) states.set(String(id), 'submitted_qc');
    else if (certificate) states.set(String(id), 'delayed_certificate');
  }
  return states;
}

function isInGap({ registry, study_type, status, results_available }: RegistrationRow): boolean {
  return (
    registry === 'clinicaltrials_gov' && study_type === 'interventional' && status === 'completed' && !results_available
  );
}

/** From the primary completion, else the completion; a month counts from its last day. */
function clock(registration: RegistrationRow): Pick<GapRow, 'completionDay' | 'basis' | 'precision'> {
  const date = registration.primary_completion_date ?? registration.completion_date;
  if (date === null) return { completionDay: NOT_STATED, basis: 'none', precision: 'none' };
  const basis = registration.primary_completion_date === null ? 'completion' : 'primary_completion';
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
