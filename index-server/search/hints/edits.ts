/**
 * Edits between two words: a byte added, left out or replaced, or two neighbours swapped (optimal string alignment).
 */

/** Words up to this length are compared with others. */
export const LONGEST_COMPARED = 64;
/** A column of the table of edits fits a number up to this length. */
const BITS = 32;

/** Counts the edits from a word to `length` bytes from `start` on. Longer words than BITS have their table filled cell by cell. */
export function editsTo(word: Uint8Array): (bytes: Uint8Array, start: number, length: number) => number {
  if (word.length === 0 || word.length > BITS)
    return (bytes, start, length) => editsByTable(word, bytes, start, length);
  const places = new Int32Array(256);
  for (let at = 0; at < word.length; at++) {
    const byte = word[at] as number;
    places[byte] = (places[byte] as number) | (1 << at);
  }
  const last = 1 << (word.length - 1);
  return (bytes, start, length) => editsByBits(places, last, word.length, bytes, start, length);
}

/**
 * The table of edits, column by column, as differences of neighbouring cells in the bits of a few numbers (Hyyrö, A bit-vector
 * algorithm for computing Levenshtein and Damerau edit distances, 2003). `places` has, by byte, the bits at which the word has it.
 */
function editsByBits(
  places: Int32Array,
  last: number,
  wordLength: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): number {
  let edits = wordLength;
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
}

/** Edits to `length` bytes from `start` on, by the table itself. */
export function editsByTable(word: Uint8Array, bytes: Uint8Array, start = 0, length = bytes.length): number {
  let before: number[] = [];
  let row = Array.from({ length: length + 1 }, (_, column) => column);
  for (let i = 1; i <= word.length; i++) {
    const next = [i];
    for (let j = 1; j <= length; j++) {
      const byte = bytes[start + j - 1];
      const replaced = (row[j - 1] as number) + (word[i - 1] === byte ? 0 : 1);
      let edits = Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      if (i > 1 && j > 1 && word[i - 1] === bytes[start + j - 2] && word[i - 2] === byte) {
        edits = Math.min(edits, (before[j - 2] as number) + 1);
      }
      next.push(edits);
    }
    before = row;
    row = next;
  }
  return row[length] as number;
}
