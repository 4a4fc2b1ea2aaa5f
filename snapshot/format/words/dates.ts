import type { RegistryDate } from '../registration.ts';

type DatePrecision = RegistryDate['precision'];

/** Calendar days as whole numbers: days since 1970-01-01, UTC, proleptic Gregorian. */

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}-\d{2}$/;

/** True for YYYY-MM-DD (or YYYY-MM where the precision is `month`) that the calendar has. */
export function isRealDate(text: string, precision: DatePrecision = 'day'): boolean {
  return precision === 'day'
    ? parseFilterDate(text) !== null
    : MONTH.test(text) && parseFilterDate(`${text}-01`) !== null;
}

/**
 * First and last day that a registry date covers; a month covers all of its days.
 * @throws RangeError when the date does not exist or is not of the stated precision
 */
export function dayNumber({ date, precision }: { date: string; precision: DatePrecision }): {
  first: number;
  last: number;
} {
  if (!isRealDate(date, precision)) throw new RangeError(`"${date}" is not a ${precision} of the calendar.`);
  const first = parseFilterDate(precision === 'day' ? date : `${date}-01`)!;
  return { first, last: precision === 'day' ? first : addMonths(first, 1) - 1 };
}

/** YYYY-MM-DD of a day number between the years 0 and 9999. */
export function dayToIso(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day `months` later (earlier when negative); the last day of that month if it is too short. */
export function addMonths(day: number, months: number): number {
  const date = new Date(day * DAY_MS);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const first = date.getTime() / DAY_MS;
  date.setUTCMonth(date.getUTCMonth() + 1);
  const days = date.getTime() / DAY_MS - first;
  return first + Math.min(dayOfMonth, days) - 1;
}

/** Day of a YYYY-MM-DD that the calendar has; null for any other text, also a month: a filter must not guess a day. */
export function parseFilterDate(text: string): number | null {
  if (!DAY.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse turns 30 February into a day of March; the comparison finds such days.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return null;
  return time / DAY_MS;
}
