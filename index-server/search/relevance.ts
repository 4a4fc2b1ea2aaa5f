import { RELEVANCE_POINTS } from '../../contract/relevance.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { BitCounts } from './counting/bit-counts.ts';
import { distinctRequirements, type Requirement, unitRequirement } from './filters.ts';
import { bitmapOf, divide, pageOf, type RowSet, setBits } from './row-set.ts';

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
  const all = bitmapOf(matching, image.trials);
  const top = ofMostPoints(parts, all, image);
  if (top.count >= page.offset + page.limit) {
    const rows = pageOf(top, page.offset, page.limit);
    return { rows, scores: Array.from(rows, () => parts.length * RELEVANCE_POINTS.title) };
  }
  const sums = new BitCounts(all.words.length, parts.length * RELEVANCE_POINTS.title);
  for (const part of parts) for (const set of setsOf(part, image, RELEVANCE_POINTS.title) ?? []) sums.add(set);
  const { places, counts } = sums.largest(all, page);
  return { rows: Uint32Array.from(places), scores: counts };
}

/** Trials with all points of each part, of which most first pages are made: a quarter of the sets tells. */
function ofMostPoints(parts: readonly Requirement[], all: RowSet, image: SnapshotImage): RowSet {
  let top = all;
  for (const part of parts) for (const set of setsOf(part, image, 1) ?? []) [top] = divide(top, set);
  return top;
}

/** Rows with 4 points for the part, with at least 3 and so on, as many sets of bits as asked for. Null for an exclusion, which earns nothing. */
function setsOf(part: Requirement, image: SnapshotImage, sets: number): Uint32Array[] | null {
  if (typeof part === 'string') return setsOfKey(part, image, sets);
  // A phrase has the points of its weakest word, as words that are read together have.
  if ('phrase' in part) {
    return setsOf({ allOf: part.phrase.map((unit) => unitRequirement(unit, POSTING.text)) }, image, sets);
  }
  const of = 'anyOf' in part ? part.anyOf : 'allOf' in part ? part.allOf : [];
  const [first, ...others] = of.map((one) => setsOf(one, image, sets)).filter((one) => one !== null);
  if (first === undefined) return null;
  for (const other of others) {
    for (const [place, words] of first.entries()) {
      const more = other[place] as Uint32Array;
      if ('anyOf' in part)
        for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) | (more[at] as number);
      else for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & (more[at] as number);
    }
  }
  return first;
}

/** Each set has the rows of its field and those of the fields that earn more. */
function setsOfKey(key: string, image: SnapshotImage, sets: number): Uint32Array[] {
  const prefix = key.slice(0, key.indexOf(':') + 1);
  const fields = FIELDS[prefix];
  if (fields === undefined) throw new Error(`${key} is neither a word nor a concept of a text`);
  let words = new Uint32Array(Math.ceil(image.trials / 32));
  return fields.slice(0, sets).map((field) => {
    words = words.slice();
    const held = field === null ? null : image.posting(field + key.slice(prefix.length));
    if (held?.form === 'list') setBits(words, held);
    else if (held)
      for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) | (held.words[at] as number);
    return words;
  });
}

function earnsPoints(requirement: Requirement): boolean {
  if (typeof requirement === 'string' || 'phrase' in requirement) return true;
  if ('anyOf' in requirement) return requirement.anyOf.some(earnsPoints);
  return 'allOf' in requirement && requirement.allOf.some(earnsPoints);
}
