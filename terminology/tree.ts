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
  return rows.map(({ treeNumbers }, own) => {
    const found = new Set<number>();
    for (const number of treeNumbers) {
      const path = pathOf(number, placeOf);
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

/** The places from the top of the tree down to the number itself. */
function pathOf(number: string, placeOf: ReadonlyMap<string, number>): number[] {
  const steps = number.split('.');
  return steps.flatMap((_, index) => placeOf.get(steps.slice(0, index + 1).join('.')) ?? []);
}
