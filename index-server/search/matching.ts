import { foldTerm, NO_AGE, NO_SPONSOR, NOT_STATED, POSTING } from '../../snapshot/format/serving-columns.ts';
import type { QueryClause } from '../../snapshot/format/words/query.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { rowsInConflict } from './conflict-rows.ts';
import { passesClock } from './counting/results-clock.ts';
import { type ColumnTest, type CompiledFilters, clauseRequirements, filtersKey, type Requirement } from './filters.ts';
import { ImageCache } from './image-cache.ts';
import { holdsPhrase, holdsPlainWord, phraseRows, withPhrase } from './phrases.ts';
import { relevancePage } from './relevance.ts';
import {
  allRows,
  complementOf,
  EMPTY,
  filterRows,
  intersect,
  isHeldBy,
  pageOf,
  type RowSet,
  union,
  without,
} from './row-set.ts';
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

const KEPT_UNION_BYTES = 16_000_000;

/**
 * A request pages, counts and compares what its filters find in both readings of its words, and a page makes several requests with the same
 * filters, each of which counts other readings too: so many sets are kept to be asked for again, each of a bit for each trial at most.
 */
const KEPT_SETS = 32;
interface KeptSet {
  filters: CompiledFilters;
  /** Null for filters that depend on rows found earlier. */
  key: string | null;
  rows: RowSet;
}
const lately = new WeakMap<SnapshotImage, readonly KeptSet[]>();

/**
 * Rows that meet every filter, in result order. The set may lie in the image's own memory: use it before the image is
 * released.
 */
export function matchingRows(image: SnapshotImage, filters: CompiledFilters): RowSet {
  const kept = lately.get(image) ?? [];
  const same = kept.find((one) => one.filters === filters);
  if (same !== undefined) return same.rows;
  const key = filtersKey(filters);
  const equal = key === null ? undefined : kept.find((one) => one.key === key);
  const rows = equal?.rows ?? findRows(image, filters);
  const others = kept.filter((one) => one !== equal);
  lately.set(image, [{ filters, key, rows }, ...others].slice(0, KEPT_SETS));
  return rows;
}

