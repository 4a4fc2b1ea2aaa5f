import { type GapClock, RESULTS_GAP_MONTHS } from '../../contract/limits.ts';
import { addMonths, dayToIso } from '../../snapshot-format/dates.ts';
import { hasPassed } from '../../snapshot-format/results-gap.ts';
import { GAP, NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { clockDay } from './results-clock.ts';

/** Days on `day` since the results of a trial came to be overdue; null where it is not in the results gap, as `resultsGap=true` finds it. */
export function daysOverdue({ columns }: SnapshotImage, row: number, day: number): number | null {
  const completed = columns.gapDay0[row] as number;
  if (columns.gap0[row] !== GAP.withoutResults || completed === NOT_STATED) return null;
  return hasPassed(completed, RESULTS_GAP_MONTHS, day) ? day - addMonths(completed, RESULTS_GAP_MONTHS) : null;
}

export interface ResultsDue {
  due: string;
  /** Days since then on the day of the snapshot; null where results are posted, or not due yet. */
  days: number | null;
}

/** When the results of each row were due by a clock; null for a row without one. */
export function resultsDueOf(
  image: SnapshotImage,
  { clock, months, day }: { clock: GapClock; months: number; day: number },
): (row: number) => ResultsDue | null {
  const { gap0 } = image.columns;
  const began = clockDay(image, clock);
  return (row) => {
    const from = began(row);
    const standing = gap0[row];
    if (from === NOT_STATED || (standing !== GAP.withoutResults && standing !== GAP.withResults)) return null;
    const isLate = standing === GAP.withoutResults && hasPassed(from, months, day);
    const due = addMonths(from, months);
    return { due: dayToIso(due), days: isLate ? day - due : null };
  };
}
