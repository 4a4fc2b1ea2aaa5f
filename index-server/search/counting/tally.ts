import { complementOf, type RowSet, rowsOf } from '../row-set.ts';

/** How background work makes way for requests. */
export interface Preparation {
  /** Called after each slice of a millisecond or two. */
  pause: () => Promise<unknown>;
  /** Whether the result is still needed; the work ends when it is not. */
  isWanted: () => boolean;
}

/** Counts to which rows can be added and from which they can be taken away. */
export interface Tally<Own> {
  /** Number of trials counted. */
  readonly trials: number;
  /** Adds each of the rows once, or takes each away with -1. */
  count(rows: Uint32Array, step: 1 | -1): void;
  copy(): Own;
}

/** Counts a set: its rows, or, for more than half of all trials, all trials without the rest. */
export function tallyOf<Own extends Tally<Own>>(set: RowSet, trials: number, empty: () => Own, whole: () => Own): Own {
  if (set.count * 2 <= trials) {
    const tally = empty();
    tally.count(rowsOf(set), 1);
    return tally;
  }
  const tally = whole().copy();
  if (set.count < trials) tally.count(rowsOf(complementOf(set, trials)), -1);
  return tally;
}

/** Counts up to `limit` further rows of the tally of all trials, which counts them in their order. */
export function countNext<Own extends Tally<Own>>(tally: Own, trials: number, limit: number): void {
  const from = tally.trials;
  const rows = new Uint32Array(Math.min(limit, trials - from));
  for (let at = 0; at < rows.length; at++) rows[at] = from + at;
  tally.count(rows, 1);
}
