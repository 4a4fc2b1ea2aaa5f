import { existsSync } from 'node:fs';
import { RECORDED_COMMANDS } from '../../contract/run-outcomes.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { environment } from '../../server-kit/config/env.ts';
import { RunRecord } from '../run/run-record.ts';
import { codeVersion } from '../run/workspace.ts';
import { ROOT } from './context.ts';
import { outcomeOfFailure } from './outcome.ts';
import { isRecorded } from './recorded-run.ts';

/**
 * Records a command that is recorded and never began: its words were wrong, another run held the lock,
 * or the version that it names is not there. Nothing is made for
 * it: without a directory of snapshots, or where that cannot be written, it was only printed.
 */
export async function recordTurnedAway(error: unknown): Promise<void> {
  const outcome = outcomeOfFailure(error);
  const [command = '', ...words] = process.argv.slice(2);
  if (!isRecordable(command, words) || isRecorded(error)) return;
  if (!['WRONG_USAGE', 'LOCKED', 'SNAPSHOT_UNUSABLE'].includes(outcome.code)) return;
  const { snapshotsDir, codeCommit } = loadConfig(environment(), ROOT);
  if (!existsSync(snapshotsDir)) return;
  const what = { command, arguments: words, version: codeVersion(), commit: codeCommit };
  const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
  await RunRecord.turnedAway(snapshotsDir, what, outcome, effects).catch(() => undefined);
}

/** `current` without a version changes nothing, and a pull into another directory nothing here. */
function isRecordable(command: string, words: readonly string[]): boolean {
  if (command === 'pull' && words.some((word) => word.startsWith('--into'))) return false;
  if (command === 'current' && words.every((word) => word.startsWith('-'))) return false;
  return RECORDED_COMMANDS.some((name) => name === command);
}
