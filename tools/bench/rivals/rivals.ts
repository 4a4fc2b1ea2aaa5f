import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openSnapshotImage, type SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { CURRENT_FILE } from '../../../snapshot/format/versions/current-file.ts';
import { pathOf } from '../../cluster/programs.ts';
import { type HttpLoad, type Latency, latencyOf, measureHttp } from '../latency.ts';
import { scratchFolder, startMeasuredServer } from '../process.ts';
import { drawQueries, type Queries, type QueryKind } from '../queries.ts';
import { machine, note } from '../report.ts';
import type { Engine, Question } from './engine.ts';
import { askOurs, ourAnswer, servingBytes } from './ours.ts';
import { loadPostgres } from './postgres.ts';
import { loadSqlite } from './sqlite.ts';

/** Compares the index with alternatives: same corpus, same queries, and answers are compared before they are timed. */

const LOADERS = { postgres: loadPostgres, sqlite: loadSqlite };
export type RivalName = keyof typeof LOADERS;
export const RIVALS = Object.keys(LOADERS) as RivalName[];

/** The questions, by the name under which they are reported. */
const WORKS: Record<string, { kind: QueryKind; question: Question }> = {
  'search, rare': { kind: 'rare', question: 'search' },
  'search, common': { kind: 'common', question: 'search' },
  'search, mixed': { kind: 'mixed', question: 'search' },
  'coverage counts, mixed': { kind: 'mixed', question: 'coverage' },
  'status mix, mixed': { kind: 'mixed', question: 'statuses' },
};

export interface Comparison {
  /** Number of different queries whose answers were compared; fewer than there are when an engine takes too long. */
  asked: number;
  /** Texts on the queries whose answers differ. */
  differing: string[];
  theirs: Latency;
  /** Ours in process over the same queries. */
  ours: Latency;
  /** Ours over HTTP, warm, one connection; null for a question that HTTP does not have as such. */
  overHttp: HttpLoad | null;
}

export type RivalReport = Pick<Engine, 'name' | 'how' | 'loadSeconds' | 'bytesOnDisk'> & {
  works: Record<string, Comparison>;
};

export interface RivalsResults {
  machine: ReturnType<typeof machine>;
  snapshot: string;
  trials: number;
  /** Of our serving image. */
  bytesOnDisk: number;
  rivals: RivalReport[];
  /** Why an engine is not in the comparison. */
  skipped: Record<string, string>;
}

/** Compares over a published snapshot. `seconds`: for comparing, and again for timing, one kind of question. */
export async function measureRivals(
  snapshotDir: string,
  { only, seconds }: { only: readonly RivalName[]; seconds: number },
): Promise<RivalsResults> {
  await using scratch = await scratchFolder('rivals');
  // PostgreSQL runs as another user, who must be able to reach its own directory in here.
  await chmod(scratch.path, 0o711);
  const image = openSnapshotImage(resolve(snapshotDir));
  try {
    const queries = drawQueries(image);
    const overHttp = await measureOverHttp(image.directory, scratch.path, queries, seconds);
    const results: RivalsResults = {
      machine: machine(),
      snapshot: image.version,
      trials: image.trials,
      bytesOnDisk: servingBytes(image.directory),
      rivals: [],
      skipped: {},
    };
    for (const name of only) {
      if (name === 'postgres' && !existsSync(pathOf('postgres'))) {
        results.skipped[name] = `there is no ${pathOf('postgres')}`;
        continue;
      }
      note(`loading ${name}`);
      const folder = join(scratch.path, name);
      await mkdir(folder);
      await chmod(folder, 0o711);
      await using engine = await LOADERS[name](image.directory, folder);
      results.rivals.push(await compareWith(image, engine, { queries, seconds, overHttp }));
    }
    return results;
  } finally {
    image.release();
  }
}

async function compareWith(
  image: SnapshotImage,
  engine: Engine,
  { queries, seconds, overHttp }: { queries: Queries; seconds: number; overHttp: Record<string, HttpLoad> },
): Promise<RivalReport> {
  const works: Record<string, Comparison> = {};
  for (const [work, { kind, question }] of Object.entries(WORKS)) {
    note(`asking ${engine.name}: ${work}`);
    const asked: string[] = [];
    const differing: string[] = [];
    const deadline = performance.now() + seconds * 1000;
    for (const q of inFairOrder(queries[kind])) {
      if (asked.length >= CALLS_MIN && performance.now() > deadline) break;
      asked.push(q);
      const [theirs, ours] = [await engine.ask(question, q), ourAnswer(image, question, q)];
      if (!isDeepStrictEqual({ ...theirs }, { ...ours }))
        differing.push(`${q}: ${JSON.stringify(theirs)}, ours ${JSON.stringify(ours)}`);
    }
    works[work] = {
      asked: asked.length,
      differing,
      theirs: await timed(asked, seconds, (q) => engine.ask(question, q)),
      ours: await timed(asked, seconds, (q) => askOurs(image, question, q)),
      overHttp: overHttp[work] ?? null,
    };
  }
  const { name, how, loadSeconds, bytesOnDisk } = engine;
  return { name, how, loadSeconds, bytesOnDisk, works };
}

/** Coprime to the number of queries and to the cycle of their forms, so that any prefix of the order has all forms. */
const STRIDE = 67;

/** The different queries of a kind, in an order whose every prefix is a fair sample. */
function inFairOrder(queries: readonly string[]): string[] {
  return [...new Set(queries.map((_, place) => queries[(place * STRIDE) % queries.length] as string))];
}

/** Fewest calls that are timed, however long they take. */
const CALLS_MIN = 10;
const CALLS_MAX = 20_000;

/** Times whole rounds of the queries. A synchronous answer is not awaited, because awaiting takes longer than our answers. */
async function timed(queries: readonly string[], seconds: number, ask: (q: string) => unknown): Promise<Latency> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  while (times.length < CALLS_MIN || (performance.now() < deadline && times.length < CALLS_MAX)) {
    for (const q of queries) {
      const started = performance.now();
      const answer = ask(q);
      if (answer instanceof Promise) await answer;
      times.push(performance.now() - started);
      if (times.length >= CALLS_MIN && performance.now() > deadline) break;
    }
  }
  return latencyOf(times);
}

async function measureOverHttp(
  snapshotDir: string,
  root: string,
  queries: Queries,
  seconds: number,
): Promise<Record<string, HttpLoad>> {
  note('asking ours over HTTP');
  // The server serves what CURRENT names, which need not be the snapshot asked for.
  await symlink(snapshotDir, join(root, basename(snapshotDir)));
  await writeFile(join(root, CURRENT_FILE), `${basename(snapshotDir)}\n`);
  const environment = { SNAPSHOTS_DIR: root, DATA_DIR: join(root, 'data'), LOG_LEVEL: 'info' };
  await using server = await startMeasuredServer('index-server/main.ts', environment);
  const results: Record<string, HttpLoad> = {};
  for (const [work, { kind, question }] of Object.entries(WORKS)) {
    // A whole landscape does far more than a status mix.
    if (question === 'statuses') continue;
    const paths = queries[kind].map((q) => `/api/v1/trials/${question}?q=${encodeURIComponent(q)}`);
    await measureHttp(server.url, paths, 1, seconds / 5);
    results[work] = await measureHttp(server.url, paths, 1, seconds);
  }
  return results;
}
