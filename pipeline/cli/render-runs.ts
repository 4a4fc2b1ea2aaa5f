import { nextOf, RUN_OUTCOMES, type RunOutcomeCode } from '../../contract/run-outcomes.ts';
import type { RunRow } from '../../snapshot/format/versions/run-log.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log-reader.ts';
import { isLocked } from '../lock.ts';

/** The rows of runs, newest first, for a terminal. */
export function renderRuns(runs: readonly RunRow[]): string {
  if (runs.length === 0) return 'no run is recorded yet; `pipeline run` records each one';
  return runs.map(lineOf).join('\n');
}

/** The runs of a directory, newest first. One that stated no end is under way while a run holds the lock, else it was killed. */
export async function runsHere(snapshotsDir: string): Promise<RunRow[]> {
  const runs = await readRunLog(snapshotsDir);
  if (!runs.some(({ state }) => state === 'open') || isLocked(snapshotsDir)) return [...runs];
  return runs.map((run) => (run.state === 'open' ? { ...run, state: 'killed' } : run));
}

function lineOf({ at, command, arguments: words, state, stage, end }: RunRow): string {
  const head = `${at}  ${[command, ...words].join(' ')}`;
  if (end === null) {
    const where = stage === null ? 'before its first stage' : `in ${stage}`;
    return `${head}\n  ${state === 'killed' ? `killed ${where}; run it again: what was stored is kept` : `under way ${where}`}`;
  }
  const { code, exitCode, message, published, stages } = end;
  const times = stages.map(({ stage, seconds }) => `${stage} ${seconds.toFixed(1)} s`).join(', ');
  const served = published === null ? '' : `, serves ${published.version} (${(published.bytes / 1e6).toFixed(1)} MB)`;
  const why = message === null ? '' : `\n  ${message.replaceAll('\n', '\n  ')}`;
  const next = Object.hasOwn(RUN_OUTCOMES, code) ? nextOf(code as RunOutcomeCode, words) : null;
  const step = next === null ? '' : `\n  next: ${next}`;
  return `${head}\n  ${code}, exit ${exitCode}${served}; ${times || 'no stage began'}${why}${step}`;
}
