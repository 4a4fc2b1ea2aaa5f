import { NO_CAPITAL, NO_CLASS } from '../../snapshot/format/signals.ts';
import { type TextUnit, textUnits } from '../../snapshot/format/words/tokens.ts';
import { EMPTY, intersect, type RowSet, rowsOf, union } from '../search/row-set.ts';
import type { SignalImage } from './signal-image.ts';

/** The items of a window of days, newest first; with a keyword, those that hold all its words. */
export interface Selection {
  /** First and last day, inclusive, as days since 1970-01-01. */
  from: number;
  to: number;
  length: number;
  /** The selected rows; null without a keyword: they are then `start` to `start + length`. */
  rows: Uint32Array | null;
  start: number;
}

/** Items of each day of a selection; day 0 is `from`. */
export interface DayCounts {
  items: Uint32Array;
  /** Items of each day for each value of the column capital: the four in order, then unclassified. */
  byCapital: Uint32Array[];
  cure: Uint32Array;
}

export function select(image: SignalImage, { from, to }: { from: number; to: number }, keyword?: string): Selection {
  const { day, ends } = image.days;
  // The newest day comes first: the window begins after the last day that is later than `to`.
  const first = firstWhere(day.length, (place) => (day[place] as number) <= to);
  const after = firstWhere(day.length, (place) => (day[place] as number) < from);
  const start = first === 0 ? 0 : (ends[first - 1] as number);
  const end = after === 0 ? 0 : (ends[after - 1] as number);
  if (keyword === undefined) return { from, to, start, length: end - start, rows: null };
  const all = rowsOf(matching(image, keyword));
  const low = firstWhere(all.length, (place) => (all[place] as number) >= start);
  const high = firstWhere(all.length, (place) => (all[place] as number) >= end);
  return { from, to, start: 0, length: high - low, rows: all.subarray(low, high) };
}

/** Counts of every day: from the day table, or, with a keyword, in one pass over the rows. */
export function countDays(image: SignalImage, selection: Selection): DayCounts {
  const days = selection.to - selection.from + 1;
  const counts: DayCounts = {
    items: new Uint32Array(days),
    byCapital: Array.from({ length: NO_CAPITAL + 1 }, () => new Uint32Array(days)),
    cure: new Uint32Array(days),
  };
  if (selection.rows === null) readDayTable(image, selection, counts);
  else countRows(image, selection, counts);
  return counts;
}

/** Visits the rows of a selection in order until `visit` returns false. */
export function visitRows({ rows, start, length }: Selection, visit: (row: number) => boolean): void {
  for (let at = 0; at < length; at++) if (!visit(rows === null ? start + at : (rows[at] as number))) return;
}

function readDayTable(image: SignalImage, { from, to }: Selection, counts: DayCounts): void {
  const { day, byCapital, cure } = image.days;
  let place = firstWhere(day.length, (at) => (day[at] as number) <= to);
  for (; place < day.length && (day[place] as number) >= from; place++) {
    const at = (day[place] as number) - from;
    counts.cure[at] = cure[place] as number;
    for (const [capital, column] of byCapital.entries()) {
      counts.byCapital[capital]![at] = column[place] as number;
      counts.items[at] = (counts.items[at] as number) + (column[place] as number);
    }
  }
}

function countRows(image: SignalImage, selection: Selection, { items, byCapital, cure }: DayCounts): void {
  const { from, length } = selection;
  const rows = selection.rows as Uint32Array;
  const days = items.length;
  const { day, capital, cureClasses, class: classes } = image;
  // One flat array and one look-up table, since this loop is the whole cost of a frequent keyword.
  const flat = new Uint32Array(byCapital.length * days);
  const isCure = Uint8Array.from({ length: NO_CLASS + 1 }, (_, number) => (cureClasses[number] ? 1 : 0));
  for (let place = 0; place < length; place++) {
    const row = rows[place] as number;
    const at = (day[row] as number) - from;
    const cell = (capital[row] as number) * days + at;
    flat[cell] = (flat[cell] as number) + 1;
    cure[at] = (cure[at] as number) + (isCure[classes[row] as number] as number);
  }
  for (const [number, column] of byCapital.entries()) {
    column.set(flat.subarray(number * days, (number + 1) * days));
    for (let at = 0; at < days; at++) items[at] = (items[at] as number) + (column[at] as number);
  }
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
