import { complementOf, type RowSet, rowsOf } from './row-set.ts';

/** Counts that rows can be added to and taken from again. */
export interface Tally<Own> {
  /** Adds each of the rows once, or takes each away with -1. */
  count(rows: Uint32Array, step: 1 | -1): void;
  copy(): Own;
}

/** The counts of a set: its rows one by one, or, of more than half of all, those of all without the rest. */
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
