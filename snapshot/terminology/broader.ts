import type { SourceRow } from './sources.ts';

/** Finds the ancestors of concepts. A concept is named by its place in the list of all. */

/** What is below the concepts of `without` is not below `parent`. */
export interface Cut {
  parent: number;
  without: readonly number[];
}

/** The concepts of `of`, with what is below them, are also below `parent`. */
export interface Filing {
  parent: number;
  of: readonly number[];
}

/**
 * The ancestors of each descriptor, in ascending order. A descriptor stands at several places of the tree, and its tree
 * numbers begin with those of its ancestors: C04.588.894 is below C04.588 and C04.
 */
export function ancestorsOf(rows: readonly SourceRow[], cuts: readonly Cut[]): number[][] {
  const placeOf = new Map(rows.flatMap((row, place) => row.treeNumbers.map((number) => [number, place] as const)));
  return rows.map(({ treeNumbers }, own) => {
    const found = new Set<number>();
    for (const number of treeNumbers) {
      const steps = number.split('.');
      // From the top of the tree down to the descriptor itself.
      const path = steps.flatMap((_, depth) => placeOf.get(steps.slice(0, depth + 1).join('.')) ?? []);
      for (const { parent, without } of cuts) {
        if (path.some((place) => without.includes(place))) path.splice(0, path.indexOf(parent) + 1);
      }
      for (const place of path) found.add(place);
    }
    found.delete(own);
    return [...found].sort((a, b) => a - b);
  });
}

/** Adds the parents of `filings`, and what is above them, to the ancestors of what they file. */
export function fileUnder(broader: number[][], filings: readonly Filing[]): void {
  // A parent may itself be filed under more: repeated until nothing is added.
  for (let added = true; added; ) {
    added = false;
    for (const { parent, of } of filings) {
      const below = new Set(of);
      const further = [parent, ...(broader[parent] ?? [])];
      for (const [place, ancestors] of broader.entries()) {
        if (!below.has(place) && !ancestors.some((one) => below.has(one))) continue;
        const lacking = further.filter((one) => one !== place && !ancestors.includes(one));
        if (lacking.length === 0) continue;
        broader[place] = [...ancestors, ...lacking].sort((a, b) => a - b);
        added = true;
      }
    }
  }
}
