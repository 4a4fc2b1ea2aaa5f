import type { GatheredPosting } from '../../../../snapshot/image/postings.ts';

/** A posting with the numbers of its key in both sources; -1 for a source that lacks the key. */
export interface MergedPosting extends GatheredPosting {
  reused: number;
  fresh: number;
}

/**
 * Merges postings of reused rows and of newly gathered rows; no row is in both. Both sources and the result are in the
 * order of their keys' bytes. `number` counts from 0; `trials` is how many rows there are.
 */
export function* mergePostings(
  reused: Iterator<GatheredPosting>,
  fresh: Iterator<GatheredPosting>,
  trials: number,
): Generator<MergedPosting> {
  const scratch = new Uint32Array(trials);
  let mine = next(reused);
  let theirs = next(fresh);
  for (let number = 0; mine !== null || theirs !== null; number++) {
    const order = mine === null ? 1 : theirs === null ? -1 : Buffer.compare(mine.key, theirs.key);
    const [a, b]: [GatheredPosting | null, GatheredPosting | null] = [
      order <= 0 ? mine : null,
      order >= 0 ? theirs : null,
    ];
    const rows = a !== null && b !== null ? mergeRows(a.rows, b.rows, scratch) : ((a ?? b) as GatheredPosting).rows;
    yield { key: ((a ?? b) as GatheredPosting).key, number, rows, reused: a?.number ?? -1, fresh: b?.number ?? -1 };
    if (a !== null) mine = next(reused);
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
