import type { RunRow } from '../../snapshot-format/run-log.ts';

/** The rows of runs, newest first, for a terminal. */
export function renderRuns(runs: readonly RunRow[]): string {
  if (runs.length === 0) return 'no run is recorded yet; `pipeline run` records each one';
  return runs.map(lineOf).join('\n');
}

function lineOf({ at, command, arguments: words, state, end }: RunRow): string {
  const head = `${at}  ${[command, ...words].join(' ')}`;
  if (end === null) return `${head}\n  ${state === 'killed' ? 'killed: it told no end' : 'under way, or killed'}`;
  const { code, exitCode, message, published, stages } = end;
  const times = stages.map(({ stage, seconds }) => `${stage} ${seconds.toFixed(1)} s`).join(', ');
  const served = published === null ? '' : `, serves ${published.version} (${(published.bytes / 1e6).toFixed(1)} MB)`;
  const why = message === null ? '' : `\n  ${message.replaceAll('\n', '\n  ')}`;
  return `${head}\n  ${code}, exit ${exitCode}${served}; ${times || 'no stage began'}${why}`;
}
