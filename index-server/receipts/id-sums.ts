import { setImmediate } from 'node:timers/promises';
import { halvesAt, type IdSum, sumText } from '../../snapshot/format/id-sum.ts';
import { foldId, ID_STANDINGS } from '../../snapshot/format/serving-columns.ts';
import type { Preparation } from '../search/counting/tally.ts';
import { type CompiledFilters, filtersKey } from '../search/filters.ts';
import { ImageCache, KEPT_COUNTS, KEPT_FROM_TRIALS } from '../search/image-cache.ts';
import { matchingRows } from '../search/matching.ts';
import { complementOf, type RowSet } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** What canonical ids begin with in an image, and no other id. */
export const CANONICAL_PREFIX = foldId('wt_');
export const CANONICAL_STANDING = ID_STANDINGS.indexOf('canonical');
/** Ids read between two looks at the clock. */
const STEP_IDS = 4096;
const SLICE_MS = 2;

/** What is read of an image. */
type IdSource = Pick<SnapshotImage, 'directory' | 'trials' | 'ids'>;

/** Both halves of each trial's number, by row: eight bytes a trial. */
class IdSums {
  readonly #image: IdSource;
  readonly #uppers: Uint32Array;
  readonly #lowers: Uint32Array;
  readonly #whole: IdSum = { upper: 0, lower: 0 };
  readonly #end: number;
  #place: number;
  #read = 0;
  #completing: Promise<void> | null = null;

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

  /** Reads further ids for so long. */
  advance(milliseconds: number): void {
    const { keys, standings, rows } = this.#image.ids;
    const until = performance.now() + milliseconds;
    while (!this.isComplete && performance.now() < until) {
      const stop = Math.min(this.#place + STEP_IDS, this.#end);
      for (; this.#place < stop; this.#place++) {
        if (standings[this.#place] !== CANONICAL_STANDING) continue;
        const row = rows[this.#place] as number;
        const { upper, lower } = halvesAt(keys.bytes, keys.offsets[this.#place + 1] as number);
        this.#read += 1;
        this.#uppers[row] = upper;
        this.#lowers[row] = lower;
        this.#whole.upper += upper;
        this.#whole.lower += lower;
      }
    }
  }

  /** Whether every trial has its id. A sum that lacks one would be reproduced all the same, and be wrong. */
  get isSound(): boolean {
    return this.isComplete && this.#read === this.#image.trials;
  }

  completed(): Promise<void> {
    this.#completing ??= this.#complete();
    return this.#completing;
  }

  async #complete(): Promise<void> {
    for (;;) {
      this.advance(SLICE_MS);
      if (this.isComplete) return;
      await setImmediate();
    }
  }

  /** More than half of all trials are summed as all without the rest. */
  of(set: RowSet, trials: number): IdSum {
    if (set.count * 2 <= trials) return this.#sum(set);
    const rest = this.#sum(complementOf(set, trials));
    return { upper: this.#whole.upper - rest.upper, lower: this.#whole.lower - rest.lower };
  }

  #sum({ form, words, count }: RowSet): IdSum {
    const [uppers, lowers] = [this.#uppers, this.#lowers];
    let [upper, lower] = [0, 0];
    if (form === 'list') {
      for (let at = 0; at < count; at++) {
        const row = words[at] as number;
        upper += uppers[row] as number;
        lower += lowers[row] as number;
      }
      return { upper, lower };
    }
    for (let at = 0; at < words.length; at++) {
      // As a signed number it stays a small integer to the engine.
      for (let word = (words[at] as number) | 0; word !== 0; word &= word - 1) {
        const row = (at << 5) + 31 - Math.clz32(word & -word);
        upper += uppers[row] as number;
        lower += lowers[row] as number;
      }
    }
    return { upper, lower };
  }
}

const read = new WeakMap<IdSource, IdSums>();

function sumsOf(image: IdSource): IdSums {
  const known = read.get(image) ?? new IdSums(image);
  read.set(image, known);
  return known;
}

/** Reads the ids of an image in slices, at the pace of `preparation`; a request that comes meanwhile completes the work. */
export async function prepareIdSums(image: IdSource, { pause, isWanted }: Preparation): Promise<void> {
  const known = sumsOf(image);
  while (!known.isComplete) {
    known.advance(SLICE_MS);
    await pause();
    if (!isWanted()) return;
  }
}

/** Resolves when sets of the image can be summed. The image must be held until then. */
export async function idSumsReady(image: IdSource): Promise<void> {
  const known = sumsOf(image);
  if (!known.isComplete) await known.completed();
}

/** What a receipt says of a set of trials. */
export interface CountedSet {
  count: number;
  sum: string;
}

/** `idSumsReady` first. Null for an image that does not hold the id of every trial. */
export function countedSet(image: IdSource, set: RowSet): CountedSet | null {
  const sums = sumsOf(image);
  return sums.isSound ? { count: set.count, sum: sumText(sums.of(set, image.trials)) } : null;
}

const kept = new ImageCache<CountedSet>(KEPT_COUNTS);

/** The set that the filters find, counted and summed; once for all pages and operations that ask for many trials. */
export async function countedMatches(image: SnapshotImage, filters: CompiledFilters): Promise<CountedSet | null> {
  await idSumsReady(image);
  const set = matchingRows(image, filters);
  const key = set.count < KEPT_FROM_TRIALS ? null : filtersKey(filters);
  const known = key === null ? undefined : kept.get(image, key);
  if (known !== undefined) return known;
  const counted = countedSet(image, set);
  if (key !== null && counted !== null) kept.set(image, key, counted);
  return counted;
}
