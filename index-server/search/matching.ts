import type { QueryClause } from '../../snapshot-format/query.ts';
import { NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type CompiledFilters, clauseRequirements, type DayRange, type Requirement } from './filters.ts';
import { withPhrase } from './phrases.ts';
import { allRows, EMPTY, filterRows, intersect, pageOf, type RowSet, union } from './row-set.ts';

/** One page of the matching trials in result order, and their exact total. */
export function search(
  image: SnapshotImage,
  filters: CompiledFilters,
  { offset, limit }: { offset: number; limit: number },
): { total: number; rows: Uint32Array } {
  const matching = matchingRows(image, filters);
  return { total: matching.count, rows: pageOf(matching, offset, limit) };
}

/**
 * Rows that meet every filter, in result order. The set may lie in the image's own memory: use it before the image is
 * released.
 */
export function matchingRows(image: SnapshotImage, { text, requirements, ranges, within }: CompiledFilters): RowSet {
  const sets = meetEach(image, [...requirements, ...text.flatMap(clauseRequirements)]);
  if (sets === null) return EMPTY;
  if (within !== undefined) sets.push(within);
  let rows = sets.length === 0 ? allRows(image.trials) : intersect(sets);
  for (const range of ranges) rows = withinDays(image, rows, range);
  return withPhrases(image, rows, text);
}

/** Phrases come last: to look one up costs the most of all filters, by the row. */
function withPhrases(image: SnapshotImage, rows: RowSet, clauses: readonly QueryClause[]): RowSet {
  for (const clause of clauses) {
    if (rows.count === 0) return EMPTY;
    if (clause.kind === 'phrase') rows = withPhrase(image, rows, clause.units);
  }
  return rows;
}

/** Rows of each requirement; null where one has no row. */
function meetEach(image: SnapshotImage, requirements: readonly Requirement[]): RowSet[] | null {
  const sets: RowSet[] = [];
  for (const requirement of requirements) {
    const set = meet(image, requirement);
    if (set.count === 0) return null;
    sets.push(set);
  }
  return sets;
}

function meet(image: SnapshotImage, requirement: Requirement): RowSet {
  if (typeof requirement === 'string') return image.posting(requirement) ?? EMPTY;
  if ('allOf' in requirement) return intersect(meetEach(image, requirement.allOf) ?? [EMPTY]);
  const sets = requirement.anyOf.map((alternative) => meet(image, alternative));
  return union(sets, image.trials);
}

function withinDays(image: SnapshotImage, rows: RowSet, { column, after, before }: DayRange): RowSet {
  const first = image.columns[`${column}First`];
  const last = image.columns[`${column}Last`];
  const from = after ?? NOT_STATED + 1;
  const until = before ?? Number.POSITIVE_INFINITY;
  // NOT_STATED lies before every `from`, so that a blank date never matches.
  return filterRows(rows, (row) => (last[row] as number) >= from && (first[row] as number) <= until);
}
