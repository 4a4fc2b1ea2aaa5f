import type { GapClock } from '../../contract/limits/limits.ts';
import type { TRIAL_SORTS } from '../../contract/operations/trials/trials.ts';
import { GAP, NOT_STATED } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { clockDay } from './counting/results-clock.ts';
import type { CompiledFilters, Requirement } from './filters.ts';
import { matchingRows } from './matching.ts';
import { relevancePage } from './relevance.ts';
import { isHeldBy, pageOf, type RowSet, rowsOf } from './row-set.ts';

/** Pages of a search: in the order of the rows, which is by update, or in another. */

export type TrialSort = Exclude<(typeof TRIAL_SORTS)[number], 'updated' | 'relevance'> | 'daysOverdueByCompletion';

export interface SearchedPage {
  offset: number;
  limit: number;
  /** By update if left out; by relevance to these parts of a query. */
  sort?: TrialSort | 'updated' | { relevantTo: readonly Requirement[] };
}

/** One page of the matching trials in result order or another, and their exact total. */
export function search(
  image: SnapshotImage,
  filters: CompiledFilters,
  { offset, limit, sort = 'updated' }: SearchedPage,
): { total: number; rows: Uint32Array; scores: number[] | null } {
  const matching = matchingRows(image, filters);
  const total = matching.count;
  if (sort === 'updated') return { total, rows: pageOf(matching, offset, limit), scores: null };
  if (typeof sort !== 'string') return { total, ...relevancePage(image, matching, sort.relevantTo, { offset, limit }) };
  return { total, rows: sortedPage(image, matching, sort, { offset, limit }), scores: null };
}

/** A set with more than one in this many trials is read off the order of all; a smaller one is sorted by itself. */
const DENSE = 16;
/** Rows of an image stay below this, and a value of 32 bits times it is exact as a number. */
const ROWS = 2 ** 21;
const LAST = 2 ** 32 - 1;

/** Rows `offset` to `offset + limit` of the set in this order: largest value first, then those without one; ties by row. */
export function sortedPage(
  image: SnapshotImage,
  set: RowSet,
  sort: TrialSort,
  { offset, limit }: { offset: number; limit: number },
): Uint32Array {
  const end = offset + limit;
  if (set.count * DENSE < image.trials) return sorted(rowsOf(set), image, sort).subarray(offset, end);
  const first: number[] = [];
  for (const row of orderOf(image, sort)) {
    if (first.length === end) break;
    if (isHeldBy(set, row)) first.push(row);
  }
  return Uint32Array.from(first.slice(offset));
}

const orders = new WeakMap<SnapshotImage, Map<TrialSort, Uint32Array>>();

/** All rows in this order; made when it is first asked for and kept with the image. */
function orderOf(image: SnapshotImage, sort: TrialSort): Uint32Array {
  const known = orders.get(image) ?? new Map<TrialSort, Uint32Array>();
  orders.set(image, known);
  const all = (): Uint32Array => Uint32Array.from({ length: image.trials }, (_, row) => row);
  const order = known.get(sort) ?? sorted(all(), image, sort);
  known.set(sort, order);
  return order;
}

/** The place by value comes before the row in one number for each row, so that the engine's sort of numbers does it. */
function sorted(rows: Uint32Array, image: SnapshotImage, sort: TrialSort): Uint32Array {
  if (image.trials > ROWS) throw new Error(`an image of more than ${ROWS} trials cannot be sorted`);
  const numberOf = VALUES[sort](image);
  const keys = Float64Array.from(rows, (row) => {
    const value = numberOf(row);
    const place = value === NOT_STATED ? LAST : -value - NOT_STATED - 1;
    return place * ROWS + row;
  });
  return Uint32Array.from(keys.sort(), (key) => key % ROWS);
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
