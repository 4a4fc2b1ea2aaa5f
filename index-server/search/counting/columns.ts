/** Counts of rows by the numbers that the columns of an image hold. */

/** Trials of each value of a vocabulary, in its order, including values without a trial. */
export function mix<Value extends string>(rows: Uint32Array, column: Uint8Array, vocabulary: readonly Value[]) {
  const counts = new Uint32Array(vocabulary.length);
  for (let at = 0; at < rows.length; at++) {
    const value = column[rows[at] as number] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  return vocabulary.map((value, place) => ({ value, trials: counts[place] as number }));
}

const BYTE_VALUES = 256;

/** How many of the rows have each of the first `bits` bits of a column: each byte of the column is counted by its value. */
export function countBits(rows: Uint32Array, column: Uint32Array, bits: number): Uint32Array {
  const counts = new Uint32Array(4 * BYTE_VALUES);
  for (let at = 0; at < rows.length; at++) {
    const word = column[rows[at] as number] as number;
    if (word === 0) continue;
    for (let byte = 0; byte < 4; byte++) {
      const place = byte * BYTE_VALUES + ((word >>> (8 * byte)) & 0xff);
      counts[place] = (counts[place] as number) + 1;
    }
  }
  return Uint32Array.from({ length: bits }, (_, bit) => {
    const first = (bit >>> 3) * BYTE_VALUES;
    const ofByte = counts.subarray(first, first + BYTE_VALUES);
    return ofByte.reduce((sum, count, value) => (((value >>> (bit & 7)) & 1) === 0 ? sum : sum + count), 0);
  });
}
