import { NO_CAPITAL } from '../../snapshot/format/signals.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import { type TextUnit, textUnits } from '../../snapshot/format/words/tokens.ts';
import { EMPTY, intersect, type RowSet, rowsOf, union } from '../search/row-set.ts';
import { sum } from './formulas.ts';
import type { SignalImage } from './signal-image.ts';

export interface WindowQuestion {
  days: number;
  /** Last day of the window, as days since 1970-01-01. */
  lastDay: number;
  /** Keyword whose words an item must hold; undefined takes all items. */
  disease: string | undefined;
}

/** The items of a window of days, and how many there are on each. */
export interface Selection {
  dates: string[];
  /** Newest first. */
  rows: Uint32Array;
  items: Uint32Array;
  /** Items of each day for each value of the column capital: the four in order, then unclassified. */
  byCapital: Uint32Array[];
  cure: Uint32Array;
}

export function select(image: SignalImage, { days, lastDay, disease }: WindowQuestion): Selection {
  const { day, capital, cureClasses, class: classes } = image;
  const from = lastDay - days + 1;
  // The newest day comes first: the window begins after the last day that is later than `lastDay`.
  const start = firstWhere(image.rows, (row) => (day[row] as number) <= lastDay);
  const end = firstWhere(image.rows, (row) => (day[row] as number) < from);
  const rows =
    disease === undefined
      ? Uint32Array.from({ length: end - start }, (_, place) => start + place)
      : rowsOf(matching(image, disease)).filter((row) => row >= start && row < end);
  const items = new Uint32Array(days);
  const byCapital = Array.from({ length: NO_CAPITAL + 1 }, () => new Uint32Array(days));
  const cure = new Uint32Array(days);
  for (const row of rows) {
    const at = (day[row] as number) - from;
    const column = byCapital[capital[row] as number] as Uint32Array;
    items[at] = (items[at] as number) + 1;
    column[at] = (column[at] as number) + 1;
    if (cureClasses[classes[row] as number]) cure[at] = (cure[at] as number) + 1;
  }
  return { dates: Array.from({ length: days }, (_, at) => dayToIso(from + at)), rows, items, byCapital, cure };
}

/** The items of some days of a window, together. */
export function span(dates: readonly string[], daily: Uint32Array, start: number, days: number) {
  return { from: dates[start]!, to: dates[start + days - 1]!, items: sum(daily.subarray(start, start + days)) };
}

function matching(image: SignalImage, keyword: string): RowSet {
  const sets = textUnits(keyword).map((unit) => unitRows(image, unit));
  return sets.length === 0 ? EMPTY : intersect(sets);
}

/** A compound matches joined, or by all of its parts, as in the trial search. */
function unitRows(image: SignalImage, unit: TextUnit): RowSet {
  if (unit.kind === 'word') return image.posting(unit.key) ?? EMPTY;
  const parts = unit.parts.map((part) => image.posting(part) ?? EMPTY);
  return union([image.posting(unit.joined) ?? EMPTY, intersect(parts)], image.rows);
}

/** First place for which `holds` is true, or `length`; once true, it must be true for all later places. */
function firstWhere(length: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
