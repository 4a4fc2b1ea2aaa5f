import { type machine, number } from '../report.ts';

/** One measured value with its target. */
export interface Row {
  what: string;
  /** Null if it could not be measured. */
  value: number | null;
  unit: string;
  /** The most it may be, or the least; neither where no target is set. */
  most?: number;
  least?: number;
  /** Largest resident set of the measured process, MB; null when unknown. */
  peakRssMb?: number | null;
}

export interface FullResults {
  machine: ReturnType<typeof machine>;
  startedAt: string;
  percent: number;
  seed: number;
  rows: Row[];
  failures: { step: string; reason: string }[];
}

function targetOf({ most, least, unit }: Row): string {
  if (most !== undefined) return `at most ${most.toLocaleString('en-GB')} ${unit}`;
  return least === undefined ? '' : `at least ${least.toLocaleString('en-GB')} ${unit}`;
}

function isMet({ value, most, least }: Row): string {
  if (value === null || (most === undefined && least === undefined)) return '';
  return value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY) ? 'yes' : 'NO';
}

/** The results as markdown. */
export function table({ machine, startedAt, percent, seed, rows, failures }: FullResults): string {
  const digits = (value: number | null): number => (value !== null && Math.abs(value) < 10 ? 3 : 0);
  return `${[
    `${percent} % of the registries, seed ${seed}; ${machine.cores} x ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}; ${startedAt}`,
    '',
    '| what | target | measured | met | peak RSS, MB |',
    '|---|---|---|---|---|',
    ...rows.map((row) => {
      const measured = `${number(row.value, digits(row.value))} ${row.unit}`;
      const peak = row.peakRssMb === undefined ? '' : number(row.peakRssMb, 0);
      return `| ${row.what} | ${targetOf(row)} | ${measured} | ${isMet(row)} | ${peak} |`;
    }),
    ...failures.map(({ step, reason }) => `\n${step} failed: ${reason.split('\n')[0]}`),
  ].join('\n')}\n`;
}
