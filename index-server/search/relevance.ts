import { RELEVANCE_POINTS } from '../../contract/relevance.ts';
import type { QueryClause } from '../../snapshot-format/query.ts';
import { POSTING } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { BitCounts } from './bit-counts.ts';
import { clauseRequirements, distinctRequirements, type Requirement, unitRequirement } from './filters.ts';
import { Places } from './places.ts';
import { divide, pageOf, type RowSet } from './row-set.ts';

/**
 * The order by relevance. A part of q earns the points of the best field in which it stands (contract/relevance.ts). A
 * trial with 3 points for a part stands in three sets: at least 1, at least 2, at least 3. So a score is the number of
 * sets that hold the trial, and 32 trials are counted at a time.
 */

/** Keys under which the image has a word or a concept by field: from 4 points to 1; null where it earns fewer. */
const FIELDS: Record<string, readonly (string | null)[]> = {
  [POSTING.text]: [POSTING.titleText, POSTING.conditionText, POSTING.intervention, POSTING.text],
  [POSTING.concept]: [
    POSTING.conceptInTitle,
    POSTING.conceptInCondition,
    POSTING.conceptInIntervention,
    POSTING.concept,
  ],
  [POSTING.sponsor]: [null, null, null, POSTING.sponsor],
};

export interface RelevancePage {
  rows: Uint32Array;
  /** Of each row. */
  scores: number[];
}

/** The parts of a query by words. */
export function partsOfText(text: readonly QueryClause[]): Requirement[] {
  return distinctRequirements(
    text.map((clause) => (clause.kind === 'phrase' ? { phrase: clause.units } : unitRequirement(clause, POSTING.text))),
  );
}

/** The parts of a query by concepts: all that must hold together. What is excluded is no part. */
export function partsOf(requirement: Requirement): Requirement[] {
  if (typeof requirement !== 'string' && 'allOf' in requirement) {
    return distinctRequirements(requirement.allOf.flatMap(partsOf));
  }
  return earnsPoints(requirement) ? [requirement] : [];
}

/** Rows `offset` to `offset + limit` of the matching ones by their score, then by row. */
export function relevancePage(
  image: SnapshotImage,
  matching: RowSet,
  parts: readonly Requirement[],
  page: { offset: number; limit: number },
): RelevancePage {
  const scored = { image, places: new Places(matching, image) };
  const best = ofHighestScore(parts, scored, page) ?? byScore(parts, scored, page);
  return { rows: Uint32Array.from(best.places, (place) => scored.places.rowAt(place)), scores: best.counts };
}

interface Scored {
  image: SnapshotImage;
  places: Places;
}

type Page = Parameters<BitCounts['largest']>[1];
type ScoredPlaces = ReturnType<BitCounts['largest']>;

/** A page of trials that have all points of each part, as most first pages are; null where there are too few of them. */
function ofHighestScore(parts: readonly Requirement[], scored: Scored, page: Page): ScoredPlaces | null {
  let top = scored.places.all;
  for (const part of parts) for (const set of setsOf(part, 1, scored) ?? []) [top] = divide(top, set);
  if (top.count < page.offset + page.limit) return null;
  const places = [...pageOf(top, page.offset, page.limit)];
  return { places, counts: places.map(() => parts.length * RELEVANCE_POINTS.title) };
}

function byScore(parts: readonly Requirement[], scored: Scored, page: Page): ScoredPlaces {
  const { all } = scored.places;
  const sums = new BitCounts(all.words.length, parts.length * RELEVANCE_POINTS.title);
  for (const part of parts) for (const set of setsOf(part, RELEVANCE_POINTS.title, scored) ?? []) sums.add(set);
  return sums.largest(all, page);
}

/**
 * Places with at least 4 points for the part, with at least 3 and so on, as many sets as asked for. Null for an exclusion, which
 * earns nothing.
 */
function setsOf(part: Requirement, sets: number, scored: Scored): Uint32Array[] | null {
  if (typeof part === 'string') return setsOfKey(part, sets, scored);
  if ('phrase' in part) {
    return setsOf({ allOf: clauseRequirements({ kind: 'phrase', units: part.phrase }) }, sets, scored);
  }
  const [of, combine] =
    'anyOf' in part ? [part.anyOf, eitherOf] : 'allOf' in part ? [part.allOf, bothOf] : [[], bothOf];
  // An alternative has the points of its best side; words that are read together have those of the weakest.
  const found = of.map((one) => setsOf(one, sets, scored)).filter((one) => one !== null);
  const [first, ...others] = found;
  if (first === undefined) return null;
  return others.reduce((before, next) => before.map((set, place) => combine(set, next[place] as Uint32Array)), first);
}

function setsOfKey(key: string, sets: number, { image, places }: Scored): Uint32Array[] {
  const prefix = key.slice(0, key.indexOf(':') + 1);
  const fields = FIELDS[prefix];
  if (fields === undefined) throw new Error(`${key} is neither a word nor a concept of a text`);
  let atLeast: Uint32Array | null = null;
  return fields.slice(0, sets).map((field) => {
    const held = places.bitsOf(field === null ? null : image.posting(field + key.slice(prefix.length)));
    atLeast = atLeast === null ? held : eitherOf(atLeast, held);
    return atLeast;
  });
}

function earnsPoints(requirement: Requirement): boolean {
  if (typeof requirement === 'string' || 'phrase' in requirement) return true;
  if ('anyOf' in requirement) return requirement.anyOf.some(earnsPoints);
  return 'allOf' in requirement && requirement.allOf.some(earnsPoints);
}

function eitherOf(one: Uint32Array, other: Uint32Array): Uint32Array {
  const words = new Uint32Array(one.length);
  for (let at = 0; at < words.length; at++) words[at] = (one[at] as number) | (other[at] as number);
  return words;
}

function bothOf(one: Uint32Array, other: Uint32Array): Uint32Array {
  const words = new Uint32Array(one.length);
  for (let at = 0; at < words.length; at++) words[at] = (one[at] as number) & (other[at] as number);
  return words;
}
