import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IDS_FILE, SERVING_IMAGE_VERSION, TERMINOLOGY_FILE, TOPICS_FILE } from '../../../snapshot/format/serving.ts';
import { COMMON_TERM_ROWS } from '../../../snapshot/format/serving-columns.ts';
import { bundledTerminology } from '../../../snapshot/terminology/make-terminology.ts';
import { readTerminology } from '../../../snapshot/terminology/terminology.ts';
import type { Effects } from '../../effects.ts';
import { Database } from '../../store/database.ts';
import { DocumentWriter } from './document-writer.ts';
import { IdGatherer } from './id-gatherer.ts';
import { openTrialTables } from './image-tables.ts';
import { presentTrial } from './present-trial.ts';
import { writeResultsGap } from './results-gap-file.ts';
import { writeRows } from './rows.ts';
import { writeSignalFiles } from './signal-files.ts';
import { type TermsUnderWay, termsAfterwards, termsByWorker } from './terms/make-terms.ts';
import { loadTopics, type Topic, writeTopics } from './terms/topics.ts';
import { streamTrials } from './trial-parts.ts';

export interface ServingImageInputs {
  /**
   * Holds the Parquet tables trials, registrations, identifiers, links, relations, publications, raw and signals; nothing
   * else is read.
   */
  snapshotDir: string;
  /** Is created if it does not exist; must not hold an image yet. */
  outDir: string;
  /** The repository's reviewed topics if left out. */
  topics?: Topic[];
  /** The file made by snapshot/terminology/; the bundled one if left out. */
  terminology?: Uint8Array;
  /** COMMON_TERM_ROWS if left out; tests make small images with pairs. */
  commonTermRows?: number;
  /** WORKER_FROM_TRIALS if left out; tests use workers for small corpora. */
  workerFromTrials?: number;
}

const PROGRESS_EVERY = 1000;
/**
 * What DuckDB may hold before it spills or fails: 100 MB of it are rows of trials, the rest is read and sorted.
 */
const SORT_MEMORY = '1000MB';
/** From this many trials on, indexing terms in a worker is faster than in line. */
const WORKER_FROM_TRIALS = 20_000;

type Making = Required<ServingImageInputs>;

const LABEL = 'serving image';

/**
 * Writes the serving image (snapshot/format/serving.ts) of a snapshot's tables. Equal tables give equal bytes. Trials are streamed on the
 * caller's thread; the terms of many trials, which are as much work, are made by a worker. Postings, sequences, columns and ids are
 * gathered in flat arrays (about 1.5 GB at 600,000 trials). Removes what an earlier attempt left. Throws when a table is missing, when
 * the tables contradict each other, or when the worker fails.
 */
export async function buildServingImage(
  inputs: ServingImageInputs,
  effects: Effects,
): Promise<{ imageVersion: number }> {
  const { snapshotDir, outDir } = inputs;
  const making: Making = {
    ...{ snapshotDir, outDir },
    topics: inputs.topics ?? (await loadTopics()),
    terminology: inputs.terminology ?? (await bundledTerminology()),
    commonTermRows: inputs.commonTermRows ?? COMMON_TERM_ROWS,
    workerFromTrials: inputs.workerFromTrials ?? WORKER_FROM_TRIALS,
  };
  const scratch = `${outDir}.scratch`;
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch);
  try {
    await using database = await Database.open(':memory:', {
      memoryLimit: SORT_MEMORY,
      spillTo: join(scratch, 'serving'),
    });
    const trials = await openTrialTables(database, snapshotDir);
    await writeFile(join(outDir, TERMINOLOGY_FILE), making.terminology);
    await writeImage({ ...making, database, scratch, trials, effects });
    await writeSignalFiles(database, snapshotDir, outDir);
    effects.checkpoint('serving-signals-written');
    return { imageVersion: SERVING_IMAGE_VERSION };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface ImageParts extends Making {
  database: Database;
  scratch: string;
  trials: number;
  effects: Effects;
}

async function writeImage(parts: ImageParts): Promise<void> {
  const { database, scratch, outDir, trials, topics, effects } = parts;
  await using terms = await beginTerms(parts);
  const ids = new IdGatherer();
  using documents = new DocumentWriter(outDir);
  const progress = (done: number): void =>
    effects.progress({ stage: 'publish', label: LABEL, done, total: trials, unit: 'trials' });
  let done = 0;
  progress(done);
  for await (const trial of streamTrials(database, scratch)) {
    if (trial.row !== done) throw new Error(`the trial stream gave row ${trial.row}, expected row ${done}`);
    terms.refuseFailed();
    ids.add(trial);
    documents.add(presentTrial(trial));
    done += 1;
    if (done % PROGRESS_EVERY === 0) progress(done);
  }
  if (done !== trials) throw new Error(`the trial stream gave ${done} of ${trials} rows`);
  documents.close();
  await writeRows(database, outDir, trials);
  ids.write(join(outDir, IDS_FILE));
  writeTopics(join(outDir, TOPICS_FILE), topics);
  effects.checkpoint('serving-documents-written');
  await terms.done();
  await writeResultsGap(database, parts, topics, readTerminology(parts.terminology));
  progress(trials);
  effects.checkpoint('serving-image-written');
}

async function beginTerms({ database, scratch, ...making }: ImageParts): Promise<TermsUnderWay> {
  const { outDir, trials, topics, terminology, commonTermRows, snapshotDir } = making;
  const terms = { outDir, scratch, trials, topics, terminology, commonTermRows };
  if (trials < making.workerFromTrials) return termsAfterwards(database, terms);
  return termsByWorker(database, { making: terms, snapshotDir });
}
