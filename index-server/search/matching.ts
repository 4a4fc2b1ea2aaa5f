import { foldTerm, NO_AGE, NO_SPONSOR, NOT_STATED, POSTING } from '../../snapshot/format/serving-columns.ts';
import { encodePhrase, holdsAlone, phraseTest } from '../../snapshot/format/words/sequence.ts';
import type { TextUnit } from '../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { rowsInConflict } from './conflict-rows.ts';
import { passesClock } from './counting/results-clock.ts';
import { type ColumnTest, type CompiledFilters, type Requirement, unitRequirement } from './filters.ts';
import { ImageCache } from './image-cache.ts';
import { allRows, EMPTY, filterRows, intersect, type RowSet, union, without } from './row-set.ts';

/**
 * A request pages, counts and compares what its filters find in both readings of its words, and a page makes several requests with the same
 * filters, each of which counts other readings too: so many sets are kept to be asked for again, each of a bit for each trial at most.
 */
const KEPT_SETS = 32;
const kept = new ImageCache<RowSet>(KEPT_SETS);

/**
 * Rows that meet every filter, in result order. The set may lie in the image's own memory: use it before the image is
 * released.
 */
export function matchingRows(image: SnapshotImage, filters: CompiledFilters): RowSet {
  const key = JSON.stringify([filters.text, filters.requirements, filters.tests, filters.within?.name]);
  const rows = kept.get(image, key) ?? findRows(image, filters);
  kept.set(image, key, rows);
  return rows;
}

/** Phrases come last: to look one up costs the most of all filters, by the row. */
function findRows(image: SnapshotImage, { text, requirements, tests, within }: CompiledFilters): RowSet {
  const phrases = text.filter(isByRow);
  const others = [...requirements, ...text.filter((one) => !isByRow(one)), ...phrases.flatMap(wordsOf)];
  let rows = rowsMeeting(image, { allOf: others }, within?.rows);
  for (const test of tests) rows = filterRows(rows, keeps(image, test));
  return rowsMeeting(image, { allOf: phrases }, rows);
}

/** Rows that meet a requirement, of those in `among` if it is given. The set may lie in the image's own memory. */
export function rowsMeeting(image: SnapshotImage, requirement: Requirement, among?: RowSet): RowSet {
  if (among?.count === 0) return EMPTY;
  const held = (rows: RowSet | null): RowSet =>
    rows === null ? EMPTY : among === undefined ? rows : intersect([rows, among]);
  if (typeof requirement === 'string') return held(image.posting(requirement));
  if ('allOf' in requirement) return meetAll(image, requirement.allOf, among);
  if ('not' in requirement) {
    return without(among ?? allRows(image.trials), rowsMeeting(image, requirement.not, among));
  }
  if ('conflictOn' in requirement) return held(rowsInConflict(image, requirement.conflictOn));
  if ('phrase' in requirement) return withPhrase(image, requirement.phrase, among);
  if ('plainWord' in requirement) return withPlainWord(image, requirement.plainWord, among);
  return union(
    requirement.anyOf.map((one) => rowsMeeting(image, one, among)),
    image.trials,
  );
}

/** Tells of a row whether it meets the requirement, for a look at few rows. */
export function meets(image: SnapshotImage, requirement: Requirement): (row: number) => boolean {
  return (row) => rowsMeeting(image, requirement, { form: 'list', count: 1, words: Uint32Array.of(row) }).count === 1;
}

/** Postings bound the work and come first; what is excluded is taken away from the rest, and what is looked up by the row comes last. */
function meetAll(image: SnapshotImage, requirements: readonly Requirement[], among?: RowSet): RowSet {
  const isLate = (one: Requirement): boolean => isByRow(one) || (typeof one !== 'string' && 'not' in one);
  const sets: RowSet[] = among === undefined ? [] : [among];
  for (const one of requirements) {
    if (isLate(one)) continue;
    const rows = rowsMeeting(image, one);
    if (rows.count === 0) return EMPTY;
    sets.push(rows);
  }
  let rows = sets.length === 0 ? undefined : intersect(sets);
  for (const one of requirements.filter((late) => isLate(late) && !isByRow(late))) rows = rowsMeeting(image, one, rows);
  for (const one of requirements.filter(isByRow)) rows = rowsMeeting(image, one, rows);
  return rows ?? allRows(image.trials);
}

function isByRow(requirement: Requirement): boolean {
  return typeof requirement !== 'string' && ('phrase' in requirement || 'plainWord' in requirement);
}

/** The words of a phrase, each of which a row must have. */
function wordsOf(requirement: Requirement): Requirement[] {
  if (typeof requirement === 'string' || !('phrase' in requirement)) return [];
  return requirement.phrase.map((unit) => unitRequirement(unit, POSTING.text));
}

/** Rows that hold the phrase within one field; `matchesQuery` defines when a field holds it. */
function withPhrase(image: SnapshotImage, units: TextUnit[], among?: RowSet): RowSet {
  const phrase = encodePhrase(units, (key) => image.termNumber(POSTING.text + key));
  if (phrase === null) return EMPTY;
  const pairs = commonPairs(image, units);
  const words = meetAll(image, wordsOf({ phrase: units }), among);
  const candidates = intersect([words, ...pairs]);
  // The posting of the pair already answers a phrase of two common words.
  if (units.length === 2 && pairs.length === 1) return candidates;
  const test = phraseTest(phrase);
  return filterRows(candidates, (row) => {
    const { values, start, end } = image.sequence(row);
    return test(values, start, end);
  });
}

/** Postings of the neighbouring words of the phrase that are both common: the image keeps one for each such pair. */
function commonPairs(image: SnapshotImage, units: readonly TextUnit[]): RowSet[] {
  const common = units.map((unit) => {
    const key = unit.kind === 'word' ? POSTING.text + unit.key : '';
    const rows = image.posting(key)?.count ?? 0;
    return rows > 0 && rows >= image.commonTermRows ? image.termNumber(key) : undefined;
  });
  return common.flatMap((second, place) => {
    const first = common[place - 1];
    return first === undefined || second === undefined ? [] : [image.pair(first, second) ?? EMPTY];
  });
}

/** Rows that hold the word by itself and not only as a part of compounds: "ischemic" beside "non-ischemic". */
function withPlainWord(image: SnapshotImage, word: string, among?: RowSet): RowSet {
  const key = POSTING.text + word;
  const term = image.termNumber(key);
  if (term === undefined) return EMPTY;
  return filterRows(rowsMeeting(image, key, among), (row) => {
    const { values, start, end } = image.sequence(row);
    return holdsAlone(values, start, end, term);
  });
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
