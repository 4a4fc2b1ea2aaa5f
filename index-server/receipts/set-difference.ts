import { setImmediate } from 'node:timers/promises';
import { bitmapOf, isHeldBy, type RowSet } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { CANONICAL_PREFIX, CANONICAL_STANDING } from './id-sums.ts';

/** A set of trials of one snapshot. */
export interface SetOfTrials {
  image: SnapshotImage;
  rows: RowSet;
}

/** Canonical ids in one set and not in the other: how many, and the first of them in the order of ids. */
export interface Moved {
  total: number;
  ids: string[];
}

/** Steps between two looks at the clock. */
const STEPS = 2048;
const SLICE_MS = 2;

/**
 * The ids that came and went from one set to another, by walking both in the order of ids. Works in slices, because it reads every id
 * of both images; both must be held until it is done.
 */
export async function setDifference(
  before: SetOfTrials,
  after: SetOfTrials,
  shown: number,
): Promise<{ came: Moved; went: Moved }> {
  const [came, went]: [Moved, Moved] = [moved(), moved()];
  const [olds, news] = [idsInOrder(before), idsInOrder(after)];
  let [old, young] = [olds.next().value, news.next().value];
  let until = performance.now() + SLICE_MS;
  for (let step = 1; old !== undefined || young !== undefined; step++) {
    if (old === young) [old, young] = [olds.next().value, news.next().value];
    else if (young === undefined || (old !== undefined && old < young)) {
      note(went, old as string, shown);
      old = olds.next().value;
    } else {
      note(came, young, shown);
      young = news.next().value;
    }
    if (step % STEPS !== 0 || performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + SLICE_MS;
  }
  return { came, went };
}

function moved(): Moved {
  return { total: 0, ids: [] };
}

function note(where: Moved, id: string, shown: number): void {
  where.total += 1;
  if (where.ids.length < shown) where.ids.push(id);
}

function* idsInOrder({ image, rows }: SetOfTrials): Generator<string, undefined> {
  const { keys, standings, rows: rowOf } = image.ids;
  const held = bitmapOf(rows, image.trials);
  const { from, to } = keys.rangeOf(CANONICAL_PREFIX);
  for (let place = from; place < to; place++) {
    if (standings[place] !== CANONICAL_STANDING || !isHeldBy(held, rowOf[place] as number)) continue;
    yield keys.bytes.toString('latin1', keys.offsets[place], keys.offsets[place + 1]).toLowerCase();
  }
}
