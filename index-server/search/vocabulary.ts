import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { editsTo, LONGEST_COMPARED } from './hints/edits.ts';
import type { Preparation } from './in-slices.ts';

/**
 * Near spellings of a word among all words of an image's texts, or of a city among all cities. The words are kept by length, each with its letters as bits. One
 * pass over the lengths that can be near leaves about one word in a hundred, for which the edits are counted.
 */

/** Shorter words have too many neighbours to say anything. */
const SHORTEST = 4;
/** Up to this length one edit is near, beyond it two. */
const ONE_EDIT_UP_TO = 5;
/** Words of at least this length are near to none that is looked up. */
const LONGER = LONGEST_COMPARED + 3;
const SLICE_WORDS = 50_000;

/** What is read of an image. */
export type WordSource = Pick<SnapshotImage, 'keys' | 'keysWith' | 'countAt'>;

export interface NearWord {
  key: string;
  edits: number;
  trials: number;
}

/** A near word by its number; words are numbered in the order of their bytes. */
interface Found {
  word: number;
  length: number;
  edits: number;
  trials: number;
}

function compareFound(one: Found, other: Found): number {
  return one.edits - other.edits || other.trials - one.trials || one.word - other.word;
}

class Vocabulary {
  readonly #image: WordSource;
  readonly #prefix: number;
  readonly #from: number;
  /** Place at which the words of each length begin; the last is that of all longer words. */
  readonly #starts: Uint32Array;
  /** By place: the mask of a word's letters, and its number among all words. */
  readonly #masks: Int32Array;
  readonly #words: Uint32Array;
  /** By length: place of the next word that is read. */
  readonly #next: Uint32Array;
  #known = 0;

  constructor(image: WordSource, prefix: string) {
    const { from, to } = image.keysWith(prefix);
    this.#image = image;
    this.#prefix = prefix.length;
    this.#from = from;
    this.#masks = new Int32Array(to - from);
    this.#words = new Uint32Array(to - from);
    this.#starts = new Uint32Array(LONGER + 2);
    for (let word = 0; word < to - from; word++) {
      const after = this.#lengthClass(word) + 1;
      this.#starts[after] = (this.#starts[after] as number) + 1;
    }
    for (let length = 1; length < this.#starts.length; length++) {
      this.#starts[length] = (this.#starts[length] as number) + (this.#starts[length - 1] as number);
    }
    this.#next = this.#starts.slice();
  }

  get complete(): boolean {
    return this.#known === this.#masks.length;
  }

