import { RELEVANCE_POINTS } from '../../contract/relevance.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { distinctRequirements, type Requirement, unitRequirement } from './filters.ts';
import { rowsMeeting } from './matching.ts';
import { EMPTY, intersect, pageOf, type RowSet, rowsOf } from './row-set.ts';

/**
 * The order by relevance. A part of q earns the points of the best field in which it stands (contract/relevance.ts). A
 * trial with 3 points for a part is in three sets: at least 1, at least 2, at least 3. So a score is the number of sets
 * that hold the trial.
 */

/** Keys under which the image has a word or a concept by field: from 4 points to 1; none where a field earns nothing. */
const FIELDS: Record<string, readonly (readonly string[])[]> = {
  [POSTING.text]: [[POSTING.titleText], [POSTING.conditionText], [POSTING.intervention], [POSTING.text]],
  [POSTING.concept]: [
    [POSTING.conceptInTitle],
    [POSTING.conceptInCondition],
    [POSTING.conceptInIntervention],
    [POSTING.concept],
  ],
  [POSTING.sponsor]: [[], [], [], [POSTING.sponsor]],
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
  return atLeast(RELEVANCE_POINTS.title, requirement) === null ? [] : [requirement];
}

/** Rows `offset` to `offset + limit` of the matching ones by their score, then by row. */
export function relevancePage(
  image: SnapshotImage,
  matching: RowSet,
  parts: readonly Requirement[],
  { offset, limit }: { offset: number; limit: number },
): RelevancePage {
  const rowsWith = (points: number, part: Requirement): RowSet => {
    const requirement = atLeast(points, part);
    return requirement === null ? EMPTY : rowsMeeting(image, requirement, matching);
  };
  // Most first pages consist of trials with all points of each part.
  const top = intersect([matching, ...parts.map((part) => rowsWith(RELEVANCE_POINTS.title, part))]);
  const highest = parts.length * RELEVANCE_POINTS.title;
  if (top.count >= offset + limit) {
    const rows = pageOf(top, offset, limit);
    return { rows, scores: Array.from(rows, () => highest) };
  }
  const scores = new Uint16Array(image.trials);
  let ofAll = 0;
  for (const part of parts) {
    for (let points = 1; points <= RELEVANCE_POINTS.title; points++) {
      const set = rowsWith(points, part);
      if (set.count === matching.count) {
        ofAll += 1;
        continue;
      }
      const held = rowsOf(set);
      for (let at = 0; at < held.length; at++) {
        const row = held[at] as number;
        scores[row] = (scores[row] as number) + 1;
      }
    }
  }
  const rows = bestOf(rowsOf(matching), scores, { offset, limit });
  return { rows, scores: Array.from(rows, (row) => ofAll + (scores[row] as number)) };
}

/** Rows of the page, those with the highest score first. */
function bestOf(
  matching: Uint32Array,
  scores: Uint16Array,
  { offset, limit }: { offset: number; limit: number },
): Uint32Array {
  const end = offset + limit;
  const counts: number[] = [];
  for (const row of matching) counts[scores[row] as number] = (counts[scores[row] as number] ?? 0) + 1;
  let [least, above] = [counts.length - 1, 0];
  while (least > 0 && above + (counts[least] ?? 0) < end) above += counts[least--] ?? 0;
  // Of the lowest score, only as many rows as the page still needs are sorted.
  let left = end - above;
  const best: number[] = [];
  for (const row of matching) {
    const score = scores[row] as number;
    if (score > least || (score === least && left-- > 0)) best.push(row);
  }
  best.sort((one, other) => (scores[other] as number) - (scores[one] as number) || one - other);
  return Uint32Array.from(best.slice(offset, end));
}

/**
 * What a trial with at least so many points for a part holds; null for an exclusion, which earns nothing. An alternative has the points of
 * its best side. A phrase has the points of its weakest word, as words that are read together have.
 */
function atLeast(points: number, part: Requirement): Requirement | null {
  if (typeof part === 'string') {
    const prefix = part.slice(0, part.indexOf(':') + 1);
    const fields = FIELDS[prefix];
    if (fields === undefined) throw new Error(`${part} is neither a word nor a concept of a text`);
    const better = fields.slice(0, RELEVANCE_POINTS.title + 1 - points).flat();
    return { anyOf: better.map((field) => field + part.slice(prefix.length)) };
  }
  const ofEach = (sides: readonly Requirement[]): Requirement[] =>
    sides.map((side) => atLeast(points, side)).filter((side) => side !== null);
  if ('anyOf' in part) {
    const anyOf = ofEach(part.anyOf);
    return anyOf.length === 0 ? null : { anyOf };
  }
  const together = 'phrase' in part ? part.phrase.map((unit) => unitRequirement(unit, POSTING.text)) : [];
  const allOf = ofEach('allOf' in part ? part.allOf : together);
  return allOf.length === 0 ? null : { allOf };
}
