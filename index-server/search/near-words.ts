import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** Near spellings of a word among the posting keys of one kind: words of texts, of sponsors, or cities. */

/** Shorter words have too many neighbours to say anything; the edits of a longer one do not fit the bits of a number. */
const NEAR_FORM = /^[a-z0-9 ]{4,31}$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export type KeySource = Pick<SnapshotImage, 'keys' | 'keysWith' | 'countAt'>;

export interface NearKey {
  key: string;
  edits: number;
  trials: number;
}

/**
 * Keys at most so many edits away: fewest edits first, then most trials. People hardly ever misspell the beginning, so only words
 * that begin with the first or second letter are compared, and those that differ by the first letter alone are looked up.
 */
export function nearKeys(image: KeySource, kind: string, key: string, most: number): NearKey[] {
  if (!NEAR_FORM.test(key)) return [];
  const { bytes, offsets } = image.keys;
  const editsFrom = editsTo(Buffer.from(key));
  const found = new Map<string, NearKey>();
  const compare = (prefix: string): void => {
    const { from, to } = image.keysWith(kind + prefix);
    for (let place = from; place < to; place++) {
      const start = (offsets[place] as number) + kind.length;
      const length = (offsets[place + 1] as number) - start;
      if (Math.abs(length - key.length) > most) continue;
      const edits = editsFrom(bytes, start, length);
      if (edits === 0 || edits > most) continue;
      const near = bytes.toString('utf8', start, start + length);
      found.set(near, { key: near, edits, trials: image.countAt(place) });
    }
  };
  for (const first of new Set(key.slice(0, 2))) compare(first);
  for (const letter of LETTERS) for (const rest of [key, key.slice(1)]) compare(letter + rest);
  return [...found.values()].sort(
    (one, other) => one.edits - other.edits || other.trials - one.trials || (one.key < other.key ? -1 : 1),
  );
}

/**
 * Counts the edits from a word of at most 31 bytes to `length` bytes from `start` on: a byte added, left out or replaced, or two
 * neighbours swapped. The table of edits goes column by column, as differences of neighbouring cells in the bits of a few
 * numbers (Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit distances, 2003).
 */
export function editsTo(word: Uint8Array): (bytes: Uint8Array, start: number, length: number) => number {
  /** By byte: the bits at which the word has it. */
  const places = new Int32Array(256);
  for (const [at, byte] of word.entries()) places[byte] = (places[byte] as number) | (1 << at);
  const last = 1 << (word.length - 1);
  return (bytes, start, length) => {
    let edits = word.length;
    let [more, less, diagonal, placesBefore] = [-1, 0, 0, 0];
    for (let at = start; at < start + length; at++) {
      const here = places[bytes[at] as number] as number;
      const swapped = ((~diagonal & here) << 1) & placesBefore;
      diagonal = ((((here & more) + more) | 0) ^ more) | here | less | swapped;
      let moreAcross = less | ~(diagonal | more);
      let lessAcross = diagonal & more;
      if ((moreAcross & last) !== 0) edits += 1;
      if ((lessAcross & last) !== 0) edits -= 1;
      moreAcross = (moreAcross << 1) | 1;
      lessAcross <<= 1;
      more = lessAcross | ~(diagonal | moreAcross);
      less = moreAcross & diagonal;
      placesBefore = here;
    }
    return edits;
  };
}
