import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version as duckdbVersion } from '@duckdb/node-api';
import { snapshotBytes } from '../../snapshot/format/versions/manifest.ts';
import {
  RUN_LOG_FILE,
  type RunBegin,
  type RunEnd,
  type RunGate,
  type RunLine,
  type RunRow,
  readRunLog,
} from '../../snapshot/format/versions/run-log.ts';
import { withBaseNames } from '../../snapshot/format/words/base-names.ts';
import type { Effects, Stop } from '../effects.ts';
import { isLocked } from '../lock.ts';
import { replaceFile } from '../publish/durable.ts';
import { programCode } from '../publish/identity/program.ts';
import type { Published } from '../publish/publish.ts';
import type { RunReport } from './run.ts';

/** Lines that are kept: more than a year of nightly runs, each with a line for its begin, its end and its five stages. */
const LINES_KEPT = 3500;
/** Bytes from which the log is looked through for lines too many. */
const COMPACT_BYTES = 8_000_000;

/** A command that is recorded, with the version of the program, and its commit where the operator names it. */
type What = Pick<RunBegin, 'command' | 'arguments'> & { version: string; commit: string | null };

export type RunOutcome = Pick<RunEnd, 'code' | 'exitCode' | 'message'>;

export type TurnedAway = Pick<RunEnd, 'code' | 'exitCode'> & { message: string };

/** What a run left, as far as it came. */
export interface RunEnding {
  rows?: RunEnd['rows'];
  published?: Published | null;
  gate?: RunGate | null;
}

/** The record of one run: a line when it has begun, one as each stage begins, and one with its outcome. A log that cannot be written stops no run. */
export class RunRecord {
  readonly #snapshotsDir: string;
  readonly #effects: Effects;
  readonly #run: string;
  readonly #stages: RunEnd['stages'] = [];
  #running: { stage: string; since: number } | null = null;

  private constructor(snapshotsDir: string, effects: Effects, run: string) {
    this.#snapshotsDir = snapshotsDir;
    this.#effects = effects;
    this.#run = run;
  }

  /** The caller holds the lock of the snapshots directory. */
  static async begin(snapshotsDir: string, what: What, effects: Effects): Promise<RunRecord> {
    const head = await headOf(what, effects);
    const record = new RunRecord(snapshotsDir, effects, head.run);
    await record.#compact();
    await record.#append({ event: 'begin', ...head });
    effects.onStop?.(record.#stop);
    return record;
  }

  /** Records a command that never began, in a directory that is there. Whoever holds the lock may write at the same time. */
  static async turnedAway(snapshotsDir: string, what: What, outcome: TurnedAway, effects: Effects): Promise<void> {
    const line: RunLine = { event: 'turned-away', ...(await headOf(what, effects)), ...outcome };
    await appendFile(join(snapshotsDir, RUN_LOG_FILE), textOf(line));
  }

  /** Runs a stage and takes its time, also of one that fails. */
  stage = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const begun = this.#effects.now();
    this.#running = { stage, since: begun.getTime() };
    await this.#append({ event: 'stage', run: this.#run, at: begun.toISOString(), stage });
    try {
      return await work();
    } finally {
      this.#endStage();
    }
  };

  #endStage(): void {
    if (this.#running === null) return;
    const { stage, since } = this.#running;
    this.#stages.push({ stage, seconds: (this.#effects.now().getTime() - since) / 1000 });
    this.#running = null;
  }

  /** Records at once that the operator stops the process, which ends after this. */
  readonly #stop = ({ signal, exitCode, goOn }: Stop): string => {
    const left = this.#stages.map(({ stage }) => stage);
    const where = this.#running === null ? 'between two stages' : `in the stage ${this.#running.stage}`;
    const kept = [
      'the raw sets and pages that were stored',
      ...(left.length > 0 ? [`what ${left.join(', ')} left`] : []),
    ];
    const message = `stopped by ${signal} ${where}; kept: ${kept.join(' and ')}. What is served is whole. To go on: ${goOn}`;
    this.#endStage();
    try {
      appendFileSync(this.#path, textOf(this.#endOf({ code: 'STOPPED', exitCode, message }, {})));
    } catch (error) {
      this.#unrecorded(error);
    }
    return message;
  };

  async end(outcome: RunOutcome, ending: RunEnding): Promise<void> {
    await this.#append(this.#endOf(outcome, ending));
  }

  #endOf(outcome: RunOutcome, { rows = null, published = null, gate = null }: RunEnding): RunLine {
    return {
      event: 'end',
      run: this.#run,
      at: this.#effects.now().toISOString(),
      ...outcome,
      stages: this.#stages,
      rows,
      published: published && publishedOf(published),
      gate,
    };
  }

  async #append(line: RunLine): Promise<void> {
    await mkdir(this.#snapshotsDir, { recursive: true });
    await appendFile(this.#path, textOf(line)).catch((error: unknown) => this.#unrecorded(error));
  }

  #unrecorded(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`the run is not recorded in ${this.#path}: ${why}\n`);
  }

  async #compact(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    if (text.length < COMPACT_BYTES) return;
    const kept = text.split('\n').slice(-LINES_KEPT).join('\n');
    await replaceFile(this.#path, `${this.#path}.tmp`, kept, this.#effects).catch(() => undefined);
  }

  get #path(): string {
    return join(this.#snapshotsDir, RUN_LOG_FILE);
  }
}

/** The runs of a directory, newest first. One that stated no end is under way while a run holds the lock, else it was killed. */
export async function runsHere(snapshotsDir: string): Promise<RunRow[]> {
  const runs = await readRunLog(snapshotsDir);
  if (!runs.some(({ state }) => state === 'open') || isLocked(snapshotsDir)) return [...runs];
  return runs.map((run) => (run.state === 'open' ? { ...run, state: 'killed' } : run));
}

/** A line that a kill had cut is ended first. */
function textOf(line: RunLine): string {
  return `\n${JSON.stringify(line)}`;
}

async function headOf(what: What, effects: Effects): Promise<Omit<RunBegin, 'event'>> {
  const at = effects.now().toISOString();
  return {
    run: `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${randomBytes(3).toString('hex')}`,
    at,
    command: what.command,
    arguments: what.arguments.map(withBaseNames),
    program: {
      version: what.version,
      commit: (await programCode(what.commit)).commit,
      node: process.version,
      duckdb: duckdbVersion(),
    },
  };
}

/** What was read, of the registries that the run asked alone. */
export function rowsOf({ fetch, normalise, dedup }: RunReport): NonNullable<RunEnd['rows']> {
  const asked = normalise.registries.filter((entry) => fetch.some(({ registry }) => registry === entry.registry));
  const read = asked.map(({ registry, state, read: count }) => [registry, state === 'answered' ? count : null]);
  return { read: Object.fromEntries(read), trials: dedup.trials };
}

/** What the gate found; null where it was not reached. */
export function gateOf(checks: RunGate['checks'], reason: string | undefined): RunGate | null {
  if (checks.length === 0) return null;
  const accepted = checks.filter(({ verdict }) => verdict === 'accepted').map(({ name }) => name);
  return { checks, accepted, reason: accepted.length === 0 ? null : (reason ?? null) };
}

function publishedOf({ checks, manifest, version }: Published): NonNullable<RunEnd['published']> {
  const verdicts: Record<string, number> = {};
  for (const { verdict } of checks) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  return { version, bytes: snapshotBytes(manifest), checks: verdicts };
}
