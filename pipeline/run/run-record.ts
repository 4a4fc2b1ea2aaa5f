import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { version as duckdbVersion } from '@duckdb/node-api';
import { withBaseNames } from '../../snapshot-format/base-names.ts';
import { snapshotBytes } from '../../snapshot-format/manifest.ts';
import { RUN_LOG_FILE, type RunBegin, type RunEnd, type RunGate, type RunLine } from '../../snapshot-format/run-log.ts';
import type { Effects } from '../effects.ts';
import { replaceFile } from '../publish/durable.ts';
import type { Published } from '../publish/publish.ts';
import type { RunReport } from './run.ts';

/** Lines that are kept: more than a year of nightly runs. */
const LINES_KEPT = 1000;
/** Bytes from which the log is looked through for lines too many. */
const COMPACT_BYTES = 8_000_000;

export type RunOutcome = Pick<RunEnd, 'code' | 'exitCode' | 'message'>;

/** What a run left, as far as it came. */
export interface RunEnding {
  rows?: RunEnd['rows'];
  published?: Published | null;
  gate?: RunGate | null;
}

/** The record of one run: a line when it has begun, and one with its outcome. A log that cannot be written stops no run. */
export class RunRecord {
  readonly #snapshotsDir: string;
  readonly #effects: Effects;
  readonly #run: string;
  readonly #stages: RunEnd['stages'] = [];

  private constructor(snapshotsDir: string, effects: Effects, run: string) {
    this.#snapshotsDir = snapshotsDir;
    this.#effects = effects;
    this.#run = run;
  }

  /** The caller holds the lock of the snapshots directory. */
  static async begin(
    snapshotsDir: string,
    what: Pick<RunBegin, 'command' | 'arguments'> & { version: string },
    effects: Effects,
  ): Promise<RunRecord> {
    const at = effects.now().toISOString();
    const run = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${randomBytes(3).toString('hex')}`;
    const record = new RunRecord(snapshotsDir, effects, run);
    await record.#compact();
    await record.#append({
      event: 'begin',
      run,
      at,
      command: what.command,
      arguments: what.arguments.map(withBaseNames),
      program: { version: what.version, commit: await commit(), node: process.version, duckdb: duckdbVersion() },
    });
    return record;
  }

  /** Runs a stage and takes its time, also of one that fails. */
  stage = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const started = this.#effects.now().getTime();
    try {
      return await work();
    } finally {
      this.#stages.push({ stage, seconds: (this.#effects.now().getTime() - started) / 1000 });
    }
  };

  async end(outcome: RunOutcome, { rows = null, published = null, gate = null }: RunEnding): Promise<void> {
    await this.#append({
      event: 'end',
      run: this.#run,
      at: this.#effects.now().toISOString(),
      ...outcome,
      stages: this.#stages,
      rows,
      published: published && publishedOf(published),
      gate,
    });
  }

  async #append(line: RunLine): Promise<void> {
    await mkdir(this.#snapshotsDir, { recursive: true });
    // A line that a kill had cut is ended first.
    await appendFile(this.#path, `\n${JSON.stringify(line)}`).catch((error: Error) => {
      process.stderr.write(`the run is not recorded in ${this.#path}: ${error.message}\n`);
    });
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

export function rowsOf({ normalise, dedup }: RunReport): NonNullable<RunEnd['rows']> {
  const read = normalise.registries.map(({ registry, state, read: count }) => [
    registry,
    state === 'answered' ? count : null,
  ]);
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

/** The commit that runs; null where there is no git or no repository. */
async function commit(): Promise<string | null> {
  const root = join(import.meta.dirname, '..', '..');
  const asked = promisify(execFile)('git', ['-C', root, 'rev-parse', 'HEAD']);
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}
