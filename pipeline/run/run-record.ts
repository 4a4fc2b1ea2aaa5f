import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version as duckdbVersion } from '@duckdb/node-api';
import type { RecordedCommand } from '../../contract/run-outcomes.ts';
import type { Config } from '../../server-kit/config/config.ts';
import { snapshotBytes } from '../../snapshot/format/versions/manifest.ts';
import {
  RUN_LOG_FILE,
  type RunEnd,
  type RunGate,
  type RunLine,
  type RunRow,
  readRunLog,
} from '../../snapshot/format/versions/run-log.ts';
import { withBaseNames } from '../../snapshot/format/words/base-names.ts';
import type { Effects, Stop } from '../effects.ts';
import { isLocked } from '../lock.ts';
import { PublicationRefused } from '../publish/checks/gate.ts';
import { replaceFile } from '../publish/durable.ts';
import { programCode } from '../publish/identity/program.ts';
import type { Published } from '../publish/publish.ts';
import { outcomeOfFailure } from './outcome.ts';
import { codeVersion } from './workspace.ts';

/** Lines that are kept: more than a year of nightly runs, each with a line for its begin, its end and its five stages. */
const LINES_KEPT = 3500;
/** Bytes from which the log is looked through for lines too many. */
const COMPACT_BYTES = 8_000_000;

/** A command that is to be recorded: its name, the words after it, and the reason of an acceptance among them. */
export interface Asked {
  command: RecordedCommand;
  words: readonly string[];
  reason?: string;
}

/** The end of a command, as the record keeps it. */
export interface Ended extends Pick<RunEnd, 'code' | 'exitCode' | 'message'>, Partial<Pick<RunEnd, 'rows' | 'gate'>> {
  published?: Published;
}

/** Runs a stage and takes its time. */
export type TimeStage = <T>(stage: string, work: () => Promise<T>) => Promise<T>;

/**
 * Does the work of a command and keeps a row of it in the snapshots directory, however it ends: a line at its begin, one as each
 * stage begins, one with its end. The caller holds the lock of the directory. A log that cannot be written stops no command.
 */
export async function recorded<Result>(
  { command, words, reason }: Asked,
  { snapshotsDir, codeCommit }: Pick<Config, 'snapshotsDir' | 'codeCommit'>,
  effects: Effects,
  work: (timed: TimeStage) => Promise<Result>,
  endOf: (result: Result) => Ended,
): Promise<Result> {
  const path = join(snapshotsDir, RUN_LOG_FILE);
  await compact(path, effects);
  const at = effects.now().toISOString();
  const run = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${randomBytes(3).toString('hex')}`;
  const { commit } = await programCode(codeCommit);
  const program = { version: codeVersion(), commit, node: process.version, duckdb: duckdbVersion() };
  append(path, { event: 'begin', run, at, command, arguments: words.map(withBaseNames), program });

  const stages: RunEnd['stages'] = [];
  let running: { stage: string; since: number } | null = null;
  const endStage = (): void => {
    if (running !== null)
      stages.push({ stage: running.stage, seconds: (effects.now().getTime() - running.since) / 1000 });
    running = null;
  };
  const timed: TimeStage = async (stage, stageWork) => {
    const begun = effects.now();
    running = { stage, since: begun.getTime() };
    append(path, { event: 'stage', run, at: begun.toISOString(), stage });
    return stageWork().finally(endStage);
  };
  const end = ({ code, exitCode, message, rows = null, gate = null, published }: Ended): void => {
    const kept = published ? { version: published.version, bytes: snapshotBytes(published.manifest) } : null;
    const state = { code, exitCode, message, stages, rows, published: kept, gate };
    append(path, { event: 'end', run, at: effects.now().toISOString(), ...state });
  };
  effects.onStop?.(({ signal, exitCode, goOn }: Stop) => {
    const left = stages.map(({ stage }) => stage).join(', ');
    const where = running === null ? 'between two stages' : `in the stage ${running.stage}`;
    const kept = `the raw sets and pages that were stored${left === '' ? '' : ` and what ${left} left`}`;
    const message = `stopped by ${signal} ${where}; kept: ${kept}. What is served is whole. To go on: ${goOn}`;
    endStage();
    end({ code: 'STOPPED', exitCode, message });
    return message;
  });
  try {
    const result = await work(timed);
    end(endOf(result));
    return result;
  } catch (error) {
    const gate = error instanceof PublicationRefused ? gateOf([...error.checks], reason) : null;
    end({ ...outcomeOfFailure(error), gate });
    throw error;
  }
}

/** At once, since the process may be about to end. A line that a kill had cut is ended first. */
function append(path: string, line: RunLine): void {
  try {
    mkdirSync(join(path, '..'), { recursive: true });
    appendFileSync(path, `\n${JSON.stringify(line)}`);
  } catch (error) {
    process.stderr.write(`the run is not recorded in ${path}: ${error instanceof Error ? error.message : error}\n`);
  }
}

async function compact(path: string, effects: Effects): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.length < COMPACT_BYTES) return;
  const kept = text.split('\n').slice(-LINES_KEPT).join('\n');
  await replaceFile(path, `${path}.tmp`, kept, effects).catch(() => undefined);
}

/** The runs of a directory, newest first. One that stated no end is under way while a run holds the lock, else it was killed. */
export async function runsHere(snapshotsDir: string): Promise<RunRow[]> {
  const runs = await readRunLog(snapshotsDir);
  if (!runs.some(({ state }) => state === 'open') || isLocked(snapshotsDir)) return [...runs];
  return runs.map((run) => (run.state === 'open' ? { ...run, state: 'killed' } : run));
}

/** The findings of the gate; null where it was not reached. */
export function gateOf(checks: RunGate['checks'], reason: string | undefined): RunGate | null {
  if (checks.length === 0) return null;
  const accepted = checks.filter(({ verdict }) => verdict === 'accepted').map(({ name }) => name);
  return { checks, accepted, reason: accepted.length === 0 ? null : (reason ?? null) };
}
