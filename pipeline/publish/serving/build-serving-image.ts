import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CENSUS_KEY,
  COMMON_TERM_ROWS_KEY,
  IDS_FILE,
  PAIRS_FILE,
  ROWS_FILE,
  SERVING_IMAGE_VERSION,
  SPONSORS_FILE,
  TERMS_FILE,
  TOPICS_FILE,
} from '../../../snapshot-format/serving.ts';
import { COMMON_TERM_ROWS } from '../../../snapshot-format/serving-columns.ts';
import type { Effects } from '../../effects.ts';
import { Database } from '../../store/database.ts';
import { DocumentWriter } from './document-writer.ts';
import { IdGatherer } from './id-gatherer.ts';
import { PairIndex } from './pair-index.ts';
import { presentTrial } from './present-trial.ts';
import { ResultsGapWriter, unpostedStates } from './results-gap-writer.ts';
import { RowGatherer } from './row-gatherer.ts';
import { SequenceWriter } from './sequence-writer.ts';
import { writeSignalFiles } from './signal-files.ts';
import { loadTopics, type Topic, TopicMatcher, writeTopics } from './topics.ts';
import { openTrialTables, streamTrials } from './trial-parts.ts';
import { indexTrial, termIndex, topicsOfTrial } from './trial-terms.ts';

export interface ServingImageInputs {
  /** Holds the Parquet tables trials, registrations, identifiers, links, relations, raw and signals; nothing else is read. */
  snapshotDir: string;
  /** Made if need be; must not hold an image yet. */
  outDir: string;
  /** The repository's reviewed topics when left out. */
  topics?: Topic[];
  /** COMMON_TERM_ROWS when left out; tests make small images with pairs. */
  commonTermRows?: number;
}

const PROGRESS_EVERY = 1000;
/** The sort of all parts spills beyond this; the postings beside it need the rest of the stage's 4 GB. */
const SORT_MEMORY = '1000MB';

/**
 * Writes the serving image (snapshot-format/serving.ts) of a snapshot's tables. The same tables give the same bytes.
 * Documents and sequences are streamed; postings, columns and ids are gathered in flat arrays (about 1.5 GB at 600,000
 * trials). Fails when a table is missing or the tables contradict each other.
 */
export async function buildServingImage(
  { snapshotDir, outDir, topics, commonTermRows = COMMON_TERM_ROWS }: ServingImageInputs,
  effects: Effects,
): Promise<{ imageVersion: number }> {
  const scratch = `${outDir}.scratch`;
  await mkdir(outDir, { recursive: true });
  await rm(scratch, { recursive: true, force: true });
  try {
    await using database = await Database.open(join(scratch, 'serving.duckdb'), { memoryLimit: SORT_MEMORY });
    const trials = await openTrialTables(database, snapshotDir);
    const gap = new ResultsGapWriter(await unpostedStates(database, snapshotDir));
    await writeImage(
      database,
      trials,
      { gap, outDir, topics: topics ?? (await loadTopics()), commonTermRows },
      effects,
    );
    await writeSignalFiles(database, snapshotDir, outDir);
    effects.checkpoint('serving-signals-written');
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return { imageVersion: SERVING_IMAGE_VERSION };
}

interface ImageParts {
  gap: ResultsGapWriter;
  outDir: string;
  topics: Topic[];
  commonTermRows: number;
}

async function writeImage(
  database: Database,
  trials: number,
  { gap, outDir, topics, commonTermRows }: ImageParts,
  effects: Effects,
): Promise<void> {
  const progress = (done: number): void =>
    effects.progress({ stage: 'publish', label: 'serving image', done, total: trials, unit: 'trials' });
  const rows = new RowGatherer();
  const ids = new IdGatherer();
  const index = termIndex();
  const matcher = new TopicMatcher(topics);
  using documents = new DocumentWriter(outDir);
  using sequences = new SequenceWriter(outDir, trials);
  let done = 0;
  for await (const parts of streamTrials(database)) {
    rows.add(parts);
    ids.add(parts);
    documents.add(presentTrial(parts));
    const topicIds = topicsOfTrial(matcher, parts);
    sequences.add(indexTrial(index, topicIds, parts));
    gap.add(parts, topicIds);
    done += 1;
    if (done % PROGRESS_EVERY === 0) progress(done);
  }
  documents.close();
  sequences.close();
  if (done !== trials) throw new Error(`the trial stream gave ${done} of ${trials} trials`);
  effects.checkpoint('serving-documents-written');
  rows.write(join(outDir, ROWS_FILE), join(outDir, SPONSORS_FILE));
  ids.write(join(outDir, IDS_FILE));
  const pairs = new PairIndex((term) => index.countOf(term) >= commonTermRows);
  for (const { values, start, end } of sequences.written()) pairs.addRow(values, start, end);
  pairs.write(join(outDir, PAIRS_FILE));
  index.write(join(outDir, TERMS_FILE), { [COMMON_TERM_ROWS_KEY]: String(commonTermRows), [CENSUS_KEY]: 'true' });
  writeTopics(join(outDir, TOPICS_FILE), topics);
  gap.write(
    outDir,
    topics.map(({ id }) => id),
  );
  effects.checkpoint('serving-image-written');
  progress(done);
}
