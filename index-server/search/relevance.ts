import { RELEVANCE_POINTS } from '../../contract/relevance.ts';
import type { QueryClause } from '../../snapshot-format/query.ts';
import { POSTING } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { BitCounts } from './bit-counts.ts';
import { clauseRequirements, distinctRequirements, type Requirement, unitRequirement } from './filters.ts';
import { Places } from './places.ts';
import type { RowSet } from './row-set.ts';

/**
 * The order by relevance. A part of q earns the points of the best field in which it stands (contract/relevance.ts). A
 * trial with 3 points for a part stands in three sets: at least 1, at least 2, at least 3. So a score is the number of
 * sets that hold the trial, and 32 trials are counted at a time.
 */

/** Keys under which the image has a word or a concept by field: from 4 points to 1. */
const FIELDS: Record<string, readonly string[]> = {
  [POSTING.text]: [POSTING.titleText, POSTING.conditionText, POSTING.intervention, POSTING.text],
  [POSTING.concept]: [
    POSTING.conceptInTitle,
    POSTING.conceptInCondition,
    POSTING.conceptInIntervention,
    POSTING.concept,
  ],
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
  const places = new Places(matching, image);
  const sums = new BitCounts(places.all.words.length, parts.length * RELEVANCE_POINTS.title);
  for (const part of parts) for (const set of setsOf(part, image, places) ?? []) sums.add(set);
  const best = sums.largest(places.all, page);
  return { rows: Uint32Array.from(best.places, (place) => places.rowAt(place)), scores: best.counts };
}

/** Places with at least 4, 3, 2 and 1 points for the part; null for an exclusion, which earns nothing. */
function setsOf(part: Requirement, image: SnapshotImage, places: Places): Uint32Array[] | null {
  if (typeof part === 'string') return setsOfKey(part, image, places);
  if ('phrase' in part)
    return setsOf({ allOf: clauseRequirements({ kind: 'phrase', units: part.phrase }) }, image, places);
  if ('anyOf' in part) return combined(part.anyOf, eitherOf, image, places);
  return 'allOf' in part ? combined(part.allOf, bothOf, image, places) : null;
}

function setsOfKey(key: string, image: SnapshotImage, places: Places): Uint32Array[] {
  const prefix = key.slice(0, key.indexOf(':') + 1);
  const fields = FIELDS[prefix];
  if (fields === undefined) throw new Error(`${key} is neither a word nor a concept of a text`);
  let atLeast: Uint32Array | null = null;
  return fields.map((field) => {
    const held = places.bitsOf(image.posting(field + key.slice(prefix.length)));
    atLeast = atLeast === null ? held : eitherOf(atLeast, held);
    return atLeast;
  });
}

/** An alternative has the points of its best side; words that are read together have those of the weakest. */
function combined(
  requirements: readonly Requirement[],
  combine: (one: Uint32Array, other: Uint32Array) => Uint32Array,
  image: SnapshotImage,
  places: Places,
): Uint32Array[] | null {
  const sets = requirements.flatMap((one) => {
    const found = setsOf(one, image, places);
    return found === null ? [] : [found];
  });
  return sets.length === 0
    ? null
    : sets.reduce((before, next) => before.map((set, level) => combine(set, next[level]!)));
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
