import type { Kinds } from './reviewed-table.ts';

/** A concept, and those to file under it, by their places. */
export interface Filed {
  above: number;
  below: ReadonlySet<number>;
}

/**
 * Files the concepts of `of`, and what is below them, also under `parent` and what is above it, and those of `filed` likewise.
 * Headings that are not among the concepts are passed over: an operator's MeSH file may lack them.
 */
export function addKinds(
  broader: number[][],
  concepts: readonly { heading: string }[],
  kinds: readonly Kinds[],
  filed: readonly Filed[] = [],
): void {
  const placeOf = new Map(concepts.map(({ heading }, place) => [heading, place]));
  const byHeading = kinds.flatMap(({ parent, of }) => {
    const above = placeOf.get(parent);
    const below = new Set(of.flatMap((heading) => placeOf.get(heading) ?? []));
    return above === undefined ? [] : [{ above, below }];
  });
  const placed: Filed[] = [...byHeading, ...filed];
  // What a concept is filed under may itself be filed under more: repeated until nothing is added.
  for (let added = 1; added > 0; ) {
    added = 0;
    for (const { above, below } of placed) added += fileUnder(broader, above, below);
  }
}

function fileUnder(broader: number[][], above: number, below: ReadonlySet<number>): number {
  const further = [above, ...(broader[above] ?? [])];
  let added = 0;
  for (const [place, ancestors] of broader.entries()) {
    if (!below.has(place) && !ancestors.some((ancestor) => below.has(ancestor))) continue;
    const lacking = further.filter((one) => one !== place && !ancestors.includes(one));
    if (lacking.length === 0) continue;
    broader[place] = [...ancestors, ...lacking].sort((a, b) => a - b);
    added += lacking.length;
  }
  return added;
}