  /** Reads up to `words` further words. */
  readNext(words: number): void {
    const { offsets, bytes } = this.#image.keys;
    const end = Math.min(this.#known + words, this.#masks.length);
    for (let word = this.#known; word < end; word++) {
      const length = this.#lengthClass(word);
      const place = this.#next[length] as number;
      this.#next[length] = place + 1;
      this.#masks[place] = maskOf(bytes, this.#startOf(word), offsets[this.#from + word + 1] as number);
      this.#words[place] = word;
    }
    this.#known = end;
  }

  near(word: string, most: number, least: number): NearWord[] {
    const wanted = Buffer.from(word);
    const edits = wanted.length > ONE_EDIT_UP_TO ? 2 : 1;
    const { bytes } = this.#image.keys;
    const mask = maskOf(wanted);
    const editsFrom = editsTo(wanted);
    const best: Found[] = [];
    for (let length = wanted.length - edits; length <= wanted.length + edits; length++) {
      for (const other of this.#alike(mask, length, edits, length - wanted.length)) {
        const needed = editsFrom(bytes, this.#startOf(other), length);
        if (needed === 0 || needed > edits) continue;
        const trials = this.#image.countAt(this.#from + other);
        if (trials < least) continue;
        const found = { word: other, length, edits: needed, trials };
        if (best.length === most && compareFound(found, best[most - 1]!) > 0) continue;
        best.push(found);
        best.sort(compareFound);
        best.length = Math.min(best.length, most);
      }
    }
    return best.map(({ word: other, length, ...counts }) => {
      const start = this.#startOf(other);
      return { key: bytes.toString('utf8', start, start + length), ...counts };
    });
  }

  /**
   * Words of a length whose letters allow so few edits. An edit leaves out at most one letter and brings in at most one; those
   * that make a word longer leave out none, and those that make it shorter bring in none.
   */
  #alike(wanted: number, length: number, edits: number, longer: number): number[] {
    const [lostOnce, lostTwice] = steps(edits - Math.max(0, longer));
    const [newOnce, newTwice] = steps(edits + Math.min(0, longer));
    const [masks, words] = [this.#masks, this.#words];
    const after = this.#starts[length + 1] as number;
    const alike: number[] = [];
    for (let place = this.#starts[length] as number; place < after; place++) {
      const mask = masks[place] as number;
      let lost = wanted & ~mask;
      lost &= lost - lostOnce;
      lost &= lost - lostTwice;
      if (lost !== 0) continue;
      let come = mask & ~wanted;
      come &= come - newOnce;
      come &= come - newTwice;
      if (come === 0) alike.push(words[place] as number);
    }
    return alike;
  }

  #startOf(word: number): number {
    return (this.#image.keys.offsets[this.#from + word] as number) + this.#prefix;
  }

  #lengthClass(word: number): number {
    const end = this.#image.keys.offsets[this.#from + word + 1] as number;
    return Math.min(end - this.#startOf(word), LONGER);
  }
}

const vocabularies = new WeakMap<WordSource, Map<string, Vocabulary>>();

function vocabularyOf(image: WordSource, prefix: string): Vocabulary {
  const known = vocabularies.get(image) ?? new Map<string, Vocabulary>();
  vocabularies.set(image, known);
  const vocabulary = known.get(prefix) ?? new Vocabulary(image, prefix);
  known.set(prefix, vocabulary);
  return vocabulary;
}

/** Reads the words in slices, so that the first request for near spellings does not. The image must be held. */
export async function prepareVocabulary(image: SnapshotImage, { pause, isWanted }: Preparation): Promise<void> {
  for (const prefix of [POSTING.text, POSTING.siteCity]) {
    const vocabulary = vocabularyOf(image, prefix);
    while (!vocabulary.complete && isWanted()) {
      vocabulary.readNext(SLICE_WORDS);
      await pause();
    }
  }
}

/**
 * The known words with the fewest edits to a key of `tokenKey`, then with the most trials, among those that at least so many
 * trials have; none for a short word.
 */
export function nearWords(image: WordSource, key: string, most: number, least = 0): NearWord[] {
  return near(image, POSTING.text, key, most, least);
}

/** The known cities that are near to a name in the form of `foldPlace`, as `nearWords` compares words. */
export function nearPlaces(image: WordSource, name: string, most: number): NearWord[] {
  return near(image, POSTING.siteCity, name, most, 0);
}

function near(image: WordSource, prefix: string, key: string, most: number, least: number): NearWord[] {
  if (key.length < SHORTEST || key.length > LONGEST_COMPARED || !/^[a-z0-9 ]+$/.test(key)) return [];
  const vocabulary = vocabularyOf(image, prefix);
  if (!vocabulary.complete) vocabulary.readNext(Number.POSITIVE_INFINITY);
  return vocabulary.near(key, most, least);
}

const LETTERS = 26;
const FIRST_LETTER = 0x61;

/** One bit for each letter that occurs; digits and other bytes share the rest. Signed, as the engine keeps 32 bits best. */
function maskOf(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let mask = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    const letter = byte - FIRST_LETTER;
    mask |= 1 << (letter >= 0 && letter < LETTERS ? letter : LETTERS + (byte % 6));
  }
  return mask;
}

/**
 * What to subtract in two steps of `bits & (bits - step)`, each of which clears the lowest bit that is set, or none with 0: no bit
 * is left where at most `most` were set. Without a branch in the loop this is twice as fast as counting the bits.
 */
function steps(most: number): [once: 0 | 1, twice: 0 | 1] {
  return [most > 0 ? 1 : 0, most > 1 ? 1 : 0];
}
