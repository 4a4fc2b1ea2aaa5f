import type { Config } from '../../config/config.ts';
import type { Effects } from '../effects.ts';
import { type RunOptions, type RunReport, run } from '../run/run.ts';
import { RunRecord } from '../run/run-record.ts';
import { workspaceOf } from '../run/workspace.ts';
import { outcomeOfFailure, outcomeOfPublished } from './outcome.ts';

/** Runs all stages and keeps a row of the run, however it ends. `words` is the command line that asked for it. */
export async function recordedRun(
  options: RunOptions,
  [command = 'run', ...words]: readonly string[],
  config: Config,
  effects: Effects,
): Promise<RunReport> {
  const { codeVersion: version } = workspaceOf(config, options.source);
  return run(options, config, effects, async (stages) => {
    const record = await RunRecord.begin(config.snapshotsDir, { command, arguments: words, version }, effects);
    try {
      const report = await stages(record.stage);
      await record.end({ ...outcomeOfPublished(report.published), message: null }, report);
      return report;
    } catch (error) {
      await record.end(outcomeOfFailure(error), null);
      throw error;
    }
  });
}
