import { NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { CompiledFilters, DayRange, Requirement } from './filters.ts';
import { withPhrase } from './phrases.ts';
import { allRows, EMPTY, filterRows, intersect, type RowSet, union } from './row-set.ts';

/**
 * Rows that meet every filter, in result order. Postings first, then dates, then phrases, each on what is left. The set
 * may lie in the image's own memory: use it before the image is released.
 */
export function matchingRows(image: SnapshotImage, { requirements, phrases, ranges, within }: CompiledFilters): RowSet {
  const sets = requirements.length === 0 ? [] : [meetAll(image, requirements)];
  if (within !== undefined) sets.push(within);
  let rows = sets.length === 0 ? allRows(image.trials) : intersect(sets);
  for (const range of ranges) rows = withinDays(image, rows, range);
  for (const units of phrases) {
    if (rows.count === 0) return EMPTY;
    rows = withPhrase(image, rows, units);
  }
  return rows;
}

function meetAll(image: SnapshotImage, requirements: Requirement[]): RowSet {
  const sets: RowSet[] = [];
  for (const requirement of requirements) {
    const set = meet(image, requirement);
    if (set.count === 0) return EMPTY;
    sets.push(set);
  }
  return intersect(sets);
}

function meet(image: SnapshotImage, requirement: Requirement): RowSet {
  if (typeof requirement === 'string') return image.posting(requirement) ?? EMPTY;
  if ('allOf' in requirement) return meetAll(image, requirement.allOf);
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
