import { number } from '../report.ts';
import type { FullResults } from './results.ts';
import { DAY_STAGES, STAGES } from './stages.ts';

const MB = 1e6;
const WORD = { true: 'yes', false: 'NO', null: '' } as const;

/** Targets, stages and comparisons as markdown. Whatever else was measured is in the JSON file. */
export function fullTable(results: FullResults): string {
  const parts = [head(results), targets(results), stages(results), rivals(results), failures(results)];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): string[] {
  if (body.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...body.map(line)];
}

function head({ machine, versions, commit, options, corpus, snapshot, startedAt }: FullResults): string[] {
  const mb = (bytes: number): string => `${number(bytes / MB, 0)} MB`;
  const size =
    corpus === null
      ? 'no corpus'
      : `${corpus.ctgov} + ${corpus.isrctn} registrations, ${mb(corpus.rawBytes)} raw in ${mb(corpus.diskBytes)} of dumps`;
  return [
    `${size} (${options.percent} %), seed ${options.seed}${snapshot === null ? '' : `, snapshot of ${mb(snapshot.total)}`}`,
    '',
    `${machine.cores} x ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}; ${startedAt}, commit ${commit ?? 'unknown'}`,
    '',
    `corpus ${corpus?.sha256 ?? 'unknown'}; ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
  ];
}

function targets({ targets: found }: FullResults): string[] {
  return rows(
    ['what', 'target', 'measured', 'met', 'peak RSS, MB'],
    found.map(({ what, target, measured, met, peakRssMb }) => [
      what,
      target,
      measured.split('\n')[0]!,
      WORD[`${met}`],
      number(peakRssMb, 0),
    ]),
  );
}

function stages({ stages: run, day, diff, verify }: FullResults): string[] {
  const named = [
    ...STAGES.map((stage) => [stage, run[stage]] as const),
    ...DAY_STAGES.map((stage) => [`a day's change: ${stage}`, day.stages[stage]] as const),
    ['diff', diff] as const,
    ['verify', verify] as const,
  ];
  const measured = named.flatMap(([name, one]) => (one ? [{ name, ...one }] : []));
  return rows(
    ['stage', 'seconds', 'CPU seconds', 'peak RSS, MB', 'taken by the host, %'],
    measured.map(({ name, seconds, cpuSeconds, peakRssMb, takenShare }) => [
      name,
      number(seconds),
      number(cpuSeconds),
      number(peakRssMb, 0),
      number(takenShare && takenShare * 100),
    ]),
  );
}

function rivals({ rivals: found }: FullResults): string[] {
  if (found === null) return [];
  const body = found.rivals.flatMap(({ name, works }) =>
    Object.entries(works).map(([work, one]) => [
      work,
      name,
      number(one.latency.p50Ms, 3),
      number(one.ours.p50Ms, 3),
      number(one.ratioP50),
      `${one.differing} of ${one.asked}`,
    ]),
  );
  const left = Object.entries(found.skipped).map(([name, why]) => `${name} is left out: ${why}`);
  return [...rows(['question', 'engine', 'p50, ms', 'ours, ms', 'times ours', 'answers that differ'], body), ...left];
}

function failures({ failures: found, skipped }: FullResults): string[] {
  return [
    ...found.map(({ step, reason }) => `${step} failed: ${reason.split('\n')[0]}`),
    ...(skipped.length > 0 ? [`left out: ${skipped.join(', ')}`] : []),
  ];
}
