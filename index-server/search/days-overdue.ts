import { RESULTS_GAP_MONTHS } from '../../contract/limits.ts';
import { addMonths } from '../../snapshot-format/dates.ts';
import { hasPassed } from '../../snapshot-format/results-gap.ts';
import { GAP, NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** Days on `day` since the results of a trial came to be overdue; null where it is not in the results gap, as `resultsGap=true` finds it. */
export function daysOverdue({ columns }: SnapshotImage, row: number, day: number): number | null {
  const completed = columns.gapDay0[row] as number;
  if (columns.gap0[row] !== GAP.withoutResults || completed === NOT_STATED) return null;
  return hasPassed(completed, RESULTS_GAP_MONTHS, day) ? day - addMonths(completed, RESULTS_GAP_MONTHS) : null;
}
