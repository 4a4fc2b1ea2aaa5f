import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  IDS_FILE,
  ROWS_FILE,
  SERVING_IMAGE_VERSION,
  SPONSORS_FILE,
  STATES_FILE,
  TERMINOLOGY_FILE,
  TOPICS_FILE,
} from '../../../snapshot/format/serving.ts';
import { COMMON_TERM_ROWS } from '../../../snapshot/format/serving-columns.ts';
import { bundledTerminology } from '../../../snapshot/terminology/bundled.ts';
import { readTerminology } from '../../../snapshot/terminology/terminology.ts';
import type { Effects } from '../../effects.ts';
import { Database } from '../../store/database.ts';
import type { FileSum } from '../durable.ts';
import { reuseOf } from '../reuse/reuse-parent.ts';
import { DocumentWriter } from './document-writer.ts';
import { IdGatherer } from './id-gatherer.ts';
import { makerOf } from './maker.ts';
import { presentTrial } from './present-trial.ts';
import { isGapRow, ResultsGapWriter, unpostedStates } from './results-gap-writer.ts';
import { type FindReused, NotReusable, type ParentSnapshot, type Reused, type ReusedDocuments } from './reused.ts';
import { RowGatherer } from './row-gatherer.ts';
import { writeSignalFiles } from './signal-files.ts';
import { Sponsors } from './sponsors.ts';
import { presentSuperseded, readSuperseded, type SupersededRecords } from './superseded-records.ts';
import { type TermsUnderWay, termsAfterwards, termsByWorker } from './terms/term-thread.ts';
import { loadTopics, type Topic, writeTopics } from './terms/topics.ts';
import type { ConceptStatements } from './terms/trial-concepts.ts';
import { TopicReader } from './terms/trial-terms.ts';
import { type RegistrationRow, streamTrials, type TrialParts } from './trial-parts.ts';
import { openTrialTables, showAllTrials, writeStates } from './trial-tables.ts';

export interface ServingImageInputs {
  /**
   * Holds the Parquet tables trials, registrations, identifiers, links, relations, publications, raw and signals; nothing
   * else is read.
   */
  snapshotDir: string;
  /** Is created if it does not exist; must not hold an image yet. */
  outDir: string;
  /** The snapshot whose image is reused where trials are unchanged; if left out, the image is made whole. */
  parent?: ParentSnapshot | null;
  /** The repository's reviewed topics if left out. */
  topics?: Topic[];
  /** Packed by terminology/; the bundled one if left out. */
  terminology?: Uint8Array;
  /** COMMON_TERM_ROWS if left out; tests make small images with pairs. */
  commonTermRows?: number;
  /** MOST_CHANGED if left out; tests reuse parts of small corpora. */
  mostChanged?: number;
  /** WORKER_FROM_TRIALS if left out; tests use workers for small corpora. */
  workerFromTrials?: number;
}

const PROGRESS_EVERY = 1000;
/**
 * What DuckDB may hold before it spills or fails: 100 MB of it are rows of trials, the rest is read and sorted.
 */
const SORT_MEMORY = '1000MB';
/** Largest share of new or changed trials with which an image still reuses its parent's. */
const MOST_CHANGED = 0.1;
/** From this many trials on, indexing terms in a worker is faster than in line. */
const WORKER_FROM_TRIALS = 20_000;

type Making = Required<Omit<ServingImageInputs, 'parent'>> & { maker: string; label: string };

/**
 * Writes the serving image (snapshot/format/serving.ts) of a snapshot's tables. Equal tables give equal bytes, whether
 * unchanged parts are reused from the parent's image or not. If nothing can be reused, the image is made whole, and
 * progress says why. Trials are streamed on the caller's thread; the terms of many trials, which are as much work, are made by a
 * worker, and so are the documents where many are reused. Postings, sequences, columns and ids are gathered in flat arrays (about 1.5 GB at 600,000
 * trials). Returns the sums of files that were hashed as they were written, by paths in the image. Throws when a table
 * is missing, when the tables contradict each other, or when a worker fails.
 */
export async function buildServingImage(
  inputs: ServingImageInputs,
  effects: Effects,
): Promise<{ imageVersion: number; sums: FileSum[] }> {
  const { snapshotDir, outDir, parent = null } = inputs;
  const { commonTermRows = COMMON_TERM_ROWS, mostChanged = MOST_CHANGED } = inputs;
  const { workerFromTrials = WORKER_FROM_TRIALS, topics = await loadTopics() } = inputs;
  const terminology = inputs.terminology ?? (await bundledTerminology());
  const maker = await makerOf(topics, terminology);
  const making = { snapshotDir, outDir, topics, terminology, commonTermRows, mostChanged, workerFromTrials, maker };
  const made = async (label: string, find: FindReused | null) => ({
    imageVersion: SERVING_IMAGE_VERSION,
    sums: await make({ ...making, label }, find, effects),
  });
  try {
    if (parent === null) throw new NotReusable('no parent was given');
    // The only way into ../reuse/.
    return await made("serving image from the parent's", await reuseOf(parent, making));
  } catch (error) {
    if (!(error instanceof NotReusable)) throw error;
    return made(`serving image, whole: ${error.message}`, null);
  }
}

