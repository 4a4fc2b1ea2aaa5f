/** Numbers within this range are counted one by one, which is faster than sorting them. */
const COUNTED_RANGE = 65_536;
/** Fewer numbers are sorted. */
const COUNTED_FROM = 4096;

/** The numbers of these ranks, from 0; the ranks ascend. */
export function ofRank(numbers: Int32Array, ranks: readonly number[]): number[] {
  if (numbers.length < COUNTED_FROM) {
    const sorted = numbers.toSorted();
    return ranks.map((rank) => sorted[rank] as number);
  }
  const first = leastOf(numbers);
  const counts = new Uint32Array(COUNTED_RANGE);
  const beyond: number[] = [];
  for (let at = 0; at < numbers.length; at++) {
    const place = (numbers[at] as number) - first;
    if (place < COUNTED_RANGE) counts[place] = (counts[place] as number) + 1;
    else beyond.push(numbers[at] as number);
  }
  const larger = Int32Array.from(beyond).sort();
  const counted = numbers.length - larger.length;
  let [place, before] = [0, counts[0] as number];
  return ranks.map((rank) => {
    if (rank >= counted) return larger[rank - counted] as number;
    while (before <= rank) before += counts[++place] as number;
    return first + place;
  });
}

function leastOf(numbers: Int32Array): number {
  let least = numbers[0] as number;
  for (let at = 1; at < numbers.length; at++) if ((numbers[at] as number) < least) least = numbers[at] as number;
  return least;
}

/** The exact quantiles (0 to 1, ascending), linearly interpolated between neighbours; null without a number. */
export function quantilesOf(numbers: Int32Array, shares: readonly number[]): (number | null)[] {
  if (numbers.length === 0) return shares.map(() => null);
  const positions = shares.map((share) => share * (numbers.length - 1));
  const found = ofRank(
    numbers,
    positions.flatMap((position) => [Math.floor(position), Math.ceil(position)]),
  );
  return positions.map((position, place) => {
    const [below, above] = [found[2 * place] as number, found[2 * place + 1] as number];
    return below + (above - below) * (position - Math.floor(position));
  });
}
