import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { restBefore } from '../latency.ts';
import { ROOT, scratchFolder } from '../process.ts';
import { machine, note, writeResults, writeTable } from '../report.ts';
import { type CorpusDump, prepareCorpus } from './corpus.ts';
import { writeDayChange } from './day-change.ts';
import { type InServer, searchInServer } from './in-server.ts';
import { CONNECTIONS, measureOverHttp, measureStart } from './index-servers.ts';
import { measureKeyedReads } from './keyed-reads.ts';
import { measureLoad } from './load.ts';
import { measureLimits } from './machine-limits.ts';
import { type FullOptions, sizeOf } from './options.ts';
import { measureBoard, measureBoardScale, measureRivals } from './other-benches.ts';
import type { FullResults } from './results.ts';
import {
  currentVersion,
  DAY_STAGES,
  makeRoom,
  type Room,
  runDiff,
  runStage,
  runVerify,
  STAGES,
  snapshotBytes,
} from './stages.ts';
import { Steps } from './steps.ts';
import { fullTable } from './table.ts';
import { targetRows } from './targets.ts';

/** Packages that the figures depend on. */
const PACKAGES = ['@duckdb/node-api', 'apache-arrow', 'better-sqlite3', 'h3', 'koffi', 'kysely', 'yauzl', 'zod'];
/** Events of the board's feed at the whole size. */
const WHOLE_EVENTS = 1_000_000;
const EVENTS_MIN = 1000;
/** Fewest events: with fewer, a filled board has too few rows of some kinds to read. */
const SCALE_EVENTS_MIN = 10_000;

/** Exit code 1 only when the first run of the pipeline failed: then hardly anything was measured. */
export async function benchFull(options: FullOptions): Promise<void> {
  await using scratch = await scratchFolder('full');
  if (options.keep) {
    scratch.keep();
    note(`keeping ${scratch.path}`);
  }
  const results = await emptyResults(options);
  const name = `full-${options.percent}-${options.seed}`;
  // Written after each step, so that a run that is ended early keeps its results.
  const save = async (): Promise<void> => {
    results.targets = targetRows(results);
    await writeResults(name, results);
  };
  const steps = new Steps(options.skip, save);
  results.failures = steps.failures;
  const run = new FullRun(options, scratch.path, results, steps);
  await run.go();
  await save();
  const table = fullTable(results);
  await writeTable(name, table);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : table);
  if (results.snapshot === null) process.exitCode = 1;
}

async function emptyResults({ percent, seed, seconds, loadMinutes, skip }: FullOptions): Promise<FullResults> {
  return {
    machine: machine(),
    startedAt: new Date().toISOString(),
    versions: await versions(),
    commit: await commit(),
    options: { percent, seed, seconds, loadMinutes, skip },
    corpus: null,
    stages: {},
    day: { records: null, stages: {} },
    diff: null,
    verify: null,
    snapshot: null,
    start: null,
    inServer: null,
    overHttp: null,
    keyedReads: null,
    load: null,
    board: null,
    boardScale: null,
    rivals: null,
    limits: null,
    targets: [],
    failures: [],
    skipped: skip,
  };
}

