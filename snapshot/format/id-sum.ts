/**
 * The sum of a set of canonical ids: their last twelve characters read as a number of base 36, added up modulo 36^12. An id is
 * the beginning of a SHA-256, so that sets that were not chosen for it have equal sums by a chance of 2^-60. It needs no order and one
 * addition a trial, so that a set of 500,000 trials is summed while a search waits; a SHA-256 over their ids would take ten milliseconds.
 */

const DIGITS = 12;
const HALF = 6;
const HALF_RANGE = 36n ** 6n;
const RANGE = 36n ** 12n;

/** Sums of the upper and the lower half of the numbers. Exact: 4,000,000 halves stay below 2^53. */
export interface IdSum {
  upper: number;
  lower: number;
}

/** Both halves of the number that an id ends with; `end` is where the id ends. */
export function halvesAt(bytes: Uint8Array, end: number): IdSum {
  return { upper: numberAt(bytes, end - DIGITS), lower: numberAt(bytes, end - HALF) };
}

/** Letters count in either case: an image holds ids in upper case. */
function numberAt(bytes: Uint8Array, from: number): number {
  let number = 0;
  for (let at = from; at < from + HALF; at++) {
    const character = bytes[at] as number;
    number = number * 36 + (character < 58 ? character - 48 : (character & 31) + 9);
  }
  return number;
}

/** The sum in twelve digits of base 36. */
export function sumText({ upper, lower }: IdSum): string {
  return ((BigInt(upper) * HALF_RANGE + BigInt(lower)) % RANGE).toString(36).padStart(DIGITS, '0');
}

/** The sum of some ids, for a set that is not held as rows of an image. */
export function sumOfIds(ids: Iterable<string>): string {
  const sum: IdSum = { upper: 0, lower: 0 };
  for (const id of ids) {
    const { upper, lower } = halvesAt(Buffer.from(id), id.length);
    sum.upper += upper;
    sum.lower += lower;
  }
  return sumText(sum);
}