/** Makes the image after removing what an earlier attempt left. Returns the sums of the documents. */
async function make(making: Making, find: FindReused | null, effects: Effects): Promise<FileSum[]> {
  const { snapshotDir, outDir } = making;
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
    const superseded = await readSuperseded(database, scratch);
    await using reused = find && (await find(database, trials));
    if (reused === null) await showAllTrials(database);
    await writeStates(database, join(outDir, STATES_FILE));
    await writeFile(join(outDir, TERMINOLOGY_FILE), making.terminology);
    const sums = await writeImage({ ...making, database, scratch, trials, superseded, reused, effects });
    await writeSignalFiles(database, snapshotDir, outDir);
    effects.checkpoint('serving-signals-written');
    return sums;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface ImageParts extends Making {
  database: Database;
  scratch: string;
  trials: number;
  superseded: SupersededRecords;
  reused: Reused | null;
  effects: Effects;
}

async function writeImage(parts: ImageParts): Promise<FileSum[]> {
  const { database, reused, outDir, trials, topics, snapshotDir, effects } = parts;
  await using terms = await beginTerms(parts);
  const sponsors = await Sponsors.load(database);
  const rows = new RowGatherer(trials, sponsors);
  const ids = new IdGatherer();
  // Payloads are read before anything is sorted: both at once do not fit into SORT_MEMORY.
  const gap = new ResultsGapWriter(
    reused === null ? { rows: [], states: await unpostedStates(database, snapshotDir) } : await reused.gap(),
  );
  const terminology = readTerminology(parts.terminology);
  const topicReader = new TopicReader(topics, terminology);
  await using documents = reused?.documents ?? new DocumentWriter(outDir);
  const { sums: written } = await handDocuments(parts, documents, (trial) => {
    terms.refuseFailed();
    rows.add(trial);
    ids.add(trial, parts.superseded.get(trial.trial.canonical_id));
    if (!trial.registrations.some(isGapRow)) return;
    gap.add(trial, topicReader.read(trial.registrations.map(statementsOf)));
  });
  reused?.copyRows(rows, sponsors);
  rows.write(join(outDir, ROWS_FILE));
  sponsors.write(join(outDir, SPONSORS_FILE));
  ids.write(join(outDir, IDS_FILE), reused?.ids() ?? null);
  writeTopics(join(outDir, TOPICS_FILE), topics);
  gap.write(
    outDir,
    topics,
    terminology.sources.map(({ id, name, year, licence }) => ({ id, name, year, licence })),
  );
  const sums = await written;
  effects.checkpoint('serving-documents-written');
  await terms.done();
  effects.progress({ stage: 'publish', label: parts.label, done: trials, total: trials, unit: 'trials' });
  effects.checkpoint('serving-image-written');
  return sums;
}

function statementsOf({ common, own }: RegistrationRow): ConceptStatements {
  const { title, acronym, officialTitle, conditions, interventions } = common;
  return {
    ...{ title, acronym, conditions, official_title: officialTitle, keywords: own.keywords },
    interventions: interventions.map(({ otherNames, ...one }) => ({ ...one, other_names: otherNames })),
    condition_mesh: own.conditionMesh,
    condition_mesh_ancestors: own.conditionMeshAncestors,
    intervention_mesh: own.interventionMesh,
    intervention_mesh_ancestors: own.interventionMeshAncestors,
  };
}

async function beginTerms({ database, reused, scratch, ...making }: ImageParts): Promise<TermsUnderWay> {
  const { outDir, trials, topics, terminology, maker, commonTermRows, snapshotDir } = making;
  const terms = { outDir, scratch, trials, topics, terminology, maker, commonTermRows };
  if (trials < making.workerFromTrials) return termsAfterwards(database, terms, reused?.terms ?? null);
  return termsByWorker(database, { making: terms, snapshotDir }, reused?.termWorker ?? null);
}

/**
 * Gives the documents of all trials in row order to `documents` and calls `handOver` for each trial that is not reused. Returns the sums
 * of the files, which may be on their way to the disk.
 */
async function handDocuments(
  { database, reused, scratch, trials, superseded, effects, label }: ImageParts,
  documents: DocumentWriter | ReusedDocuments,
  handOver: (trial: TrialParts) => void,
): Promise<{ sums: Promise<FileSum[]> }> {
  const progress = (done: number): void =>
    effects.progress({ stage: 'publish', label, done, total: trials, unit: 'trials' });
  const runs = reused?.runs ?? [];
  let nextRun = 0;
  let rows = 0;
  let told = 0;
  const copyUpTo = async (row: number): Promise<void> => {
    for (let run = runs[nextRun]; run !== undefined && run.to < row; run = runs[++nextRun]) {
      await reused?.documents.copy(run);
      rows += run.length;
    }
    if (rows !== row) throw new Error(`the trial stream gave row ${row}, expected row ${rows}`);
  };
  progress(0);
  for await (const trial of streamTrials(database, scratch)) {
    await copyUpTo(trial.row);
    handOver(trial);
    const former = presentSuperseded(superseded.get(trial.trial.canonical_id));
    await documents.add({ ...presentTrial(trial), superseded: former });
    rows += 1;
    if (rows - told < PROGRESS_EVERY) continue;
    told = rows;
    progress(told);
  }
  await copyUpTo(trials);
  const sums = documents.close();
  // The caller awaits it after its other files; until then a failure must not count as unhandled.
  sums.catch(() => undefined);
  return { sums };
}
