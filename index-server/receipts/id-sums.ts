import { halvesAt, type IdSum, sumText } from '../../snapshot/format/id-sum.ts';
import { foldId, ID_STANDINGS } from '../../snapshot/format/serving-columns.ts';
import { completed, type Stepwise } from '../search/in-slices.ts';
import { type RowSet, rowsOf } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** What canonical ids begin with in an image, and no other id. */
export const CANONICAL_PREFIX = foldId('wt_');
export const CANONICAL_STANDING = ID_STANDINGS.indexOf('canonical');
/** Ids read between two looks at the clock. */
const STEP_IDS = 4096;

/** What is read of an image. */
type IdSource = Pick<SnapshotImage, 'directory' | 'trials' | 'ids'>;

/** Both halves of each trial's number, by row: eight bytes a trial. */
class IdSums implements Stepwise {
  readonly #image: IdSource;
  readonly #uppers: Uint32Array;
  readonly #lowers: Uint32Array;
  readonly #end: number;
  #place: number;
  #read = 0;

  constructor(image: IdSource) {
    this.#image = image;
    this.#uppers = new Uint32Array(image.trials);
    this.#lowers = new Uint32Array(image.trials);
    const { from, to } = image.ids.keys.rangeOf(CANONICAL_PREFIX);
    this.#place = from;
    this.#end = to;
  }

  get isComplete(): boolean {
    return this.#place >= this.#end;
  }

  /** Reads further ids. */
  step(): void {
    const { keys, standings, rows } = this.#image.ids;
    const stop = Math.min(this.#place + STEP_IDS, this.#end);
    for (; this.#place < stop; this.#place++) {
      if (standings[this.#place] !== CANONICAL_STANDING) continue;
      const row = rows[this.#place] as number;
      const { upper, lower } = halvesAt(keys.bytes, keys.offsets[this.#place + 1] as number);
      this.#read += 1;
      this.#uppers[row] = upper;
      this.#lowers[row] = lower;
    }
  }

  /** Whether every trial has its id. A sum that lacks one would be reproduced all the same, and be wrong. */
  get isSound(): boolean {
    return this.isComplete && this.#read === this.#image.trials;
  }

  of(set: RowSet): IdSum {
    const rows = rowsOf(set);
    let [upper, lower] = [0, 0];
    for (let at = 0; at < rows.length; at++) {
      upper += this.#uppers[rows[at] as number] as number;
      lower += this.#lowers[rows[at] as number] as number;
    }
    return { upper, lower };
  }
}

const read = new WeakMap<IdSource, IdSums>();

export function idSumsOf(image: IdSource): IdSums {
  const known = read.get(image) ?? new IdSums(image);
  read.set(image, known);
  return known;
}

/** What a receipt says of a set of trials. */
export interface CountedSet {
  count: number;
  sum: string;
}

/** Null for an image that does not hold the id of every trial. */
export async function countedSet(image: IdSource, set: RowSet): Promise<CountedSet | null> {
  const sums = idSumsOf(image);
  await completed(sums);
  return sums.isSound ? { count: set.count, sum: sumText(sums.of(set)) } : null;
}
