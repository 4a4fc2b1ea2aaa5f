import type { SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { COMPLETENESS_NAMES, GAP, NO_SPONSOR, NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths } from '../../../snapshot/format/words/dates.ts';

/** The counts of landscape and coverage, computed with plain arrays of rows. Slow and obvious on purpose. */
export function plainCounts(image: Pick<SnapshotImage, 'columns'>, rows: number[], today: number) {
  const { columns } = image;
  const sponsors = new Map<number, number>();
  for (const row of rows) {
    const sponsor = columns.sponsor[row]!;
    if (sponsor !== NO_SPONSOR) sponsors.set(sponsor, (sponsors.get(sponsor) ?? 0) + 1);
  }
  const named = [...sponsors].sort(([a, many], [b, few]) => few - many || a - b);
  const withSponsor = named.reduce((sum, [, trials]) => sum + trials, 0);
  const enrollment = rows.map((row) => columns.enrollment[row]!).filter((count) => count !== NOT_STATED);
  const posted = (from: number, to: number): number =>
    rows.filter((row) => today - columns.postedFirst[row]! >= from && today - columns.postedFirst[row]! < to).length;
  return {
    trials: rows.length,
    phase: countsOf(rows.map((row) => columns.phase[row]!)),
    status: countsOf(rows.map((row) => columns.status[row]!)),
    recruitment: countsOf(rows.map((row) => columns.recruitment[row]!)),
    studyType: countsOf(rows.map((row) => columns.studyType[row]!)),
    sponsorClass: countsOf(rows.map((row) => columns.sponsorClass[row]!)),
    sponsors: { trialsWithSponsor: withSponsor, sponsors: named.length, top: named.slice(0, 10) },
    hhi: withSponsor === 0 ? null : named.reduce((sum, [, trials]) => sum + trials ** 2, 0) / withSponsor ** 2,
    enrollment: { stated: enrollment.length, quartiles: [0.25, 0.5, 0.75].map((share) => quantile(enrollment, share)) },
    momentum: [30, 90, 365].map((days) => [posted(0, days), posted(days, 2 * days)]),
    gaps: [plainGap(rows, columns.gap0, columns.gapDay0, today), plainGap(rows, columns.gap1, columns.gapDay1, today)],
    completeness: [
      plainCompleteness(rows, columns.registries, 1, columns.presence0),
      plainCompleteness(rows, columns.registries, 2, columns.presence1),
    ],
    coverage: {
      held: [1, 2].map((bit) => rows.filter((row) => (columns.registries[row]! & bit) !== 0).length),
      inBoth: rows.filter((row) => columns.registries[row] === 3).length,
      mutual: rows.filter((row) => columns.registries[row] === 3 && (columns.links[row]! & 2) !== 0).length,
      conflicting: rows.filter((row) => (columns.links[row]! & 8) !== 0).length,
      unresolved: rows.reduce((sum, row) => sum + columns.unresolved[row]!, 0),
      trialsWithUnresolved: rows.filter((row) => columns.unresolved[row]! > 0).length,
    },
  };
}

function countsOf(values: number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function quantile(values: number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
  return below + (above - below) * (position - Math.floor(position));
}

function plainGap(rows: number[], standing: Uint8Array, completed: Int32Array, today: number) {
  const without = rows.filter((row) => standing[row] === GAP.withoutResults);
  const days = without.map((row) => completed[row]!).filter((day) => day !== NOT_STATED);
  const withResults = rows.filter((row) => standing[row] === GAP.withResults).length;
  return {
    population: without.length + withResults,
    withResults,
    completionNotStated: without.length - days.length,
    withoutResultsAfter12Months: days.filter((day) => day <= addMonths(today, -12)).length,
    withoutResultsAfter18Months: days.filter((day) => day <= addMonths(today, -18)).length,
  };
}

function plainCompleteness(rows: number[], registries: Uint8Array, bit: number, presence: Uint32Array) {
  const held = rows.filter((row) => (registries[row]! & bit) !== 0);
  return {
    registrations: held.length,
    stated: COMPLETENESS_NAMES.map((_, field) => held.filter((row) => ((presence[row]! >>> field) & 1) === 1).length),
  };
}
