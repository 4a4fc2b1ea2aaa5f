import type { GapClock } from '../../contract/limits/limits.ts';
import type { TRIAL_SORTS } from '../../contract/operations/trials/trials.ts';
import { RELEVANCE_FORMULA, RELEVANCE_POINTS } from '../../contract/relevance.ts';
import type { RelevanceRecord } from '../../contract/schemas/trials/relevance.ts';
import type { Requirement } from '../search/filters.ts';
import type { SearchedPage } from '../search/sort-order.ts';

const NOTHING_TO_SCORE =
  'sort=relevance scores the words of q, and this request has none to score: the trials stand in the order of updates.';

/** The order of a search: by update where relevance has nothing to score. */
export function orderOf(
  sort: (typeof TRIAL_SORTS)[number] | undefined,
  parts: readonly Requirement[],
  gapClock?: GapClock,
): NonNullable<SearchedPage['sort']> {
  if (sort === 'daysOverdue' && gapClock === 'completion') return 'daysOverdueByCompletion';
  if (sort !== 'relevance') return sort ?? 'updated';
  if (parts.length === 0) return 'updated';
  return { relevantTo: parts };
}

/** What `_meta` says of an order by relevance: the formula and the scores, or that there was nothing to score. */
export function relevanceMeta(
  parts: readonly Requirement[],
  scores: number[] | null,
): { relevance?: RelevanceRecord; notices?: string[] } {
  if (scores === null) return { notices: [NOTHING_TO_SCORE] };
  const highest = parts.length * RELEVANCE_POINTS.title;
  return { relevance: { formula: RELEVANCE_FORMULA, parts: parts.length, highest, scores } };
}

/** Joins parts of `_meta`; the notices of all of them stay. */
export function withNotices(...parts: Record<string, unknown>[]): Record<string, unknown> {
  const notices = parts.flatMap((part) => (part.notices as string[] | undefined) ?? []);
  const { notices: _, ...joined } = Object.assign({}, ...parts) as Record<string, unknown>;
  return { ...joined, ...(notices.length > 0 && { notices }) };
}