function findRows(image: SnapshotImage, { text, requirements, tests, within }: CompiledFilters): RowSet {
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

/** Whether a row meets the requirement, for a look at few rows: no set of all rows is made. */
export function meets(image: SnapshotImage, requirement: Requirement): (row: number) => boolean {
  if (typeof requirement === 'string') return heldBy(image.posting(requirement) ?? EMPTY);
  if ('conflictOn' in requirement) return heldBy(rowsInConflict(image, requirement.conflictOn));
  if ('not' in requirement) {
    const excluded = meets(image, requirement.not);
    return (row) => !excluded(row);
  }
  if ('plainWord' in requirement) return holdsPlainWord(image, requirement.plainWord);
  if ('phrase' in requirement) {
    const words = meets(image, { allOf: requirementsOf(requirement) });
    const phrase = holdsPhrase(image, requirement.phrase);
    return (row) => words(row) && phrase(row);
  }
  // Hardly any row is held against the later alternatives, so nothing is looked up for them before one is.
  const each = ('anyOf' in requirement ? requirement.anyOf : requirement.allOf).map((one) => whenAsked(image, one));
  return 'anyOf' in requirement ? (row) => each.some((one) => one(row)) : (row) => each.every((one) => one(row));
}

function whenAsked(image: SnapshotImage, requirement: Requirement): (row: number) => boolean {
  let test: ((row: number) => boolean) | null = null;
  return (row) => {
    test ??= meets(image, requirement);
    return test(row);
  };
}

function heldBy(rows: RowSet): (row: number) => boolean {
  return (row) => isHeldBy(rows, row);
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
  if ('allOf' in requirement) return meetAll(image, requirement.allOf);
  if ('not' in requirement) return complementOf(meet(image, requirement.not), image.trials);
  if ('conflictOn' in requirement) return rowsInConflict(image, requirement.conflictOn);
  if ('phrase' in requirement) return meetPhrase(image, requirement, []);
  if ('plainWord' in requirement) {
    const { plainWord } = requirement;
    return filterRows(image.posting(POSTING.text + plainWord) ?? EMPTY, holdsPlainWord(image, plainWord));
  }
  return meetAny(image, requirement.anyOf);
}

/** What is excluded is taken away from what else is met: no set of all other rows is made. */
function meetAll(image: SnapshotImage, requirements: readonly Requirement[]): RowSet {
  const excluded = requirements.flatMap((one) => (typeof one !== 'string' && 'not' in one ? [one.not] : []));
  const others = requirements.filter((one) => typeof one === 'string' || !('not' in one));
  const sets = meetEach(image, others);
  if (sets === null) return EMPTY;
  let rows = sets.length === 0 ? allRows(image.trials) : intersect(sets);
  for (const one of excluded) if (rows.count > 0) rows = without(rows, meet(image, one));
  return rows;
}

/** Rows of alternatives with phrases: all names of a concept are asked for whenever the concept is. */
const unions = new ImageCache<RowSet>(KEPT_UNION_BYTES, ({ words }) => words.byteLength);

/** Phrases come last and are looked up only in the rows that nothing else met. */
function meetAny(image: SnapshotImage, alternatives: readonly Requirement[]): RowSet {
  const key = alternatives.some(isPhrase) ? JSON.stringify(alternatives) : null;
  const known = key === null ? undefined : unions.get(image, key);
  if (known !== undefined) return known;
  const others = union(
    alternatives.flatMap((one) => (isPhrase(one) ? [] : [meet(image, one)])),
    image.trials,
  );
  const sets = others.count > 0 ? [others] : [];
  for (const one of alternatives) {
    const met = isPhrase(one) ? meetPhrase(image, one, sets) : EMPTY;
    if (met.count > 0) sets.push(met);
  }
  const all = union(sets, image.trials);
  // The union of fewer may lie in the image.
  if (key !== null && sets.length > 1) unions.set(image, key, all);
  return all;
}

type Phrase = Extract<Requirement, { phrase: unknown }>;

function isPhrase(requirement: Requirement): requirement is Phrase {
  return typeof requirement !== 'string' && 'phrase' in requirement;
}

/** Rows with the phrase; those of `but` are left out. */
function meetPhrase(image: SnapshotImage, requirement: Phrase, but: readonly RowSet[]): RowSet {
  const words = wordsOf(image, requirement);
  return words === null ? EMPTY : phraseRows(image, words, requirement.phrase, but);
}

/** Rows of each word of the phrase and of what else it asks for; null where one has no row. */
function wordsOf(image: SnapshotImage, phrase: Phrase): RowSet[] | null {
  return meetEach(image, requirementsOf(phrase));
}

/** What a row must meet before the phrase is looked up in it. */
function requirementsOf({ phrase: units, and = [] }: Phrase): Requirement[] {
  return [...clauseRequirements({ kind: 'phrase', units }), ...and];
}

function keeps(image: SnapshotImage, test: ColumnTest): (row: number) => boolean {
  const { columns } = image;
  if ('age' in test) {
    const { minAge, maxAge } = columns;
    return (row) => holdsAge(minAge[row] as number, maxAge[row] as number, test.age);
  }
  if ('clock' in test) return passesClock(image, test);
  if ('sponsorNamed' in test) return isOfSponsor(image, test.sponsorNamed);
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

/** Each name is read once: a filter by its words left few of them. */
function isOfSponsor(image: SnapshotImage, folded: string): (row: number) => boolean {
  const { sponsor } = image.columns;
  const known = new Map<number, boolean>([[NO_SPONSOR, false]]);
  return (row) => {
    const number = sponsor[row] as number;
    let is = known.get(number);
    if (is === undefined) {
      is = foldTerm(image.sponsorName(number)) === folded;
      known.set(number, is);
    }
    return is;
  };
}
