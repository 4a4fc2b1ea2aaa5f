import { POSTING } from '../../snapshot/format/serving-columns.ts';
import { COMPOUND, type EncodedUnit, encodePhrase, sequenceHasPhrase } from '../../snapshot/format/words/sequence.ts';
import type { TextUnit } from '../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { EMPTY, filterRows, intersect, type RowSet, without } from './row-set.ts';

/** Values before the first part of a compound in a sequence: marker, count, number of the joined word. */
const COMPOUND_HEAD = 3;

/** Rows of the set that hold the phrase within one field; `matchesQuery` defines when a field holds it. */
export function withPhrase(image: SnapshotImage, rows: RowSet, units: TextUnit[]): RowSet {
  return phraseRows(image, [rows], units, []);
}

/** Rows with the phrase that are in all of the sets (at least one) and in none of `but`. */
export function phraseRows(...asked: Parameters<typeof candidatesOf>): RowSet {
  const { candidates, test } = candidatesOf(...asked);
  return test === null ? candidates : filterRows(candidates, test);
}

/** The rows that may have the phrase, and what tells whether one has it; null where all have it. */
function candidatesOf(
  image: SnapshotImage,
  sets: readonly RowSet[],
  units: TextUnit[],
  but: readonly RowSet[],
): { candidates: RowSet; test: ((row: number) => boolean) | null } {
  const phrase = encode(image, units);
  if (phrase === null) return { candidates: EMPTY, test: null };
  const pairs = commonPairs(image, units, phrase);
  const candidates = but.reduce(without, intersect([...sets, ...pairs]));
  // The posting of the pair already answers a phrase of two common words.
  return { candidates, test: phrase.length === 2 && pairs.length === 1 ? null : phraseTest(image, phrase) };
}

/** Whether a row holds the word by itself and not only as a part of compounds: "ischemic" beside "non-ischemic". */
export function holdsPlainWord(image: SnapshotImage, key: string): (row: number) => boolean {
  const term = image.termNumber(POSTING.text + key);
  if (term === undefined) return () => false;
  const words = Uint32Array.of(term);
  return (row) => {
    const { values, start, end } = image.sequence(row);
    return plainRun(values, start, end, words) === 'found';
  };
}

/** Whether a row holds the phrase within one field, for a look at few rows. */
export function holdsPhrase(image: SnapshotImage, units: TextUnit[]): (row: number) => boolean {
  const phrase = encode(image, units);
  return phrase === null ? () => false : phraseTest(image, phrase);
}

function encode(image: SnapshotImage, units: TextUnit[]): EncodedUnit[] | null {
  return encodePhrase(units, (key) => image.termNumber(POSTING.text + key));
}

function phraseTest(image: SnapshotImage, phrase: EncodedUnit[]): (row: number) => boolean {
  const words = wordsOnly(phrase);
  return (row) => {
    const { values, start, end } = image.sequence(row);
    if (words === null) return sequenceHasPhrase(values, start, end, phrase);
    const plain = plainRun(values, start, end, words);
    return plain === 'found' || (plain === 'compounds' && sequenceHasPhrase(values, start, end, phrase));
  };
}

/** Postings of the neighbouring words of the phrase that are both common: the image keeps one for each such pair. */
function commonPairs(image: SnapshotImage, units: TextUnit[], phrase: EncodedUnit[]): RowSet[] {
  const common = units.map((unit, place) => {
    const encoded = phrase[place];
    if (unit.kind !== 'word' || encoded?.kind !== 'word') return null;
    const rows = image.posting(POSTING.text + unit.key)?.count ?? 0;
    return rows >= image.commonTermRows ? encoded.term : null;
  });
  return common.flatMap((second, place) => {
    const first = common[place - 1];
    return first == null || second === null ? [] : [image.pair(first, second) ?? EMPTY];
  });
}

function wordsOnly(phrase: EncodedUnit[]): Uint32Array | null {
  const terms = phrase.flatMap((unit) => (unit.kind === 'word' ? [unit.term] : []));
  return terms.length === phrase.length ? Uint32Array.from(terms) : null;
}

/**
 * Looks for the terms in a run of plain words: most texts are decided here, many times faster. `compounds`: not found,
 * but the text has compounds, which can be read in several ways, so `sequenceHasPhrase` must decide.
 */
function plainRun(values: Uint32Array, start: number, end: number, terms: Uint32Array): 'found' | 'none' | 'compounds' {
  const first = terms[0];
  const last = end - terms.length;
  let compounds = false;
  for (let at = start; at < end; at++) {
    const value = values[at];
    if (value === COMPOUND) {
      compounds = true;
      at += COMPOUND_HEAD + (values[at + 1] as number) - 1;
    } else if (value === first && at <= last) {
      let length = 1;
      while (length < terms.length && values[at + length] === terms[length]) length++;
      if (length === terms.length) return 'found';
    }
  }
  return compounds ? 'compounds' : 'none';
}
