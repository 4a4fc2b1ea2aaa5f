import { RELEVANCE_POINTS } from '../../contract/relevance.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { BitCounts } from './counting/bit-counts.ts';
import { distinctRequirements, type Requirement, unitRequirement } from './filters.ts';
import { allRows, bitmapOf, divide, pageOf, type RowSet, rowsOf, setBits } from './row-set.ts';

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

/** The numbers that stand for the matching trials in sets of bits: their rows, or their places where they are few. */
interface Numbering {
  all: RowSet;
  /** Sets the bits of those that a posting has. */
  add(to: Uint32Array, posting: RowSet): void;
  rowOf(number: number): number;
}

/** Sets over fewer than one trial in so many are made of places: a set over all rows takes longer to fill than these to look up. */
const FEW_OF = 32;

function numberingOf(matching: RowSet, trials: number): Numbering {
  if (matching.count * FEW_OF < trials) return byPlace(rowsOf(matching));
  return {
    all: bitmapOf(matching, trials),
    add: (to, posting) => (posting.form === 'list' ? setBits(to, posting) : addAll(to, posting.words)),
    rowOf: (row) => row,
  };
}

function byPlace(rows: Uint32Array): Numbering {
  return {
    all: bitmapOf(allRows(rows.length), rows.length),
    rowOf: (place) => rows[place] as number,
    add(to, { form, words }) {
      let next = 0;
      for (const [place, row] of rows.entries()) {
        // Both are sorted, so a list is walked once.
        if (form === 'list') while (next < words.length && (words[next] as number) < row) next += 1;
        const isHeld = form === 'list' ? words[next] === row : ((words[row >>> 5] as number) >>> (row & 31)) & 1;
        if (isHeld) to[place >>> 5] = (to[place >>> 5] as number) | (1 << (place & 31));
      }
    },
  };
}

/** Rows `offset` to `offset + limit` of the matching ones by their score, then by row. */
export function relevancePage(
  image: SnapshotImage,
  matching: RowSet,
  parts: readonly Requirement[],
  page: { offset: number; limit: number },
): RelevancePage {
  const numbering = numberingOf(matching, image.trials);
  const { all, rowOf } = numbering;
  const sets = new PointSets(image, numbering);
  const top = ofMostPoints(parts, all, sets);
  if (top.count >= page.offset + page.limit) {
    const rows = pageOf(top, page.offset, page.limit).map(rowOf);
    return { rows, scores: Array.from(rows, () => parts.length * RELEVANCE_POINTS.title) };
  }
  const sums = new BitCounts(all.words.length, parts.length * RELEVANCE_POINTS.title);
  for (const part of parts) for (const set of sets.of(part, RELEVANCE_POINTS.title) ?? []) sums.add(set);
  const { places, counts } = sums.largest(all, page);
  return { rows: Uint32Array.from(places, rowOf), scores: counts };
}

/** Trials with all points of each part, of which most first pages are made: a quarter of the sets tells. */
function ofMostPoints(parts: readonly Requirement[], all: RowSet, sets: PointSets): RowSet {
  let top = all;
  for (const part of parts) for (const set of sets.of(part, 1) ?? []) [top] = divide(top, set);
  return top;
}

/** The trials that have at least so many points for a part, as sets of bits. */
class PointSets {
  readonly #image: SnapshotImage;
  readonly #numbering: Numbering;

  constructor(image: SnapshotImage, numbering: Numbering) {
    this.#image = image;
    this.#numbering = numbering;
  }

  /** Those with 4 points, with at least 3 and so on, as many sets as asked for. Null for an exclusion, which earns nothing. */
  of(part: Requirement, sets: number): Uint32Array[] | null {
    const made = Array.from({ length: sets }, () => new Uint32Array(this.#numbering.all.words.length));
    if (!this.#add(made, part)) return null;
    for (let place = 1; place < sets; place++) addAll(made[place] as Uint32Array, made[place - 1] as Uint32Array);
    return made;
  }

  /** Adds to the set of each number of points, from 4 down; what is in a set may lack in the later ones. */
  #add(made: Uint32Array[], part: Requirement): boolean {
    if (typeof part === 'string') {
      this.#addKey(made, part);
      return true;
    }
    // An alternative has the points of its best side.
    if ('anyOf' in part) return part.anyOf.map((one) => this.#add(made, one)).includes(true);
    // A phrase has the points of its weakest word, as words that are read together have.
    const together = 'phrase' in part ? part.phrase.map((unit) => unitRequirement(unit, POSTING.text)) : [];
    const of = 'allOf' in part ? part.allOf : together;
    const [first, ...others] = of.map((one) => this.of(one, made.length)).filter((one) => one !== null);
    if (first === undefined) return false;
    for (const [place, words] of first.entries()) {
      for (const other of others) {
        const more = other[place] as Uint32Array;
        for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & (more[at] as number);
      }
      addAll(made[place] as Uint32Array, words);
    }
    return true;
  }

  #addKey(made: Uint32Array[], key: string): void {
    const prefix = key.slice(0, key.indexOf(':') + 1);
    const fields = FIELDS[prefix];
    if (fields === undefined) throw new Error(`${key} is neither a word nor a concept of a text`);
    for (const [place, words] of made.entries()) {
      const field = fields[place] ?? null;
      const held = field === null ? null : this.#image.posting(field + key.slice(prefix.length));
      if (held !== null) this.#numbering.add(words, held);
    }
  }
}

function addAll(to: Uint32Array, from: Uint32Array): void {
  for (let at = 0; at < to.length; at++) to[at] = (to[at] as number) | (from[at] as number);
}

function earnsPoints(requirement: Requirement): boolean {
  if (typeof requirement === 'string' || 'phrase' in requirement) return true;
  if ('anyOf' in requirement) return requirement.anyOf.some(earnsPoints);
  return 'allOf' in requirement && requirement.allOf.some(earnsPoints);
}
