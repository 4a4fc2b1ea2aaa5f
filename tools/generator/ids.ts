/**
 * Registry numbers of synthetic records, recognisable by their first digit: NCT90000001 and up (multiples of 13, as
 * real numbers are). ISRCTN numbers are random by nature, so no range of theirs is free: a made-up ISRCTN9xxxxxxx may
 * by chance be the number of a real trial.
 */
const NCT_FIRST = 90_000_001 / 13;
export const MAX_CTGOV = 749_230;
export const MAX_ISRCTN = 800_000;

/** The study at this place of a corpus. */
export function nctId(index: number): string {
  return `NCT${(NCT_FIRST + index) * 13}`;
}

/** The trial at this place; numbers look random, as the registry's do, and never repeat (the step is prime to 10^7). */
export function isrctnId(index: number): string {
  return `ISRCTN${90_000_000 + (((index + 1) * 7_368_787 + 9_999_999) % 10_000_000)}`;
}

/** EudraCT number of a place below 900,000; none repeats. The year follows from the place. */
export function eudractNumber(place: number): string {
  const serial = 80_000 + (place % 20_000);
  return `${2006 + (place % 5)}-0${serial}-${10 + (Math.floor(place / 20_000) % 45)}`;
}
