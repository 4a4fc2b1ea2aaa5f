import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RESULTS_GAP_FILE } from '../../../snapshot-format/results-gap.ts';
import {
  COMMON_TERM_ROWS_KEY,
  IDS_FILE,
  MAKER_KEY,
  ROWS_FILE,
  SERVING_IMAGE_VERSION,
  SPONSORS_FILE,
  STATES_FILE,
  TERMS_FILE,
  TOPICS_FILE,
} from '../../../snapshot-format/serving.ts';
import { COMMON_TERM_ROWS } from '../../../snapshot-format/serving-columns.ts';
import type { Effects } from '../../effects.ts';
import { Database } from '../../store/database.ts';
import type { FileSum } from '../durable.ts';
import { DocumentWriter } from './document-writer.ts';
import { IdGatherer } from './id-gatherer.ts';
import { type Inheritance, inherit, inImage } from './inheritance.ts';
import { makerOf } from './maker.ts';
import { filesAhead, filesWhenAsked, type ParentFiles } from './parent-files.ts';
import { ParentImage, type ParentSnapshot, ParentUnusable } from './parent-image.ts';
import { ParentDocuments, parentIds, takeRows } from './parent-parts.ts';
import { presentTrial } from './present-trial.ts';
import { isInGap, ResultsGapWriter, readGapRows, unpostedStates, unpostedStatesOfShown } from './results-gap-writer.ts';
import { RowGatherer } from './row-gatherer.ts';
import { writeSignalFiles } from './signal-files.ts';
import { Sponsors } from './sponsors.ts';
import { type TermsUnderWay, termsAfterwards, termsBeside } from './term-thread.ts';
import { loadTopics, type Topic, TopicMatcher, writeTopics } from './topics.ts';
import { streamTrials, type TrialParts } from './trial-parts.ts';
import { openTrialTables, showAllTrials, writeStates } from './trial-tables.ts';
import { topicsOfTrial } from './trial-terms.ts';

export interface ServingImageInputs {
  /** Holds the Parquet tables trials, registrations, identifiers, links, relations, raw and signals; nothing else is read. */
  snapshotDir: string;
  /** Made if need be; must not hold an image yet. */
  outDir: string;
  /** A snapshot from whose image what did not change is taken over; none when left out. */
  parent?: ParentSnapshot | null;
  /** The repository's reviewed topics when left out. */
  topics?: Topic[];
  /** COMMON_TERM_ROWS when left out; tests make small images with pairs. */
  commonTermRows?: number;
  /** MOST_CHANGED when left out; tests take over what is left of small corpora. */
  mostChanged?: number;
  /** THREAD_FROM when left out; tests use a thread for small corpora. */
  threadFrom?: number;
}

const PROGRESS_EVERY = 1000;
/** The sorts of all parts spill beyond this; with 700 MB they fail at 625,000 trials. The thread of the terms needs the rest. */
const SORT_MEMORY = '1000MB';
/** Part of the trials that may be new or changed for an image to be made from its parent's. */
const MOST_CHANGED = 0.1;
/** Trials from which on a thread of their own for the terms is worth its start. */
const THREAD_FROM = 20_000;

type Making = Required<Omit<ServingImageInputs, 'parent'>> & { maker: string; label: string };

/**
 * Writes the serving image (snapshot-format/serving.ts) of a snapshot's tables. The same tables give the same bytes,
 * whether what did not change is taken over from the parent's image or not; where that cannot be used the image is made
 * whole, and progress says why. Documents are streamed on the caller's thread; the terms, which are as much work, are made on
 * another one where there are many trials, and the parent's documents are read and checked on a third. Postings, sequences,
 * columns and ids are gathered in flat arrays (about 1.5 GB at 600,000 trials). Returns the sums of files that were hashed as
 * they were written, by paths in the image. Fails when a table is missing or the tables contradict each other, or when the
 * thread fails.
 */
export async function buildServingImage(
  inputs: ServingImageInputs,
  effects: Effects,
): Promise<{ imageVersion: number; sums: FileSum[] }> {
  const { snapshotDir, outDir, parent = null } = inputs;
  const { commonTermRows = COMMON_TERM_ROWS, mostChanged = MOST_CHANGED, threadFrom = THREAD_FROM } = inputs;
  const topics = inputs.topics ?? (await loadTopics());
  const making = { snapshotDir, outDir, topics, commonTermRows, mostChanged, threadFrom, maker: await makerOf(topics) };
  const made = await unlessUnusable(async () => {
    if (parent === null) throw new ParentUnusable('no parent was given');
    return make({ ...making, label: "serving image from the parent's" }, parent, effects);
  });
  const sums =
    typeof made === 'string' ? await make({ ...making, label: `serving image, whole: ${made}` }, null, effects) : made;
  return { imageVersion: SERVING_IMAGE_VERSION, sums };
}

/** What the work gave, or why the parent could not be used. */
async function unlessUnusable<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ParentUnusable) return error.message;
    throw error;
  }
}

/**
 * Makes the image, from the parent's where one is given; removes what an attempt before it left. Returns the sums of the
 * documents.
 */
