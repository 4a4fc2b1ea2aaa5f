import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  IDS_FILE,
  ROWS_FILE,
  SERVING_IMAGE_VERSION,
  SPONSORS_FILE,
  TERMS_FILE,
  TOPICS_FILE,
} from '../../../snapshot-format/serving.ts';
import type { Effects } from '../../effects.ts';
import { Database } from '../../store/database.ts';
import { DocumentWriter, SequenceWriter } from './document-writer.ts';
import { IdGatherer } from './id-gatherer.ts';
import { presentTrial } from './present-trial.ts';
import { RowGatherer } from './row-gatherer.ts';
import { TermIndex } from './term-index.ts';
import { loadTopics, type Topic, TopicMatcher, writeTopics } from './topics.ts';
import { openTrialTables, streamTrials } from './trial-parts.ts';
import { indexTrial } from './trial-terms.ts';

export interface ServingImageInputs {
  /** Holds the Parquet tables trials, registrations, identifiers, links and relations; nothing else is read. */
  snapshotDir: string;
  /** Made if need be; must not hold an image yet. */
  outDir: string;
  /** The repository's reviewed topics when left out. */
  topics?: Topic[];
}

const PROGRESS_EVERY = 1000;

/**
 * Writes the serving image (snapshot-format/serving.ts) of a snapshot's tables. The same tables give the same bytes.
 * Documents and sequences are streamed; postings, columns and ids are gathered in flat arrays (about 1 GB at 620,000
 * trials). Fails when a table is missing or the tables contradict each other.
 */
export async function buildServingImage(
  { snapshotDir, outDir, topics }: ServingImageInputs,
  effects: Effects,
): Promise<{ imageVersion: number }> {
  const scratch = `${outDir}.scratch`;
  await mkdir(outDir, { recursive: true });
  await rm(scratch, { recursive: true, force: true });
  try {
    await using database = await Database.open(join(scratch, 'serving.duckdb'));
    const trials = await openTrialTables(database, snapshotDir);
    await writeImage(database, trials, outDir, topics ?? (await loadTopics()), effects);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return { imageVersion: SERVING_IMAGE_VERSION };
}

async function writeImage(
  database: Database,
  trials: number,
  outDir: string,
  topics: Topic[],
  effects: Effects,
): Promise<void> {
  const progress = (done: number): void =>
    effects.progress({ stage: 'publish', label: 'serving image', done, total: trials, unit: 'trials' });
  const rows = new RowGatherer();
  const ids = new IdGatherer();
  const index = new TermIndex();
  const matcher = new TopicMatcher(topics);
  using documents = new DocumentWriter(outDir);
  using sequences = new SequenceWriter(outDir, trials);
  let done = 0;
  for await (const parts of streamTrials(database)) {
    rows.add(parts);
    ids.add(parts);
    documents.add(presentTrial(parts));
    sequences.add(indexTrial(index, matcher, parts));
    done += 1;
    if (done % PROGRESS_EVERY === 0) progress(done);
  }
  documents.close();
  sequences.close();
  if (done !== trials) throw new Error(`the trial stream gave ${done} of ${trials} trials`);
  effects.checkpoint('serving-documents-written');
  rows.write(join(outDir, ROWS_FILE), join(outDir, SPONSORS_FILE));
  ids.write(join(outDir, IDS_FILE));
  index.write(join(outDir, TERMS_FILE));
  writeTopics(join(outDir, TOPICS_FILE), topics);
  effects.checkpoint('serving-image-written');
  progress(done);
}
