import type { QueryClause } from '../../snapshot-format/query.ts';
import { GAP, NO_AGE, NOT_STATED } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { rowsInConflict } from './conflict-rows.ts';
import { type ColumnTest, type CompiledFilters, clauseRequirements, type Requirement } from './filters.ts';
import { withPhrase } from './phrases.ts';
import { relevancePage } from './relevance.ts';
import { allRows, complementOf, EMPTY, filterRows, intersect, pageOf, type RowSet, union } from './row-set.ts';
import { sortedPage, type TrialSort } from './sort-order.ts';

export interface SearchedPage {
  offset: number;
  limit: number;
  /** By update if left out; by relevance to these parts of a query. */
  sort?: TrialSort | 'updated' | { relevantTo: readonly Requirement[] };
}

/** One page of the matching trials in result order or another, and their exact total. */
export function search(
  image: SnapshotImage,
  filters: CompiledFilters,
  { offset, limit, sort = 'updated' }: SearchedPage,
): { total: number; rows: Uint32Array; scores: number[] | null } {
  const matching = matchingRows(image, filters);
  const total = matching.count;
  if (sort === 'updated') return { total, rows: pageOf(matching, offset, limit), scores: null };
  if (typeof sort !== 'string') return { total, ...relevancePage(image, matching, sort.relevantTo, { offset, limit }) };
  return { total, rows: sortedPage(image, matching, sort, { offset, limit }), scores: null };
}

/**
 * Rows that meet every filter, in result order. The set may lie in the image's own memory: use it before the image is
 * released.
 */
export function matchingRows(image: SnapshotImage, { text, requirements, tests, within }: CompiledFilters): RowSet {
  const sets = meetEach(image, [...requirements, ...text.flatMap(clauseRequirements)]);
  if (sets === null) return EMPTY;
  if (within !== undefined) sets.push(within);
  let rows = sets.length === 0 ? allRows(image.trials) : intersect(sets);
  for (const test of tests) rows = filterRows(rows, keeps(image, test));
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

/** Rows that meet one requirement. The set may lie in the image's own memory. */
export function rowsMeeting(image: SnapshotImage, requirement: Requirement): RowSet {
  return meet(image, requirement);
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
  if ('not' in requirement) return complementOf(meet(image, requirement.not), image.trials);
  if ('conflictOn' in requirement) return rowsInConflict(image, requirement.conflictOn);
  if ('phrase' in requirement) return meetPhrase(image, requirement, null);
  return meetAny(image, requirement.anyOf);
}

/** Phrases come last and are looked up only in the rows that nothing else met. */
function meetAny(image: SnapshotImage, alternatives: readonly Requirement[]): RowSet {
  const sets = alternatives.flatMap((one) => (isPhrase(one) ? [] : [meet(image, one)]));
  let found = union(sets, image.trials);
  for (const one of alternatives) {
    if (isPhrase(one)) found = union([found, meetPhrase(image, one, found)], image.trials);
  }
  return found;
}

type Phrase = Extract<Requirement, { phrase: unknown }>;

function isPhrase(requirement: Requirement): requirement is Phrase {
  return typeof requirement !== 'string' && 'phrase' in requirement;
}

/** Rows with the phrase; those of `but` are left out. */
function meetPhrase(image: SnapshotImage, { phrase: units, and = [] }: Phrase, but: RowSet | null): RowSet {
  const words = meetEach(image, [...clauseRequirements({ kind: 'phrase', units }), ...and]);
  if (words === null) return EMPTY;
  const candidates = intersect(but === null ? words : [...words, complementOf(but, image.trials)]);
  return withPhrase(image, candidates, units);
}

function keeps({ columns }: SnapshotImage, test: ColumnTest): (row: number) => boolean {
  if ('age' in test) {
    const { minAge, maxAge } = columns;
    return (row) => holdsAge(minAge[row] as number, maxAge[row] as number, test.age);
  }
  if ('gap' in test) {
    const { gap0, gapDay0 } = columns;
    const { gap, completedBy } = test;
    const isIn = (row: number): boolean =>
      gap0[row] === GAP.withoutResults && gapDay0[row] !== NOT_STATED && (gapDay0[row] as number) <= completedBy;
    return (row) => isIn(row) === gap;
  }
  const first = columns[test.first];
  const last = columns[test.last];
  const from = test.after ?? NOT_STATED + 1;
  const until = test.before ?? Number.POSITIVE_INFINITY;
  // NOT_STATED lies before every `from`, so that a blank never matches.
  return (row) => (last[row] as number) >= from && (first[row] as number) <= until;
}

function holdsAge(least: number, most: number, age: number): boolean {
  if (least === NO_AGE && most === NO_AGE) return false;
  return (least === NO_AGE || least <= age) && (most === NO_AGE || most >= age);
}
