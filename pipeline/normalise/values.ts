import type { RegistryDate } from '../../snapshot/format/registration.ts';
import { isFiller } from './not-stated.ts';

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z?$/;
const ACTUAL_OR_ESTIMATED: ReadonlyMap<string | undefined, 'actual' | 'estimated'> = new Map([
  ['ACTUAL', 'actual'],
  ['ESTIMATED', 'estimated'],
  // The word of the registry's older interface.
  ['ANTICIPATED', 'estimated'],
]);

/** The registry's word for a date or a number of people. */
export function actualOrEstimated(raw: string | null): 'actual' | 'estimated' | null {
  return ACTUAL_OR_ESTIMATED.get(raw?.toUpperCase()) ?? null;
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * A registry date: `YYYY-MM-DD`, `YYYY-MM`, or the date part of an instant (ISRCTN writes days as midnight UTC). Null
 * for a blank, for a date that the calendar lacks and for years outside 1900 to 2199, which are typing errors.
 */
export function readDate(raw: string | null, type: string | null = null): RegistryDate | null {
  const match = raw === null ? null : DATE.exec(raw);
  if (!match) return null;
  const year = Number(match[1]);
  const month = Number(match[2]);
  if (year < 1900 || year > 2199 || month < 1 || month > 12) return null;
  const dateType = actualOrEstimated(type);
  if (match[3] === undefined) return { date: `${match[1]}-${match[2]}`, precision: 'month', type: dateType };
  const day = Number(match[3]);
  if (day < 1 || day > daysInMonth(year, month)) return null;
  return { date: `${match[1]}-${match[2]}-${match[3]}`, precision: 'day', type: dateType };
}

/** Characters of an unreadable date that are kept. */
const SHOWN_CHARACTERS = 80;

/** Reads the dates of one record and keeps what is stated and cannot be read, so that it is not taken for a blank. */
export class RecordDates {
  /** For each such text, the field that it is of and the text: `startDate unreadable: 2019-13`. */
  readonly notes: string[] = [];

  /** The date, or null, without a note where the text says only that there is none (`N/A`); `field` names the field of the record that would show it. */
  read(field: string, raw: string | null, type: string | null = null): RegistryDate | null {
    const date = readDate(raw, type);
    if (raw !== null && date === null && !isFiller(raw))
      this.notes.push(`${field} unreadable: ${raw.slice(0, SHOWN_CHARACTERS)}`);
    return date;
  }
}

/** An update time as text that sorts by time within one registry; empty when it cannot be read. */
export function sortableInstant(raw: string | null): string {
  const date = readDate(raw);
  if (raw === null || date === null) return '';
  const instant = INSTANT.exec(raw);
  if (!instant) return date.date;
  return `${instant[1]}T${instant[2]}.${(instant[3] ?? '').padEnd(9, '0')}Z`;
}

/** Distinct values in order of first appearance. */
export function distinct(values: Iterable<string>): string[] {
  return [...new Set(values)];
}
