import type { FindingStatus, ReviewVerdict } from '../../contract/ids.ts';
import type { FindingStanding } from './finding-store.ts';

/** Counted when a verdict comes in; `extends` is counted too, but never moves the status. */
const COUNTED_AS = {
  corroborates: 'corroborations',
  disputes: 'disputes',
  extends: 'extensions',
} as const satisfies Record<ReviewVerdict, string>;

/** Status of a finding that was not withdrawn, by independent reviews: corroborations must outweigh disputes, a draw is contested. */
export function statusOf(corroborations: number, disputes: number): Exclude<FindingStatus, 'withdrawn'> {
  if (corroborations > disputes) return 'corroborated';
  return disputes > 0 ? 'contested' : 'received';
}

/** Counts of all reviews after one more, with the status that the independent ones give. */
export function standingAfter(
  before: Omit<FindingStanding, 'status'>,
  verdict: ReviewVerdict,
  counted: { corroborates: number; disputes: number },
): FindingStanding {
  const { corroborations, disputes, extensions } = before;
  const counts = { corroborations, disputes, extensions };
  counts[COUNTED_AS[verdict]] += 1;
  return { ...counts, status: statusOf(counted.corroborates, counted.disputes) };
}
