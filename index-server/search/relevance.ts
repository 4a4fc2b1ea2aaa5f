import { RELEVANCE_POINTS } from '../../contract/relevance.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { QueryClause } from '../../snapshot/format/words/query.ts';
import type { TextUnit } from '../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { BitCounts } from './counting/bit-counts.ts';
import { clauseRequirements, distinctRequirements, type Requirement, unitRequirement } from './filters.ts';
import { Places } from './places.ts';
import { divide, EMPTY, intersect, isHeldBy, pageOf, type RowSet, rowsOf } from './row-set.ts';

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

/** So many words of a set of places are read in the time in which a row is looked up in the fields of a word. */
const LOOKED_UP = 8;

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
  const made = Array.from({ length: sets }, () => new Uint32Array(scored.places.all.words.length));
  return addSets(made, part, scored) ? made : null;
}

/** Adds the places of the part to sets that begin with those of at least 4 points; false for an exclusion. */
function addSets(to: Uint32Array[], part: Requirement, scored: Scored): boolean {
  if (typeof part === 'string') {
    for (const [place, posting] of fieldsOf(part, to.length, scored).entries()) {
      scored.places.addTo(to.slice(place), posting);
    }
    return true;
  }
  if ('phrase' in part) {
    addPhrase(to, part.phrase, scored);
    return true;
  }
  if ('anyOf' in part) {
    // An alternative has the points of its best side.
    return part.anyOf.map((one) => addSets(to, one, scored)).includes(true);
  }
  return 'allOf' in part && addAllOf(to, part.allOf, scored);
}

/** Words that are read together have the points of the weakest. */
function addAllOf(to: Uint32Array[], of: readonly Requirement[], scored: Scored): boolean {
  const found = of.map((one) => setsOf(one, to.length, scored)).filter((one) => one !== null);
  const [first, ...others] = found;
  if (first === undefined) return false;
  for (const [place, set] of first.entries()) {
    for (const other of others) keepBoth(set, other[place] as Uint32Array);
    addAll(to[place] as Uint32Array, set);
  }
  return true;
}

/** A phrase has the points of its weakest word. Where few places have all of its words, each of them is looked up by itself. */
function addPhrase(to: Uint32Array[], units: TextUnit[], scored: Scored): void {
  const { places, image } = scored;
  const words = clauseRequirements({ kind: 'phrase', units });
  const texts = words.flatMap((word) => (typeof word === 'string' ? [image.posting(word) ?? EMPTY] : []));
  const having = texts.length === words.length ? intersect([...texts, places.rows]) : null;
  if (having === null || having.count * LOOKED_UP > places.all.words.length) {
    addAllOf(to, words, scored);
    return;
  }
  const fields = (words as string[]).map((word) => fieldsOf(word, to.length, scored));
  const mostOf = (row: number): number =>
    Math.max(
      ...fields.map((of) => {
        const best = of.findIndex((posting) => posting !== null && isHeldBy(posting, row));
        return best < 0 ? of.length : best;
      }),
    );
  for (const row of rowsOf(having)) for (const set of to.slice(mostOf(row))) places.add(set, row);
}

/** Postings of a word or a concept by field: from 4 points down, so many. */
function fieldsOf(key: string, sets: number, { image }: Scored): (RowSet | null)[] {
  const prefix = key.slice(0, key.indexOf(':') + 1);
  const fields = FIELDS[prefix];
  if (fields === undefined) throw new Error(`${key} is neither a word nor a concept of a text`);
  return fields
    .slice(0, sets)
    .map((field) => (field === null ? null : image.posting(field + key.slice(prefix.length))));
}

function earnsPoints(requirement: Requirement): boolean {
  if (typeof requirement === 'string' || 'phrase' in requirement) return true;
  if ('anyOf' in requirement) return requirement.anyOf.some(earnsPoints);
  return 'allOf' in requirement && requirement.allOf.some(earnsPoints);
}

function addAll(to: Uint32Array, from: Uint32Array): void {
  for (let at = 0; at < to.length; at++) to[at] = (to[at] as number) | (from[at] as number);
}

function keepBoth(to: Uint32Array, from: Uint32Array): void {
  for (let at = 0; at < to.length; at++) to[at] = (to[at] as number) & (from[at] as number);
}
