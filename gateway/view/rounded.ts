import { isObject } from './json.ts';

/** Far more than a model that is fitted to measured values can tell apart. */
export const SIGNIFICANT_DIGITS = 6;

export interface Rounded {
  value: unknown;
  /** Whether a number lost digits. */
  rounded: boolean;
}

/** Computed values with fewer digits: those of a double are half of such an answer. Whole numbers count things, and stay. */
export function roundedNumbers(value: unknown): Rounded {
  let rounded = false;
  const short = (one: unknown): unknown => {
    if (typeof one === 'number' && !Number.isInteger(one)) {
      const kept = Number(one.toPrecision(SIGNIFICANT_DIGITS));
      rounded ||= kept !== one;
      return kept;
    }
    if (Array.isArray(one)) return one.map(short);
    return isObject(one) ? Object.fromEntries(Object.entries(one).map(([name, member]) => [name, short(member)])) : one;
  };
  const made = short(value);
  return { value: made, rounded };
}
