import { halvesAt, sumText } from '../../snapshot/format/id-sum.ts';
import { foldId, ID_STANDINGS } from '../../snapshot/format/serving-columns.ts';
import { madeOnce } from '../search/image-cache.ts';
import { Sliced } from '../search/in-slices.ts';
import { bitmapOf, isHeldBy, type RowSet, rowsOf } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** The sum of the ids of a set of trials, and which ids came and went from one set to another. */

/** The beginning of canonical ids in an image, and of no other id. */
const CANONICAL_PREFIX = foldId('wt_');
const CANONICAL_STANDING = ID_STANDINGS.indexOf('canonical');
/** Ids read in a step. */
const STEP_IDS = 4096;

/** What is read of an image. */
type IdSource = Pick<SnapshotImage, 'directory' | 'trials' | 'ids'>;

interface IdSums {
  /** Both halves of each trial's number, by row: eight bytes a trial. */
  uppers: Uint32Array;
  lowers: Uint32Array;
  /** Whether every trial has its id. A sum that lacks one would be reproduced all the same, and be wrong. */
  isSound: boolean;
}

export const idSumsOf = madeOnce((image: IdSource) => new Sliced(() => idSums(image)));

function* idSums({ ids: { keys, standings, rows }, trials }: IdSource): Generator<void, IdSums> {
  const [uppers, lowers] = [new Uint32Array(trials), new Uint32Array(trials)];
  let read = 0;
  const { from, to } = keys.rangeOf(CANONICAL_PREFIX);
  for (let place = from; place < to; place++) {
    if (place % STEP_IDS === 0) yield;
    if (standings[place] !== CANONICAL_STANDING) continue;
    const row = rows[place] as number;
    const { upper, lower } = halvesAt(keys.bytes, keys.offsets[place + 1] as number);
    read += 1;
    uppers[row] = upper;
    lowers[row] = lower;
  }
  return { uppers, lowers, isSound: read === trials };
}

/** What a receipt says of a set of trials. */
export interface CountedSet {
  count: number;
  sum: string;
}

/** Null for an image that does not hold the id of every trial. */
export async function countedSet(image: IdSource, set: RowSet): Promise<CountedSet | null> {
  const { uppers, lowers, isSound } = await idSumsOf(image).result();
  if (!isSound) return null;
  const rows = rowsOf(set);
  let [upper, lower] = [0, 0];
  for (let at = 0; at < rows.length; at++) {
    upper += uppers[rows[at] as number] as number;
    lower += lowers[rows[at] as number] as number;
  }
  return { count: set.count, sum: sumText({ upper, lower }) };
}

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

/** The ids that came and went from one set to another; both images must be held until it is done. */
export function setDifference(
  before: SetOfTrials,
  after: SetOfTrials,
  shown: number,
): Promise<{ came: Moved; went: Moved }> {
  return new Sliced(() => difference(before, after, shown)).result();
}

/** Walks both sets in the order of ids. */
function* difference(
  before: SetOfTrials,
  after: SetOfTrials,
  shown: number,
): Generator<void, Record<'came' | 'went', Moved>> {
  const [came, went]: [Moved, Moved] = [moved(), moved()];
  const note = (where: Moved, id: string): void => {
    where.total += 1;
    if (where.ids.length < shown) where.ids.push(id);
  };
  const [olds, news] = [idsInOrder(before), idsInOrder(after)];
  let [old, young] = [olds.next().value, news.next().value];
  for (let step = 1; old !== undefined || young !== undefined; step++) {
    if (step % STEP_IDS === 0) yield;
    if (old === young) [old, young] = [olds.next().value, news.next().value];
    else if (young === undefined || (old !== undefined && old < young)) {
      note(went, old as string);
      old = olds.next().value;
    } else {
      note(came, young);
      young = news.next().value;
    }
  }
  return { came, went };
}

function moved(): Moved {
  return { total: 0, ids: [] };
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
