import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryDate } from '../../../snapshot/format/registration.ts';
import {
  gapClock,
  RESULTS_GAP_BASES,
  RESULTS_GAP_CONCEPTS_KEY,
  RESULTS_GAP_FILE,
  RESULTS_GAP_PRECISIONS,
  RESULTS_GAP_STATES,
  RESULTS_GAP_TOPICS_KEY,
  type ResultsGapState,
  type TopicConceptsStatement,
} from '../../../snapshot/format/results-gap.ts';
import { TERMS_FILE } from '../../../snapshot/format/serving.ts';
import { NOT_STATED, POSTING } from '../../../snapshot/format/serving-columns.ts';
import { listData, numberData, textData, writeColumns } from '../../../snapshot/image/arrow-file.ts';
import { readImageTable } from '../../../snapshot/image/arrow-reader.ts';
import { type Posting, postingAt, readPostings } from '../../../snapshot/image/postings.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { Database } from '../../store/database.ts';
import { readingOf, type Topic } from './terms/topics.ts';

/** A registration of the file. */
export interface GapRow {
  nctId: string;
  canonicalId: string;
  title: string;
  primaryCompletion: RegistryDate | null;
  completion: RegistryDate | null;
  state: ResultsGapState;
  /** Places in the list of topics, by words and by concepts. */
  topics: number[];
  topicsByConcepts: number[];
}

/** Writes the file of a snapshot. Needs the tables of `openTrialTables`, and terms.arrow in `outDir`. */
export async function writeResultsGap(
  database: Database,
  { snapshotDir, outDir }: { snapshotDir: string; outDir: string },
  topics: readonly Topic[],
  terminology: Terminology,
): Promise<void> {
  const payloads = sqlLiteral(join(snapshotDir, 'raw', 'part-*.parquet'));
  const sql = await readFile(new URL('results-gap.sql', import.meta.url), 'utf8');
  const found = await database.all(sql.replace('{payloads}', payloads));
  const path = join(outDir, TERMS_FILE);
  const terms = readPostings(readImageTable(await readFile(path), path), path);
  const topicsBy = (prefix: string) => {
    const lists = found.map((): number[] => []);
    for (const [place, { id }] of topics.entries()) {
      const isHeld = membership(postingAt(terms, terms.keys.find(prefix + id)));
      for (const [at, { row }] of found.entries()) if (isHeld(row as number)) lists[at]!.push(place);
    }
    return lists;
  };
  const [byWords, byConcepts] = [topicsBy(POSTING.topic), topicsBy(POSTING.topicByConcepts)];
  const rows = found.map((one, at) => ({ ...one, topics: byWords[at], topicsByConcepts: byConcepts[at] }));
  const sources = terminology.sources.map(({ id, name, year, licence }) => ({ id, name, year, licence }));
  writeGapRows(outDir, rows as unknown as GapRow[], topics, sources);
}

/** A test of whether a row is in a posting. */
function membership(posting: Posting | null): (row: number) => boolean {
  if (posting === null) return () => false;
  const { form, words } = posting;
  if (form === 'bitmap') return (row) => (((words[row >>> 5] as number) >>> (row & 31)) & 1) === 1;
  const held = new Set(words);
  return (row) => held.has(row);
}

/** Writes results-gap.arrow (snapshot/format/results-gap.ts); it names all topics, so that a reader knows one without a trial too. */
export function writeGapRows(
  outDir: string,
  rows: readonly GapRow[],
  topics: readonly Topic[],
  sources: TopicConceptsStatement['sources'],
): void {
  const clocks = rows.map((row) => gapClock(row));
  const readings = Object.fromEntries(topics.map((topic) => [topic.id, readingOf(topic)]));
  const columns = {
    nctId: textData(rows.map(({ nctId }) => nctId)),
    canonicalId: textData(rows.map(({ canonicalId }) => canonicalId)),
    title: textData(rows.map(({ title }) => title)),
    completionDay: numberData(Int32Array.from(clocks, ({ completionDay }) => completionDay ?? NOT_STATED)),
    basis: numberData(Uint8Array.from(clocks, ({ basis }) => RESULTS_GAP_BASES.indexOf(basis))),
    precision: numberData(Uint8Array.from(clocks, ({ precision }) => RESULTS_GAP_PRECISIONS.indexOf(precision))),
    topics: numberLists(rows.map((row) => row.topics)),
    topicsByConcepts: numberLists(rows.map((row) => row.topicsByConcepts)),
    resultsState: numberData(Uint8Array.from(rows, ({ state }) => RESULTS_GAP_STATES.indexOf(state))),
  };
  writeColumns(join(outDir, RESULTS_GAP_FILE), columns, {
    [RESULTS_GAP_TOPICS_KEY]: JSON.stringify(topics.map(({ id }) => id)),
    [RESULTS_GAP_CONCEPTS_KEY]: JSON.stringify({ readings, sources } satisfies TopicConceptsStatement),
  });
}

function numberLists(lists: readonly (readonly number[])[]): ReturnType<typeof listData> {
  const offsets = new Int32Array(lists.length + 1);
  for (const [row, list] of lists.entries()) offsets[row + 1] = (offsets[row] as number) + list.length;
  return listData(Uint32Array.from(lists.flat()), offsets);
}
