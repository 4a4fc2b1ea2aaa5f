import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { scratchFolder } from '../process.ts';
import { machine, note, writeResults } from '../report.ts';
import { prepareCorpus } from './corpus.ts';
import { IndexMeasures } from './index-server.ts';
import { boardRows, rivalRows } from './other-benches.ts';
import { currentVersion, dayRows, diffRows, makeWorkspace, runPipeline, verifyRows } from './pipeline.ts';
import { type FullResults, type Row, table } from './rows.ts';

export const FULL_HELP = `       npm run bench -- full [--percent 100] [--seed 1] [--seconds 5] [--corpus DIR] [--skip STEP,...] [--keep] [--json]

Every target of full scale with its measured value: the pipeline over 600,000 ClinicalTrials.gov and 29,000 ISRCTN
registrations (or a percentage of them), a day's change, diff and verify, the index server, searches in it and over HTTP, the
board and every read of a filled one, the rivals. --corpus keeps the dumps in a folder and reuses a dump with the same
parameters. If a step fails, that is reported and the others still run. Without a name, the same at 5 per cent.
Steps for --skip: verify, day, diff, start, in-server, http, payloads, board, rivals.
`;

const STEPS = ['verify', 'day', 'diff', 'start', 'in-server', 'http', 'payloads', 'board', 'rivals'] as const;
type Step = (typeof STEPS)[number];

/** Registrations of the whole registries. */
const WHOLE = { ctgov: 600_000, isrctn: 29_000 };
/** Smallest percentage: a smaller corpus has too few words to draw queries from. */
const PERCENT_MIN = 0.05;
/** Events of the board's feed at the whole size. With fewer than the least, a filled board lacks rows of some kinds. */
const WHOLE_EVENTS = 1_000_000;
const EVENTS_MIN = 10_000;

export interface FullOptions {
  /** Of the whole registries. */
  percent: number;
  seed: number;
  /** Duration of each load over HTTP. */
  seconds: number;
  /** Folder in which dumps are kept from run to run; null for one that is removed after the run. */
  corpus: string | null;
  skip: Step[];
  keep: boolean;
  json: boolean;
}

/** Throws RangeError with a text for the terminal when an option is invalid. */
export function readFullWords(words: { percent: string; skip: string }): Pick<FullOptions, 'percent' | 'skip'> {
  const percent = Number(words.percent);
  if (!(percent >= PERCENT_MIN && percent <= 100))
    throw new RangeError(`--percent takes percentages from ${PERCENT_MIN} to 100`);
  const names = words.skip.split(',').filter((name) => name !== '');
  const skip = names.map((name) => {
    const step = STEPS.find((known) => known === name);
    if (step === undefined) throw new RangeError(`--skip knows no step ${name}; there are ${STEPS.join(', ')}`);
    return step;
  });
  return { percent, skip };
}

/** Exit code 1 if the pipeline failed: then hardly anything was measured. */
export async function benchFull(options: FullOptions): Promise<void> {
  await using scratch = await scratchFolder('full');
  if (options.keep) {
    scratch.keep();
    note(`keeping ${scratch.path}`);
  }
  const { percent, seed } = options;
  const run = new FullRun(options, {
    machine: machine(),
    startedAt: new Date().toISOString(),
    percent,
    seed,
    rows: [],
    failures: [],
  });
  await run.overCorpus(scratch.path);
  await run.overBoard();
  const { results } = run;
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : table(results));
  if (results.failures.some(({ step }) => step === 'pipeline')) process.exitCode = 1;
}

/** Runs the steps in their order. A step that fails is recorded with its reason, and the others continue. */
class FullRun {
  readonly results: FullResults;
  readonly #options: FullOptions;

  constructor(options: FullOptions, results: FullResults) {
    this.#options = options;
    this.results = results;
  }

  async #step(name: Step | 'pipeline', work: () => Promise<Row[]>): Promise<void> {
    if (this.#options.skip.some((skipped) => skipped === name)) return;
    note(name);
    try {
      this.results.rows.push(...(await work()));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.results.failures.push({ step: name, reason });
      process.stderr.write(`${name} failed: ${reason}\n`);
    }
    // A run that is ended early keeps its results.
    await writeResults(`full-${this.#options.percent}-${this.#options.seed}`, this.results);
  }

  async overCorpus(root: string): Promise<void> {
    const { corpus, seed, percent, seconds, skip } = this.#options;
    const parent = corpus === null ? join(root, 'corpus') : resolve(corpus);
    await mkdir(parent, { recursive: true });
    const share = (count: number): number => Math.round((count * percent) / 100);
    const dump = await prepareCorpus(parent, { seed, ctgov: share(WHOLE.ctgov), isrctn: share(WHOLE.isrctn) });
    const workspace = await makeWorkspace(join(root, 'whole'));
    await this.#step('pipeline', () => runPipeline(workspace, dump));
    if (this.results.failures.length > 0) return;
    const first = await currentVersion(workspace);
    const index = new IndexMeasures(workspace, snapshotPath(workspace.snapshotsDir, first), seconds);
    await this.#step('verify', () => verifyRows(workspace));
    await this.#step('start', () => index.start());
    await this.#step('in-server', () => index.inServer());
    await this.#step('http', () => index.overHttp());
    await this.#step('payloads', () => index.payloads());
    await this.#step('rivals', () => rivalRows(snapshotPath(workspace.snapshotsDir, first), seconds));
    await this.#step('day', () => dayRows(workspace, dump));
    if (!skip.includes('day')) await this.#step('diff', () => diffRows(workspace, first));
  }

  async overBoard(): Promise<void> {
    const { percent, seconds } = this.#options;
    const events = Math.max(EVENTS_MIN, Math.round((WHOLE_EVENTS * percent) / 100));
    await this.#step('board', () => boardRows(events, seconds));
  }
}
