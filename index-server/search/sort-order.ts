import type { GapClock } from '../../contract/limits/limits.ts';
import type { TRIAL_SORTS } from '../../contract/operations/trials/trials.ts';
import { GAP, NOT_STATED } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { clockDay } from './counting/results-clock.ts';
import { isHeldBy, type RowSet, rowsOf } from './row-set.ts';

/** Pages in another order than that of the rows, which is by update. */

export type TrialSort = Exclude<(typeof TRIAL_SORTS)[number], 'updated' | 'relevance'> | 'daysOverdueByCompletion';

/** A set with more than one in this many trials is read off the order of all; a smaller one is sorted by itself. */
const DENSE = 16;
/** Rows of an image stay below this, and a value of 32 bits times it is exact as a number. */
const ROWS = 2 ** 21;
const LAST = 2 ** 32 - 1;
/** So many first rows are picked out in one pass, which is faster than to sort all. */
const PICKED = 100;
/** So many picks from dense sets cost about as much as to sort all, after which the order is made for those that follow. */
const PICKS = 50;

/** Rows `offset` to `offset + limit` of the set in this order: largest value first, then those without one; ties by row. */
export function sortedPage(
  image: SnapshotImage,
  set: RowSet,
  sort: TrialSort,
  { offset, limit }: { offset: number; limit: number },
): Uint32Array {
  const end = Math.min(set.count, offset + limit);
  const isSparse = set.count * DENSE < image.trials;
  if (end <= PICKED && (isSparse || isPickedYet(image, sort))) {
    return rowsIn(firstOf(keysOf(rowsOf(set), image, sort), end).subarray(offset));
  }
  if (isSparse) return sorted(rowsOf(set), image, sort).subarray(offset, offset + limit);
  const page = new Uint32Array(Math.max(0, Math.min(limit, set.count - offset)));
  let before = 0;
  let found = 0;
  for (const row of orderOf(image, sort)) {
    if (found === page.length) break;
    if (!isHeldBy(set, row)) continue;
    if (before >= offset) page[found++] = row;
    else before += 1;
  }
  return page;
}

const orders = new WeakMap<SnapshotImage, Map<TrialSort, Uint32Array>>();
const picks = new WeakMap<SnapshotImage, Map<TrialSort, number>>();

/** Whether the first rows of a dense set are still picked out; counts it as asked. */
function isPickedYet(image: SnapshotImage, sort: TrialSort): boolean {
  if (orders.get(image)?.has(sort) === true) return false;
  const asked = picks.get(image) ?? new Map<TrialSort, number>();
  picks.set(image, asked);
  const before = asked.get(sort) ?? 0;
  asked.set(sort, before + 1);
  return before < PICKS;
}

/** All rows in this order; made when it is first asked for and kept with the image. */
function orderOf(image: SnapshotImage, sort: TrialSort): Uint32Array {
  const known = orders.get(image) ?? new Map<TrialSort, Uint32Array>();
  orders.set(image, known);
  const order =
    known.get(sort) ??
    sorted(
      Uint32Array.from({ length: image.trials }, (_, row) => row),
      image,
      sort,
    );
  known.set(sort, order);
  return order;
}

function sorted(rows: Uint32Array, image: SnapshotImage, sort: TrialSort): Uint32Array {
  return rowsIn(keysOf(rows, image, sort).sort());
}

/** One number for each row, its place by value before its own number, so that the engine's sort of numbers does it. */
function keysOf(rows: Uint32Array, image: SnapshotImage, sort: TrialSort): Float64Array {
  if (image.trials > ROWS) throw new Error(`an image of more than ${ROWS} trials cannot be sorted`);
  const numberOf = VALUES[sort](image);
  const keys = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const value = numberOf(row);
    const place = value === NOT_STATED ? LAST : -value - NOT_STATED - 1;
    keys[at] = place * ROWS + row;
  }
  return keys;
}

function rowsIn(keys: Float64Array): Uint32Array {
  return Uint32Array.from(keys, (key) => key % ROWS);
}

/** The smallest so many of the keys, ascending. Few keys are among the smallest before them, so that few are put in their place. */
function firstOf(keys: Float64Array, wanted: number): Float64Array {
  const first = new Float64Array(wanted).fill(Number.POSITIVE_INFINITY);
  if (wanted === 0) return first;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as number;
    let place = wanted - 1;
    if (key >= (first[place] as number)) continue;
    for (; place > 0 && (first[place - 1] as number) > key; place--) first[place] = first[place - 1] as number;
    first[place] = key;
  }
  return first;
}

/** What a trial is sorted by; NOT_STATED where it has none. A month counts as its first day. */
const VALUES: Record<TrialSort, (image: SnapshotImage) => (row: number) => number> = {
  start: ({ columns }) => valueIn(columns.startFirst),
  completion: ({ columns }) => valueIn(columns.completionFirst),
  enrollment: ({ columns }) => valueIn(columns.enrollment),
  daysOverdue: (image) => overdue(image, 'primaryCompletion'),
  daysOverdueByCompletion: (image) => overdue(image, 'completion'),
};

function valueIn(column: Int32Array): (row: number) => number {
  return (row) => column[row] as number;
}

/** The days since the clock began grow as the day it began on shrinks. */
function overdue(image: SnapshotImage, clock: GapClock): (row: number) => number {
  const { gap0 } = image.columns;
  const dayOf = clockDay(image, clock);
  return (row) => {
    const day = gap0[row] === GAP.withoutResults ? dayOf(row) : NOT_STATED;
    return day === NOT_STATED ? NOT_STATED : -day;
  };
}
