import type { RecordedCommand } from '../../contract/run-outcomes.ts';
import type { Config } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import { PublicationRefused } from '../publish/checks/gate.ts';
import type { Published } from '../publish/publish.ts';
import type { FetchOutcome } from '../run/fetch-stage.ts';
import { type RunOptions, type RunReport, run, type TimeStage } from '../run/run.ts';
import { gateOf, type RunEnding, type RunOutcome, RunRecord, rowsOf } from '../run/run-record.ts';
import { codeVersion } from '../run/workspace.ts';
import { outcomeOfFailure, outcomeOfPublished } from './outcome.ts';
import { databaseMadeAgain, degradedWords, replacedWords } from './render.ts';

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

/** Failures that stand in the record of a command that began. */
const RECORDED = new WeakSet<Error>();

export function isRecorded(error: unknown): boolean {
  return error instanceof Error && RECORDED.has(error);
}

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
    const { message, ...outcome } = outcomeOfFailure(error);
    await record.end({ ...outcome, message: together(message, note()) }, { gate });
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
