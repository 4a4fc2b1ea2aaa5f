import { POSTING } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { bitCount } from './row-set.ts';
import type { Preparation } from './tally.ts';

/**
 * Near spellings of a word among all words of an image's texts. One pass compares a mask of letters for each known word,
 * which leaves about one in a hundred; for these the edits are counted.
 */

/** Shorter words have too many neighbours to say anything. */
const SHORTEST = 4;
/** Up to this length one edit is near, beyond it two. */
const ONE_EDIT_UP_TO = 6;
/** Longer words are not compared: a byte cannot say their length. */
const LONGER = 255;
const SLICE_WORDS = 50_000;

export interface NearWord {
  key: string;
  edits: number;
  trials: number;
}

class Vocabulary {
  readonly #image: SnapshotImage;
  readonly #from: number;
  readonly #masks: Uint32Array;
  readonly #lengths: Uint8Array;
  #known = 0;

  constructor(image: SnapshotImage) {
    const { from, to } = image.keysWith(POSTING.text);
    this.#image = image;
    this.#from = from;
    this.#masks = new Uint32Array(to - from);
    this.#lengths = new Uint8Array(to - from);
  }

  get complete(): boolean {
    return this.#known === this.#masks.length;
  }

  /** Reads up to `words` further words. */
  readNext(words: number): void {
    const { offsets, bytes } = this.#image.keys;
    const end = Math.min(this.#known + words, this.#masks.length);
    for (let at = this.#known; at < end; at++) {
      const start = (offsets[this.#from + at] as number) + POSTING.text.length;
      const behind = offsets[this.#from + at + 1] as number;
      this.#masks[at] = maskOf(bytes, start, behind);
      this.#lengths[at] = Math.min(behind - start, LONGER);
    }
    this.#known = end;
  }

  near(word: string, most: number): NearWord[] {
    const wanted = Buffer.from(word);
    const edits = wanted.length > ONE_EDIT_UP_TO ? 2 : 1;
    const mask = maskOf(wanted);
    const { offsets, bytes } = this.#image.keys;
    const found: NearWord[] = [];
    for (let at = 0; at < this.#masks.length; at++) {
      const difference = (this.#lengths[at] as number) - wanted.length;
      if (difference > edits || difference < -edits) continue;
      // Each edit changes at most one letter for another: two bits.
      if (bitCount((this.#masks[at] as number) ^ mask) > 2 * edits) continue;
      const start = (offsets[this.#from + at] as number) + POSTING.text.length;
      const needed = editsWithin(wanted, bytes, edits, start, this.#lengths[at] as number);
      if (needed === 0 || needed > edits) continue;
      const key = bytes.toString('utf8', start, start + (this.#lengths[at] as number));
      found.push({ key, edits: needed, trials: this.#image.posting(POSTING.text + key)?.count ?? 0 });
    }
    found.sort((a, b) => a.edits - b.edits || b.trials - a.trials || (a.key < b.key ? -1 : 1));
    return found.slice(0, most);
  }
}

const vocabularies = new WeakMap<SnapshotImage, Vocabulary>();

function vocabularyOf(image: SnapshotImage): Vocabulary {
  const known = vocabularies.get(image) ?? new Vocabulary(image);
  vocabularies.set(image, known);
  return known;
}

/** Reads the words in slices, so that the first request for near spellings does not. The image must be held. */
export async function prepareVocabulary(image: SnapshotImage, { pause, isWanted }: Preparation): Promise<void> {
  const vocabulary = vocabularyOf(image);
  while (!vocabulary.complete && isWanted()) {
    vocabulary.readNext(SLICE_WORDS);
    await pause();
  }
}

/** The known words with the fewest edits to a key of `tokenKey`, then with the most trials; none for a short word. */
export function nearWords(image: SnapshotImage, key: string, most: number): NearWord[] {
  if (key.length < SHORTEST || key.length > LONGEST || !/^[a-z0-9]+$/.test(key)) return [];
  const vocabulary = vocabularyOf(image);
  if (!vocabulary.complete) vocabulary.readNext(Number.POSITIVE_INFINITY);
  return vocabulary.near(key, most);
}

const LETTERS = 26;
const FIRST_LETTER = 0x61;

/** One bit for each letter that occurs; digits and other bytes share the rest. */
function maskOf(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let mask = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    const letter = byte - FIRST_LETTER;
    mask |= 1 << (letter >= 0 && letter < LETTERS ? letter : LETTERS + (byte % 6));
  }
  return mask >>> 0;
}

const LONGEST = 64;
/** Rows of the table of edits, used again for each word. */
const rows = [new Uint8Array(LONGEST + 2), new Uint8Array(LONGEST + 2), new Uint8Array(LONGEST + 2)] as const;

/**
 * Edits between two words: a byte added, left out or replaced, or two neighbours swapped (optimal string alignment).
 * `most + 1` stands for more. Neither word may be longer than LONGEST.
 */
export function editsWithin(a: Uint8Array, b: Uint8Array, most: number, start = 0, length = b.length): number {
  const beyond = most + 1;
  if (Math.abs(a.length - length) > most) return beyond;
  let [before, row, next] = rows as unknown as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= length; j++) row[j] = Math.min(j, beyond);
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    // Further from the diagonal lie only larger numbers.
    const from = Math.max(1, i - most);
    const to = Math.min(length, i + most);
    next[from - 1] = from === 1 ? Math.min(i, beyond) : beyond;
    let least = next[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const letter = b[start + j - 1];
      const above = j < i + most ? (row[j] as number) : beyond;
      let edits = Math.min(
        (row[j - 1] as number) + (a[i - 1] === letter ? 0 : 1),
        above + 1,
        (next[j - 1] as number) + 1,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[start + j - 2] && a[i - 2] === letter) {
        edits = Math.min(edits, (before[j - 2] as number) + 1);
      }
      next[j] = Math.min(edits, beyond);
      if (edits < least) least = edits;
    }
    // A swap reaches back over one row.
    if (least > most && leastBefore >= most) return beyond;
    leastBefore = least;
    [before, row, next] = [row, next, before];
  }
  return row[length] as number;
}
