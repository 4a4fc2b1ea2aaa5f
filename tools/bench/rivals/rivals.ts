import { chmod, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { openSnapshotImage, type SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { CURRENT_FILE } from '../../../snapshot/format/versions/current-file.ts';
import { type HttpLoad, type Latency, measureHttp } from '../latency.ts';
import { scratchFolder, startMeasuredServer } from '../process.ts';
import { drawQueries, type Queries, searchPaths } from '../queries.ts';
import { machine, note } from '../report.ts';
import type { Rival } from './answers.ts';
import { type Comparison, compare, timed, WORKS } from './measure.ts';
import { QUESTIONS, servingBytes } from './ours.ts';
import { openDuckDb } from './store/duckdb-rival.ts';
import { type FoldedCorpus, writeFoldedCorpus } from './store/folded-corpus.ts';
import { loadPostgres } from './store/postgres-rival.ts';
import { loadSqlite } from './store/sqlite-rival.ts';

/** Compares the index with alternatives: same corpus, same queries, and answers are checked before they are timed. */

/** Loads a rival into a directory; a text says why it is not available here. */
type Loader = (corpus: FoldedCorpus, dir: string) => Promise<Rival | string>;
const LOADERS: Record<string, Loader> = { postgres: loadPostgres, sqlite: loadSqlite, duckdb: openDuckDb };
export const RIVALS = Object.keys(LOADERS);

export interface RivalsOptions {
  /** Of RIVALS; all when left out. */
  only?: string[];
  /** Seconds for checking, and again for timing, one kind of question with one engine. */
  seconds: number;
  /** Gets a text about the current work; default standard error. */
  progress?: (text: string) => void;
}

export interface RivalReport {
  name: string;
  how: string;
  loadSeconds: number;
  bytesOnDisk: number;
  /** Median of an empty statement, ms: included in each of its figures. Null for an engine in this process. */
  roundTripMs: number | null;
  works: Record<string, Comparison>;
}

export interface RivalsResults {
  machine: ReturnType<typeof machine>;
  snapshot: string;
  trials: number;
  /** Folding the published tables' texts once for all rivals: in no rival's load time. */
  foldSeconds: number;
  ours: {
    bytesOnDisk: number;
    works: Record<string, Latency>;
    /** Over HTTP, warm, one connection, one request at a time. */
    overHttp: Record<string, HttpLoad>;
  };
  rivals: RivalReport[];
  /** Why an engine is not in the comparison: not installed, or what went wrong. */
  skipped: Record<string, string>;
}

/** Compares over a published snapshot with its serving image. Working files go to a scratch folder. */
export async function measureRivals(
  snapshotDir: string,
  { only, seconds, progress = note }: RivalsOptions,
): Promise<RivalsResults> {
  await using scratch = await scratchFolder('rivals');
  const root = scratch.path;
  const image = openSnapshotImage(resolve(snapshotDir));
  try {
    // PostgreSQL runs as another user, who must be able to reach its own directory in here.
    await chmod(root, 0o711);
    const queries = drawQueries(image);
    progress('folding the texts');
    const started = performance.now();
    const corpus = await writeFoldedCorpus(image.directory, root);
    const foldSeconds = (performance.now() - started) / 1000;
    if (corpus.trials !== image.trials) {
      throw new Error(`${image.trials} trials in the image, but ${corpus.trials} in the tables`);
    }
    const rivals: RivalReport[] = [];
    const skipped: Record<string, string> = {};
    for (const name of only ?? RIVALS) {
      // A fault of one engine is reported in its place and does not affect the figures of the others.
      const found = await compareWith(image, LOADERS[name]!, { name, corpus, root, queries, seconds, progress }).catch(
        (error: unknown) => `it failed: ${error instanceof Error ? error.message : String(error)}`,
      );
      if (typeof found !== 'string') rivals.push(found);
      else {
        skipped[name] = found;
        progress(`${name} is left out: ${found}`);
      }
    }
    progress('asking ours, in process and over HTTP');
    const ours = await measureOurs(image, queries, seconds);
    const overHttp = await measureOverHttp(image.directory, root, queries, seconds);
    return {
      ...{ machine: machine(), snapshot: image.version, trials: image.trials, foldSeconds },
      ...{ ours: { bytesOnDisk: servingBytes(image.directory), works: ours, overHttp }, rivals, skipped },
    };
  } finally {
    image.release();
  }
}

interface Setting {
  name: string;
  corpus: FoldedCorpus;
  root: string;
  queries: Queries;
  seconds: number;
  progress: (text: string) => void;
}

async function compareWith(
  image: SnapshotImage,
  load: Loader,
  { name, corpus, root, queries, seconds, progress }: Setting,
): Promise<RivalReport | string> {
  progress(`loading ${name}`);
  const loaded = await load(corpus, root);
  if (typeof loaded === 'string') return loaded;
  await using rival = loaded;
  const works: Record<string, Comparison> = {};
  for (const work of Object.keys(WORKS)) {
    progress(`asking ${name}: ${work}`);
    works[work] = await compare(image, rival, work, { queries, seconds });
  }
  const trips = rival.roundTrip === undefined ? null : await timed([rival], seconds, (one) => one.roundTrip?.());
  const { how, loadSeconds } = rival;
  const [bytesOnDisk, roundTripMs] = [await rival.bytesOnDisk(), trips?.p50Ms ?? null];
  return { name: rival.name, how, loadSeconds, bytesOnDisk, roundTripMs, works };
}

async function measureOurs(image: SnapshotImage, queries: Queries, seconds: number): Promise<Record<string, Latency>> {
  const works: Record<string, Latency> = {};
  for (const [work, { kind, question }] of Object.entries(WORKS)) {
    works[work] = await timed(queries[kind], seconds, (q) => QUESTIONS[question].ours(image, q));
  }
  return works;
}

async function measureOverHttp(
  snapshotDir: string,
  root: string,
  queries: Queries,
  seconds: number,
): Promise<Record<string, HttpLoad>> {
  // The server serves what CURRENT names, which need not be the snapshot asked for.
  await symlink(snapshotDir, join(root, basename(snapshotDir)));
  await writeFile(join(root, CURRENT_FILE), `${basename(snapshotDir)}\n`);
  const environment = { SNAPSHOTS_DIR: root, DATA_DIR: join(root, 'data'), LOG_LEVEL: 'info' };
  await using server = await startMeasuredServer('index-server/main.ts', environment);
  const results: Record<string, HttpLoad> = {};
  await measureHttp(server.url, searchPaths(queries.mixed), 1, seconds);
  for (const [work, { kind, question }] of Object.entries(WORKS)) {
    // A whole landscape does far more than a status mix.
    if (question === 'statuses') continue;
    const paths = queries[kind].map((q) => `/api/v1/trials/${question}?q=${encodeURIComponent(q)}`);
    results[work] = await measureHttp(server.url, paths, 1, seconds);
  }
  return results;
}
