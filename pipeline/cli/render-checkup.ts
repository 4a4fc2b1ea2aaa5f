import type { Checkup } from '../doctor/checkup.ts';
import type { Finding } from '../doctor/finding.ts';

const RUN: Readonly<Record<Checkup['run'], string>> = {
  whole: 'A live run would publish whole.',
  degraded: 'A live run would publish degraded: a registry did not answer.',
  fails: 'A live run would fail, or be refused.',
};

/** The table of sources, their faults with mends, and what a whole run will need, for a terminal. */
export function renderCheckup({ findings, network, run }: Checkup): string {
  const rows = [['source', 'state', 'ms', 'count', 'newest data', 'last seen well'], ...findings.map(rowOf)];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const faults = findings.flatMap(({ source, faults: found }) => found.map((one) => ({ source, ...one })));
  const mends = [...new Set(faults.map(({ mend }) => mend))];
  return [
    ...lines,
    ...formLines(findings),
    ...(network === null ? mends.flatMap((mend) => mendLines(mend, faults)) : ['', network]),
    ...findings.flatMap(({ source, note }) => (note === null ? [] : ['', `${source}: not asked; ${note}`])),
    '',
    '',
    `${RUN[run]} Nothing was stored or published.`,
  ].join('\n');
}

function mendLines(mend: string, faults: readonly { source: string; fault: string; mend: string }[]): string[] {
  const mended = faults.filter((one) => one.mend === mend);
  return ['', ...mended.map(({ source, fault }) => `${source}: ${fault}`), `  mend: ${mend}`];
}

function rowOf({ source, state, milliseconds, count, date, lastSeenWell }: Finding): string[] {
  return [source, state, ...[milliseconds, count, date, lastSeenWell].map((cell) => String(cell ?? '-'))];
}

function formLines(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ form }) => form.length > 0)
    .map(
      ({ source, form }) =>
        `\n${source}, fields: ${form.map(({ field, filled, of }) => `${field} ${filled}/${of}`).join(', ')}`,
    );
}
