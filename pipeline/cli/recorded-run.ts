import type { Config } from '../../config/config.ts';
import type { RecordedCommand } from '../../contract/run-outcomes.ts';
import type { Effects } from '../effects.ts';
import { PublicationRefused } from '../publish/gate.ts';
import type { Published } from '../publish/publish.ts';
import { type RunOptions, type RunReport, run, type TimeStage } from '../run/run.ts';
import { gateOf, type RunEnding, type RunOutcome, RunRecord, rowsOf } from '../run/run-record.ts';
import { codeVersion } from '../run/workspace.ts';
import { outcomeOfFailure, outcomeOfPublished } from './outcome.ts';
import { replacedWords } from './render.ts';

/** A command that is to be recorded: its name, the words after it, and the reason of an acceptance among them. */
export interface Asked {
  command: RecordedCommand;
  words: readonly string[];
  reason?: string;
}

/** Runs all stages and keeps a row of the run, however it ends. */
export async function recordedRun(
  options: RunOptions,
  asked: Asked,
  config: Config,
  effects: Effects,
): Promise<RunReport> {
  const ended = (report: RunReport) => ({ ...endOfPublish(asked, report.published), rows: rowsOf(report) });
  return run(options, config, effects, (stages) => recorded(asked, config, effects, stages, ended));
}

/** How a record ends that had no failure. */
type Ended = RunOutcome & RunEnding;

/** Does the work of a command and keeps a row of it, however it ends. The caller holds the lock of the snapshots directory. */
export async function recorded<Result>(
  asked: Asked,
  config: Config,
  effects: Effects,
  work: (timed: TimeStage) => Promise<Result>,
  ended: (result: Result) => Ended,
): Promise<Result> {
  const { command, words, reason } = asked;
  const what = { command, arguments: [...words], version: codeVersion() };
  const record = await RunRecord.begin(config.snapshotsDir, what, effects);
  try {
    const result = await work(record.stage);
    const { code, exitCode, message, ...ending } = ended(result);
    await record.end({ code, exitCode, message }, ending);
    return result;
  } catch (error) {
    const gate = error instanceof PublicationRefused ? gateOf([...error.checks], reason) : null;
    await record.end(outcomeOfFailure(error), { gate });
    throw error;
  }
}

export function endOfPublish({ reason }: Asked, published: Published): Ended {
  return {
    ...outcomeOfPublished(published),
    message: replacedWords(published),
    published,
    gate: gateOf(published.checks, reason),
  };
}
