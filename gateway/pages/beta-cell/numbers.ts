const SHOWN_DIGITS = 4;

/** Four digits, since the data have two or three. An unknown value is called unknown, never 0. */
export function digits(value: number | null): string {
  return value === null ? 'not known' : String(Number(value.toPrecision(SHOWN_DIGITS)));
}
