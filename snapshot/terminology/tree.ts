import type { Cut } from './reviewed-table.ts';
import type { SourceRow } from './source-file.ts';

/**
 * The ancestors of every descriptor, as places in `rows`. A descriptor stands at several places of the tree, and its tree
 * numbers begin with those of its ancestors: C04.588.894 is below C04.588 and C04.
 */
export function ancestorsOf(rows: readonly SourceRow[], cuts: readonly Cut[]): number[][] {
  const placeOf = new Map(rows.flatMap((row, place) => row.treeNumbers.map((number) => [number, place] as const)));
  const placeOfHeading = new Map(rows.map(({ heading }, place) => [heading, place]));
  const cutPlaces = cuts.flatMap(({ parent, without }) => {
    const place = placeOfHeading.get(parent);
    return place === undefined
      ? []
      : [{ parent: place, without: new Set(without.map((heading) => placeOfHeading.get(heading))) }];
  });
  const paths = new Map<string, readonly number[]>();
  return rows.map(({ treeNumbers }, own) => {
    const found = new Set<number>();
    for (const number of treeNumbers) {
      const path = [...pathOf(number, placeOf, paths)];
      for (const { parent, without } of cutPlaces) {
        const cutAt = path.some((place) => without.has(place)) ? path.indexOf(parent) : -1;
        path.splice(0, cutAt + 1);
      }
      for (const place of path) found.add(place);
    }
    found.delete(own);
    return [...found].sort((a, b) => a - b);
  });
}

/** The places from the top of the tree down to the number itself. Keeps every path in `known`: the paths below begin with it. */
function pathOf(
  number: string,
  placeOf: ReadonlyMap<string, number>,
  known: Map<string, readonly number[]>,
): readonly number[] {
  const held = known.get(number);
  if (held !== undefined) return held;
  const dot = number.lastIndexOf('.');
  const above = dot === -1 ? [] : pathOf(number.slice(0, dot), placeOf, known);
  const place = placeOf.get(number);
  const path = place === undefined ? above : [...above, place];
  known.set(number, path);
  return path;
}
