const SHOWN_DIGITS = 4;

/** Four digits: the data behind have two or three. What is not known is said, never 0. */
export function digits(value: number | null): string {
  return value === null ? 'not known' : String(Number(value.toPrecision(SHOWN_DIGITS)));
}
