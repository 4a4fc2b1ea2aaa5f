import { hasPassed } from '../../../snapshot/format/results-gap.ts';
import { GAP, NOT_STATED } from '../../../snapshot/format/serving-columns.ts';
import { addMonths, dayToIso } from '../../../snapshot/format/words/dates.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { clockDay, type GapClockAsked } from './results-clock.ts';

export interface ResultsDue {
  due: string;
  /** Days since then on the day of the snapshot; null where results are posted, or not due yet. */
  days: number | null;
}

/** When the results of each row were due by a clock; null for a row without one. */
export function resultsDueOf(
  image: SnapshotImage,
  { clock, months, day }: GapClockAsked,
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
