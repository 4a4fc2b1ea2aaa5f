import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  gapClock,
  isInGap,
  RESULTS_GAP_BASES,
  RESULTS_GAP_CONCEPTS_KEY,
  RESULTS_GAP_FILE,
  RESULTS_GAP_PRECISIONS,
  RESULTS_GAP_STATES,
  RESULTS_GAP_TOPICS_KEY,
  type ResultsGapState,
  type TopicConceptsStatement,
} from '../../../snapshot/format/results-gap.ts';
import { NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { listData, numberData, textData, writeColumns } from '../../../snapshot/image/arrow-file.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Database } from '../../store/database.ts';
import { compareUtf8 } from './byte-order.ts';
import { readingOf, type Topic } from './terms/topics.ts';
import type { TrialTopics } from './terms/trial-terms.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

interface GapRow {
  nctId: string;
  canonicalId: string;
  title: string;
  completionDay: number;
  basis: (typeof RESULTS_GAP_BASES)[number];
  precision: (typeof RESULTS_GAP_PRECISIONS)[number];
  topics: TrialTopics;
  state: ResultsGapState;
}

/** Gathers the rows of results-gap.arrow (snapshot/format/results-gap.ts). */
export class ResultsGapWriter {
  readonly #states: ReadonlyMap<string, ResultsGapState>;
  readonly #rows: GapRow[] = [];

  /** `states` by NCT id; a registration without one has none. */
  constructor(states: ReadonlyMap<string, ResultsGapState>) {
    this.#states = states;
  }

  /** `topics` of the trial, as the index serves them. */
  add({ trial, registrations }: TrialParts, topics: TrialTopics): void {
    for (const registration of registrations) {
      if (!isGapRow(registration)) continue;
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

  /** `topics` are all topics, so that a reader knows a topic without a trial too. */
  write(outDir: string, topics: readonly Topic[], sources: TopicConceptsStatement['sources']): void {
    const topicIds = topics.map(({ id }) => id);
    const readings = Object.fromEntries(topics.map((topic) => [topic.id, readingOf(topic)]));
    const rows = this.#rows.sort((a, b) => compareUtf8(a.nctId, b.nctId));
    const place = new Map(topicIds.map((id, index) => [id, index]));
    const places = (ids: readonly string[]) => ids.map((id) => place.get(id) as number).sort((a, b) => a - b);
    const metadata = {
      [RESULTS_GAP_TOPICS_KEY]: JSON.stringify(topicIds),
      [RESULTS_GAP_CONCEPTS_KEY]: JSON.stringify({ readings, sources } satisfies TopicConceptsStatement),
    };
    const columns = {
      nctId: textData(rows.map(({ nctId }) => nctId)),
      canonicalId: textData(rows.map(({ canonicalId }) => canonicalId)),
      title: textData(rows.map(({ title }) => title)),
      completionDay: numberData(Int32Array.from(rows, ({ completionDay }) => completionDay)),
      basis: numberData(Uint8Array.from(rows, ({ basis }) => RESULTS_GAP_BASES.indexOf(basis))),
      precision: numberData(Uint8Array.from(rows, ({ precision }) => RESULTS_GAP_PRECISIONS.indexOf(precision))),
      topics: lists(rows.map(({ topics }) => places(topics.byWords))),
      topicsByConcepts: lists(rows.map(({ topics }) => places(topics.byConcepts))),
      resultsState: numberData(Uint8Array.from(rows, ({ state }) => RESULTS_GAP_STATES.indexOf(state))),
    };
    writeColumns(join(outDir, RESULTS_GAP_FILE), columns, metadata);
  }
}

/** States of the registrations in the gap, from their payloads, by NCT id; a registration whose record says nothing is left out. */
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
  const found = await database.all(await readFile(new URL('unposted-results.sql', import.meta.url), 'utf8'));
  const states = new Map<string, ResultsGapState>();
  for (const { id, submitted, certificate } of found) {
    if (submitted) states.set(String(id), 'submitted_qc');
    else if (certificate) states.set(String(id), 'delayed_certificate');
  }
  return states;
}

/** `unpostedStates` has the condition of `isInGap` in SQL. */
export function isGapRow({ registry, common }: RegistrationRow): boolean {
  return isInGap(registry, common);
}

function clock({ common }: RegistrationRow): Pick<GapRow, 'completionDay' | 'basis' | 'precision'> {
  const { completionDay, ...rest } = gapClock(common.dates);
  return { completionDay: completionDay ?? NOT_STATED, ...rest };
}

function lists(values: number[][]) {
  const offsets = new Int32Array(values.length + 1);
  for (const [row, list] of values.entries()) offsets[row + 1] = (offsets[row] as number) + list.length;
  return listData(Uint32Array.from(values.flat()), offsets);
}
