import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { nextOf, type OutcomeCode, RECORDED_COMMANDS, type RecordedCommand } from '../../contract/run-outcomes.ts';
import type { Config } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import { PublicationRefused } from '../publish/checks/gate.ts';
import type { Published } from '../publish/publish.ts';
import type { FetchOutcome } from '../run/fetch-stage.ts';
import { type RunOptions, type RunReport, run, type TimeStage } from '../run/run.ts';
import { gateOf, type RunEnding, type RunOutcome, RunRecord, rowsOf } from '../run/run-record.ts';
import { codeVersion } from '../run/workspace.ts';
import { settings } from './context.ts';
import { outcome, outcomeOfFailure, outcomeOfPublished } from './outcome.ts';
import { databaseMadeAgain, degradedWords, renderRun, replacedWords } from './render.ts';

/** A command that is to be recorded: its name, the words after it, and the reason of an acceptance among them. */
export interface Asked {
  command: RecordedCommand;
  words: readonly string[];
  reason?: string;
}

/** Runs all stages and keeps a row of the run, however it ends; `told` holds what the stages reported, also after a fault. */
export async function recordedRun(
  options: RunOptions,
  asked: Asked,
  config: Config,
  effects: Effects,
  told: Partial<RunReport> = {},
): Promise<RunReport> {
  const note = () => (told.setAside == null ? null : databaseMadeAgain(told.setAside));
  const ended = (report: RunReport) => ({
    ...endOfPublish(asked, report.published, report.fetch),
    rows: rowsOf(report),
  });
  const record = (stages: (timed: TimeStage) => Promise<RunReport>) =>
    recorded(asked, config, effects, stages, ended, note);
  return run(options, config, effects, record, told);
}

/** Changes the snapshots directory under its lock, and keeps a row of the command with a message of what it did. */
export function recordedChange<Result>(
  command: RecordedCommand,
  { config, effects }: { config: Config; effects: Effects },
  work: () => Promise<Result>,
  message: (result: Result) => string,
): Promise<Result> {
  const asked = { command, words: process.argv.slice(3) };
  const ended = (result: Result) => ({ ...outcome('DONE'), message: message(result) });
  const { snapshotsDir } = config;
  return withPipelineLock({ snapshotsDir }, () => recorded(asked, config, effects, work, ended), effects);
}

/** Failures that stand in the record of a command that began. */
const RECORDED = new WeakSet<Error>();

/** How a record ends that had no failure. */
type Ended = RunOutcome & RunEnding;

/** Does the work of a command and keeps a row of it with the note, however it ends. The caller holds the lock of the snapshots directory. */
export async function recorded<Result>(
  asked: Asked,
  config: Config,
  effects: Effects,
  work: (timed: TimeStage) => Promise<Result>,
  ended: (result: Result) => Ended,
  note: () => string | null = () => null,
): Promise<Result> {
  const { command, words, reason } = asked;
  const what = { command, arguments: [...words], version: codeVersion(), commit: config.codeCommit };
  const record = await RunRecord.begin(config.snapshotsDir, what, effects);
  try {
    const result = await work(record.stage);
    const { code, exitCode, message, ...ending } = ended(result);
    await record.end({ code, exitCode, message: together(message, note()) }, ending);
    return result;
  } catch (error) {
    const gate = error instanceof PublicationRefused ? gateOf([...error.checks], reason) : null;
    const { message, ...failed } = outcomeOfFailure(error);
    await record.end({ ...failed, message: together(message, note()) }, { gate });
    if (error instanceof Error) RECORDED.add(error);
    throw error;
  }
}

/** Both texts, each on its line; null without any. */
function together(...texts: (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join('\n') || null;
}

export function endOfPublish({ reason }: Asked, published: Published, fetched: readonly FetchOutcome[] = []): Ended {
  return {
    ...outcomeOfPublished(published),
    message: together(replacedWords(published), degradedWords(published, fetched)),
    published,
    gate: gateOf(published.checks, reason),
  };
}

/** What the operator does next after the command of this process, as a last line for a terminal; nothing where all is well. */
export function nextLine(code: OutcomeCode): string {
  const next = nextOf(code, process.argv);
  return next === null ? '' : `next: ${next}\n`;
}

/** What stands before a message for people, where that is not `failed: `. */
const PREFIXES: Partial<Record<OutcomeCode, string>> = { WRONG_USAGE: '', WRONG_SETTINGS: '', REFUSED: 'refused: ' };

/**
 * Ends the process with the exit code of a failure and states it, with what the stages of the run had reported: as one JSON
 * object, or for people the reports on standard output and the failure on standard error. A command that never began is recorded.
 */
export async function endWithFailure(error: unknown, json: boolean, told: Partial<RunReport> = {}): Promise<void> {
  const { code, exitCode, message } = outcomeOfFailure(error);
  process.exitCode = exitCode;
  if (json) {
    const gate = error instanceof PublicationRefused ? { breaches: error.breaches, checks: error.checks } : {};
    process.stdout.write(`${JSON.stringify({ code, exitCode, message, ...gate, ...told })}\n`);
  } else {
    const reports = renderRun(told);
    if (reports !== '') process.stdout.write(`${reports}\n`);
    // Commander has written its message already.
    if (!(error instanceof CommanderError))
      process.stderr.write(`${PREFIXES[code] ?? 'failed: '}${message}\n${nextLine(code)}`);
  }
  await recordTurnedAway(error);
}

/**
 * Records a command that is recorded and never began: its words were wrong, another run held the lock,
 * or the version that it names is not there. Nothing is made for
 * it: without a directory of snapshots, or where that cannot be written, it was only printed.
 */
async function recordTurnedAway(error: unknown): Promise<void> {
  const failed = outcomeOfFailure(error);
  const [command = '', ...words] = process.argv.slice(2);
  if (!isRecordable(command, words) || (error instanceof Error && RECORDED.has(error))) return;
  if (!['WRONG_USAGE', 'LOCKED', 'SNAPSHOT_UNUSABLE'].includes(failed.code)) return;
  const { snapshotsDir, codeCommit } = settings();
  if (!existsSync(snapshotsDir)) return;
  const what = { command, arguments: words, version: codeVersion(), commit: codeCommit };
  const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
  await RunRecord.turnedAway(snapshotsDir, what, failed, effects).catch(() => undefined);
}

/** `current` without a version changes nothing, and a pull into another directory nothing here. */
function isRecordable(command: string, words: readonly string[]): boolean {
  if (command === 'pull' && words.some((word) => word.startsWith('--into'))) return false;
  if (command === 'current' && words.every((word) => word.startsWith('-'))) return false;
  return RECORDED_COMMANDS.some((name) => name === command);
}