async function versions(): Promise<Record<string, string>> {
  const text = await readFile(join(ROOT, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  const found = PACKAGES.flatMap((name) => (dependencies[name] ? [[name, dependencies[name]] as const] : []));
  return { node: process.version, ...Object.fromEntries(found) };
}

async function commit(): Promise<string | null> {
  const git = async (...words: string[]): Promise<string> =>
    (await promisify(execFile)('git', words, { cwd: ROOT })).stdout.trim();
  try {
    const head = await git('rev-parse', 'HEAD');
    return (await git('status', '--porcelain')) === '' ? head : `${head}-dirty`;
  } catch {
    return null;
  }
}

/** The steps of one run in their order; each writes its results. */
class FullRun {
  readonly #options: FullOptions;
  readonly #root: string;
  readonly #results: FullResults;
  readonly #steps: Steps;
  #found: InServer | null = null;

  constructor(options: FullOptions, root: string, results: FullResults, steps: Steps) {
    this.#options = options;
    this.#root = root;
    this.#results = results;
    this.#steps = steps;
  }

  async go(): Promise<void> {
    const { percent, seconds } = this.#options;
    const results = this.#results;
    const dump = await this.#corpus(percent);
    if (dump !== null) {
      const { facts, rawBytes, madeInSeconds } = dump;
      const diskBytes = facts.files.ctgov.bytes + facts.files.isrctn.bytes;
      results.corpus = { ...facts, rawBytes, diskBytes, madeInSeconds };
      const room = await makeRoom(join(this.#root, 'whole'), this.#options.seed);
      if (await this.#pipeline(room, dump)) await this.#measure(room, dump);
    }
    const events = Math.round((WHOLE_EVENTS * percent) / 100);
    await this.#steps.run('board', async () => {
      results.board = await measureBoard(Math.max(EVENTS_MIN, events), seconds);
    });
    await this.#steps.run('board-scale', async () => {
      results.boardScale = await measureBoardScale(Math.max(SCALE_EVENTS_MIN, events), seconds);
    });
    await this.#steps.run('limits', async () => {
      results.limits = await measureLimits(seconds, results.overHttp?.steady.offeredPerSecond ?? null);
    });
  }

  async #corpus(percent: number): Promise<CorpusDump | null> {
    const { corpus, seed } = this.#options;
    const parent = corpus === null ? join(this.#root, 'corpus') : resolve(corpus);
    let dump: CorpusDump | null = null;
    await this.#steps.run('corpus', async () => {
      await mkdir(parent, { recursive: true });
      dump = await prepareCorpus(parent, { seed, ...sizeOf(percent) });
    });
    return dump;
  }

  /** The stages one after the other, until one fails. */
  async #pipeline(room: Room, dump: CorpusDump): Promise<boolean> {
    for (const stage of STAGES) {
      const done = await this.#steps.run(stage, async () => {
        this.#results.stages[stage] = await runStage(stage, room, dump);
        if (stage === 'publish') this.#results.snapshot = await snapshotBytes(room);
      });
      if (!done) return false;
    }
    return true;
  }

  /** Steps that use the published snapshot. The day's change comes last, before only the steps that need two snapshots. */
  async #measure(room: Room, dump: CorpusDump): Promise<void> {
    const { seconds, loadMinutes } = this.#options;
    const [results, steps] = [this.#results, this.#steps];
    const first = await currentVersion(room);
    await steps.run('start', async () => {
      results.start = await measureStart(room);
    });
    await this.#inServer(room);
    await steps.run('http', async () => {
      results.overHttp = await measureOverHttp(room, this.#drawn(), seconds);
    });
    await steps.run('keyed-reads', async () => {
      results.keyedReads = await measureKeyedReads(room, this.#drawn(), { seconds, connections: CONNECTIONS });
    });
    await steps.run('rivals', async () => {
      results.rivals = await measureRivals(snapshotPath(room.snapshotsDir, first), seconds);
    });
    await steps.run('verify', async () => {
      results.verify = await runVerify(room);
    });
    await steps.run('day', async () => {
      results.day.records = await writeDayChange(room.dataDir, dump.facts);
      // A nightly run has hours of rest before it.
      await restBefore(seconds);
      for (const stage of DAY_STAGES) results.day.stages[stage] = await runStage(stage, room, dump);
    });
    const second = await currentVersion(room);
    const both = (): void => {
      if (second === first) throw new Error("it needs the snapshot of the day's change, which was not made");
    };
    await steps.run('diff', async () => {
      both();
      results.diff = await runDiff(room, first, second);
    });
    await steps.run('load', async () => {
      both();
      results.load = await measureLoad(room, [first, second], this.#drawn(), { minutes: loadMinutes, seconds });
    });
  }

  /** Also draws the queries that every later step asks. */
  async #inServer(room: Room): Promise<void> {
    const step = this.#steps.skips('in-server') ? 'queries' : 'in-server';
    await this.#steps.run(step, async () => {
      const { queries, ids, ...figures } = await searchInServer(room);
      this.#found = { queries, ids, ...figures };
      if (step === 'in-server') this.#results.inServer = figures;
    });
  }

  #drawn(): InServer {
    if (this.#found === null) throw new Error('it needs the queries of the in-server step, which failed');
    return this.#found;
  }
}
