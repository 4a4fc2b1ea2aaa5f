import type { GatheredPosting } from '../../../serving-image/postings.ts';

/** A posting with the numbers that its key had in both places that it was made from; -1 where it was in one alone. */
export interface MergedPosting extends GatheredPosting {
  held: number;
  fresh: number;
}

/**
 * Postings of rows taken over and of rows gathered anew, which share no row, as one: both in the order of their keys'
 * bytes, and the result too. `number` counts from 0. `trials` is how many rows there are.
 */
export function* mergePostings(
  held: Iterator<GatheredPosting>,
  fresh: Iterator<GatheredPosting>,
  trials: number,
): Generator<MergedPosting> {
  const scratch = new Uint32Array(trials);
  let mine = next(held);
  let theirs = next(fresh);
  for (let number = 0; mine !== null || theirs !== null; number++) {
    const order = mine === null ? 1 : theirs === null ? -1 : Buffer.compare(mine.key, theirs.key);
    const [a, b]: [GatheredPosting | null, GatheredPosting | null] = [
      order <= 0 ? mine : null,
      order >= 0 ? theirs : null,
    ];
    const rows = a !== null && b !== null ? mergeRows(a.rows, b.rows, scratch) : ((a ?? b) as GatheredPosting).rows;
    yield { key: ((a ?? b) as GatheredPosting).key, number, rows, held: a?.number ?? -1, fresh: b?.number ?? -1 };
    if (a !== null) mine = next(held);
    if (b !== null) theirs = next(fresh);
  }
}

function next(postings: Iterator<GatheredPosting>): GatheredPosting | null {
  const { done, value } = postings.next();
  return done ? null : value;
}

function mergeRows(a: Uint32Array, b: Uint32Array, into: Uint32Array): Uint32Array {
  let left = 0;
  let right = 0;
  let length = 0;
  while (left < a.length || right < b.length) {
    const takeLeft = right === b.length || (left < a.length && (a[left] as number) < (b[right] as number));
    into[length++] = (takeLeft ? a[left++] : b[right++]) as number;
  }
  return into.subarray(0, length);
}
