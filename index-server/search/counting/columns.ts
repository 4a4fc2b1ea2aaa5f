/** Counts of rows by the numbers that the columns of an image hold. */

/** How many of the rows have each value below `size` of a column. */
export function countValues(rows: Uint32Array, column: ArrayLike<number>, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let at = 0; at < rows.length; at++) {
    const value = column[rows[at] as number] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  return counts;
}

/** Trials of each value of a vocabulary, in its order, including values without a trial. */
export function mix<Value extends string>(rows: Uint32Array, column: Uint8Array, vocabulary: readonly Value[]) {
  const counts = countValues(rows, column, vocabulary.length);
  return vocabulary.map((value, place) => ({ value, trials: counts[place] as number }));
}

const BYTE_VALUES = 256;

/** How many of the rows have each of the first `bits` bits of a column: each byte of the column is counted by its value. */
export function countBits(rows: Uint32Array, column: Uint32Array, bits: number): Uint32Array {
  const [first, second, third, fourth] = [0, 0, 0, 0].map(() => new Uint32Array(BYTE_VALUES)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  for (let at = 0; at < rows.length; at++) {
    const word = column[rows[at] as number] as number;
    if (word === 0) continue;
    const [a, b, c, d] = [word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff, word >>> 24];
    first[a] = (first[a] as number) + 1;
    second[b] = (second[b] as number) + 1;
    third[c] = (third[c] as number) + 1;
    fourth[d] = (fourth[d] as number) + 1;
  }
  const bytes = [first, second, third, fourth];
  return Uint32Array.from({ length: bits }, (_, bit) => {
    const [counts, mask] = [bytes[bit >>> 3] as Uint32Array, 1 << (bit & 7)];
    return counts.reduce((sum, count, value) => ((value & mask) === 0 ? sum : sum + count), 0);
  });
}

export function sumOf(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