async function make(making: Making, parent: ParentSnapshot | null, effects: Effects): Promise<FileSum[]> {
  const { snapshotDir, outDir } = making;
  const scratch = `${outDir}.scratch`;
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch);
  if (parent !== null) refuseOtherMaker(parent, making);
  try {
    await using database = await Database.open(':memory:', {
      memoryLimit: SORT_MEMORY,
      spillTo: join(scratch, 'serving'),
    });
    const trials = await openTrialTables(database, snapshotDir);
    // From here on its first files are read on a thread while it is found out what they give.
    await using files = parent && (trials < making.threadFrom ? filesWhenAsked(parent) : filesAhead(parent));
    await writeStates(database, join(outDir, STATES_FILE));
    const inheritance =
      parent === null ? null : await inherit(database, { parent, trials, mostShown: making.mostChanged });
    if (inheritance === null) await showAllTrials(database);
    const sums = await writeImage({ ...making, database, scratch, trials, parent, files, inheritance, effects });
    await writeSignalFiles(database, snapshotDir, outDir);
    effects.checkpoint('serving-signals-written');
    return sums;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** An image of other code, other topics or other common terms has nothing to give. */
function refuseOtherMaker(parent: ParentSnapshot, { maker, commonTermRows }: Making): void {
  if (parent.imageVersion !== SERVING_IMAGE_VERSION) {
    throw new ParentUnusable(`the parent's image has version ${parent.imageVersion}`);
  }
  const { metadata } = new ParentImage(parent).table(inImage(TERMS_FILE)).schema;
  if (metadata.get(MAKER_KEY) !== maker || metadata.get(COMMON_TERM_ROWS_KEY) !== String(commonTermRows)) {
    throw new ParentUnusable('the parent was made by other code, with other topics or with other common terms');
  }
}

interface ImageParts extends Making {
  database: Database;
  scratch: string;
  trials: number;
  parent: ParentSnapshot | null;
  /** The parent's documents. */
  files: ParentFiles | null;
  inheritance: Inheritance | null;
  effects: Effects;
}

async function writeImage(parts: ImageParts): Promise<FileSum[]> {
  const { database, inheritance, outDir, trials, topics, effects } = parts;
  await using terms = await beginTerms(parts);
  const sponsors = await Sponsors.load(database);
  const rows = new RowGatherer(trials, sponsors);
  const ids = new IdGatherer();
  const gap = await gapWriter(parts);
  const matcher = new TopicMatcher(topics);
  const sums = await writeDocuments(parts, (trial) => {
    terms.refuseFailed();
    rows.add(trial);
    ids.add(trial);
    if (trial.registrations.some(isInGap))
      gap.add(
        trial,
        topicsOfTrial(
          matcher,
          trial.registrations.map(({ common }) => common),
        ),
      );
  });
  effects.checkpoint('serving-documents-written');
  if (inheritance !== null) takeRows(inheritance, sponsors, rows);
  rows.write(join(outDir, ROWS_FILE));
  sponsors.write(join(outDir, SPONSORS_FILE));
  ids.write(join(outDir, IDS_FILE), inheritance === null ? null : parentIds(inheritance));
  writeTopics(join(outDir, TOPICS_FILE), topics);
  gap.write(
    outDir,
    topics.map(({ id }) => id),
  );
  await terms.done();
  effects.checkpoint('serving-image-written');
  return sums;
}

async function beginTerms({ database, inheritance, parent, scratch, ...making }: ImageParts): Promise<TermsUnderWay> {
  const { outDir, trials, topics, maker, commonTermRows, snapshotDir } = making;
  const terms = { outDir, trials, topics, maker, commonTermRows };
  if (trials < making.threadFrom) return termsAfterwards(database, terms, inheritance);
  const inherited =
    inheritance === null || parent === null ? null : { parent, runs: inheritance.runs, rowMap: inheritance.rowMap };
  return termsBeside(database, { making: terms, snapshotDir, scratch, inherited });
}

/** Writes the documents of all trials in row order; hands over each that is not taken from the parent's image. Returns their sums. */
async function writeDocuments(
  { database, inheritance, files, outDir, trials, effects, label }: ImageParts,
  handOver: (trial: TrialParts) => void,
): Promise<FileSum[]> {
  const progress = (done: number): void =>
    effects.progress({ stage: 'publish', label, done, total: trials, unit: 'trials' });
  await using documents = new DocumentWriter(outDir);
  const copied = files && new ParentDocuments(files);
  const runs = inheritance?.runs ?? [];
  let nextRun = 0;
  let told = 0;
  const copyUpTo = async (row: number): Promise<void> => {
    for (let run = runs[nextRun]; run !== undefined && run.to < row; run = runs[++nextRun])
      await copied?.copy(run, documents);
    if (documents.rows !== row) throw new Error(`the trial stream gave row ${row} where ${documents.rows} was next`);
  };
  progress(0);
  for await (const trial of streamTrials(database)) {
    await copyUpTo(trial.row);
    handOver(trial);
    documents.add(presentTrial(trial));
    if (documents.rows - told < PROGRESS_EVERY) continue;
    told = documents.rows;
    progress(told);
  }
  await copyUpTo(trials);
  const sums = await documents.close();
  progress(trials);
  return sums;
}

/** Reads what the records say before anything is sorted: both beside each other do not fit into SORT_MEMORY. */
async function gapWriter({ database, snapshotDir, inheritance }: ImageParts): Promise<ResultsGapWriter> {
  if (inheritance === null) return new ResultsGapWriter(await unpostedStates(database, snapshotDir));
  const { image, gone } = inheritance;
  const held = readGapRows(image.table(inImage(RESULTS_GAP_FILE)));
  const states = await unpostedStatesOfShown(database, snapshotDir, { held, parent: image });
  return new ResultsGapWriter(
    states,
    held.filter(({ canonicalId }) => !gone.has(canonicalId)),
  );
}
