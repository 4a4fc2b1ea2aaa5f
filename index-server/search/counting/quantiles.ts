/** Numbers in ascending order, each with its count; both arrays have the same length. */
export interface CountedValues {
  values: ArrayLike<number>;
  counts: ArrayLike<number>;
}

export function countOf({ counts }: CountedValues): number {
  let total = 0;
  for (let place = 0; place < counts.length; place++) total += counts[place] as number;
  return total;
}

/** The exact quantile `share` (0 to 1), linearly interpolated between neighbours; null when there is no number. */
export function quantileOf(counted: CountedValues, share: number): number | null {
  const total = countOf(counted);
  if (total === 0) return null;
  const position = share * (total - 1);
  const below = nthOf(counted, Math.floor(position));
  const above = nthOf(counted, Math.ceil(position));
  return below + (above - below) * (position - Math.floor(position));
}

/** The number at this rank, from 0. */
function nthOf({ values, counts }: CountedValues, rank: number): number {
  let before = 0;
  for (let place = 0; place < counts.length; place++) {
    before += counts[place] as number;
    if (before > rank) return values[place] as number;
  }
  throw new RangeError(`there is no number of rank ${rank}`);
}
