import type { RunBegin, RunEnd, RunLine } from '../../snapshot/format/versions/run-log.ts';

const PROGRAM = { version: '0.1.0', commit: null, node: 'v24.21.0', duckdb: 'v1.5.5' };

/** When the first run of `runLines` begins. */
const FIRST = Date.parse('2026-09-01T03:00:00.000Z');

export interface RunSpec {
  /** Days after the first of September 2026, at 03:00 UTC. */
  day: number;
  begin?: Partial<Omit<RunBegin, 'event'>>;
  /** Null: it told no end. */
  end: Partial<Omit<RunEnd, 'event' | 'run'>> | null;
}

/** The lines of one run, which took a minute. */
export function runLines({ day, begin, end }: RunSpec): RunLine[] {
  const started = new Date(FIRST + day * 86_400_000);
  const at = started.toISOString();
  const run = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${day.toString(16).padStart(6, '0')}`;
  const first: RunLine = {
    ...{ event: 'begin', run, at, command: 'run', arguments: ['--source', 'live'], program: PROGRAM },
    ...begin,
  };
  if (end === null) return [first];
  const ended = new Date(started.getTime() + 60_000).toISOString();
  return [
    first,
    {
      ...{ event: 'end', run, at: ended, code: 'PUBLISHED', exitCode: 0, message: null, stages: [], rows: null },
      ...{ published: null, gate: null },
      ...end,
    },
  ];
}

/** Lines as the pipeline appends them: each begins with a line break. */
export function runLogText(specs: readonly RunSpec[]): string {
  return specs
    .flatMap(runLines)
    .map((line) => `\n${JSON.stringify(line)}`)
    .join('');
}
