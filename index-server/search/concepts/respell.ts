import { POSTING } from '../../../snapshot/format/serving-columns.ts';
import { plainWordKey, textUnits, tokenKey } from '../../../snapshot/format/words/tokens.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { ImageCache } from '../image-cache.ts';
import { type NearKey, nearKeys } from '../near-words.ts';

/** Mends misspelt words of a query where the mended words name a concept. */

const PLAIN_WORD = /^[a-z]{4,24}$/;
/** A shorter word is mended only as a part of a longer phrase: too many words lie one letter from it. */
const LONE_WORD_LETTERS = 5;
/** The mended word must occur in more than this many times as many trials. */
const TIMES_AS_OFTEN = 20;
/** Near words of one word that are tried in a phrase: the nearest, and of these the most frequent. */
const CANDIDATES_MAX = 12;

export interface Respelling {
  from: string;
  to: string;
}

interface Lookup {
  image: SnapshotImage;
  terminology: Terminology;
}

interface Candidate {
  /** Words for the word, nearly always one. */
  to: string;
  edits: number;
  trials: number;
}

/** A word of the query that names nothing, with what it may have been meant to be. */
export interface Misspelt {
  place: number;
  from: string;
  candidates: Candidate[];
}

/** Null for a word that is no slip: a common one, or one that no word of a name lies near to. */
export function misspelt(words: readonly string[], place: number, lookup: Lookup): Misspelt | null {
  const from = (words[place] as string).toLowerCase();
  if (!PLAIN_WORD.test(from)) return null;
  const own = trialsWith(tokenKey(from), lookup);
  // A common word is no slip, however near it lies to another.
  if (own * TIMES_AS_OFTEN >= lookup.image.trials) return null;
  const near = nearWords(from, own === 0 ? mostEdits(from) : 1, lookup).filter(
    ({ trials }) => trials > own * TIMES_AS_OFTEN,
  );
  const candidates = [...near, ...(own === 0 ? splitWords(from, lookup) : [])];
  candidates.sort((a, b) => a.edits - b.edits || b.trials - a.trials || (a.to < b.to ? -1 : 1));
  return candidates.length === 0 ? null : { place, from, candidates: candidates.slice(0, CANDIDATES_MAX) };
}

/**
 * The words with the slips mended by which the longest phrase names a concept, fewest edits first; null where none does. Of two
 * slips side by side both are mended together, since a phrase may need both.
 */
export function mend(
  words: readonly string[],
  slips: readonly Misspelt[],
  { terminology }: Lookup,
): { words: string[]; mended: Respelling } | null {
  let best: { words: string[]; mended: Respelling; units: number; edits: number } | null = null;
  const [slip, next] = slips;
  if (slip === undefined) return null;
  const followers = next?.place === slip.place + 1 ? [null, ...next.candidates] : [null];
  for (const follower of followers) {
    for (const { to, edits } of slip.candidates) {
      const tried =
        follower === null ? words.with(slip.place, to) : words.with(slip.place, to).with(slip.place + 1, follower.to);
      const found = unitsNamed(tried, slip.place, terminology);
      if (found === null || (found.units === 1 && slip.from.length < LONE_WORD_LETTERS)) continue;
      const all = edits + (follower?.edits ?? 0);
      if (best !== null && (best.units > found.units || (best.units === found.units && best.edits <= all))) continue;
      const mended = { from: slip.from, to: writtenIn(found.term, to) };
      best = { words: words.with(slip.place, mended.to), mended, units: found.units, edits: all };
    }
  }
  return best;
}

function mostEdits(word: string): number {
  if (word.length < 6) return 1;
  return word.length < 11 ? 2 : 3;
}

/** Words whose near words are cached. An answer of few trials reads the words of one query a dozen times, 2 ms a word. */
const CACHED_WORDS = 1000;
const cachedNear = new ImageCache<NearKey[]>(CACHED_WORDS);

/** Words of names of concepts, by their keys. */
function nearWords(from: string, most: number, { image, terminology }: Lookup): Candidate[] {
  const key = `${most} ${from}`;
  const near = cachedNear.get(image, key) ?? nearKeys(image, POSTING.text, plainWordKey(from), most);
  cachedNear.set(image, key, near);
  return near.flatMap(({ key: to, edits, trials }) => (terminology.hasWord(to) ? [{ to, edits, trials }] : []));
}

/** "heartattack": a blank was left out. */
function splitWords(from: string, lookup: Lookup): Candidate[] {
  return Array.from(from.slice(3), (_, at): Candidate[] => {
    const parts = [from.slice(0, at + 3), from.slice(at + 3)];
    const keys = parts.map((part) => tokenKey(part));
    if (parts.some((part) => part.length < 3) || !keys.every((key) => lookup.terminology.hasWord(key))) return [];
    const trials = Math.min(...keys.map((key) => trialsWith(key, lookup)));
    return trials === 0 ? [] : [{ to: parts.join(' '), edits: 1, trials }];
  }).flat();
}

function trialsWith(key: string, { image }: Lookup): number {
  return image.posting(POSTING.text + key)?.count ?? 0;
}

/** The concept phrase that the word at `place` is part of: how many units it has, and the name. */
function unitsNamed(
  words: readonly string[],
  place: number,
  terminology: Terminology,
): { units: number; term: string } | null {
  const text = words.join(' ');
  const at = textUnits(words.slice(0, place).join(' ')).length;
  const found = terminology.recognise(textUnits(text), text).find((one) => one.from <= at && at < one.to);
  return found === undefined ? null : { units: found.to - found.from, term: found.term };
}

/** The word as the name writes it, by its key. */
function writtenIn(term: string, key: string): string {
  return (
    term
      .match(/\p{L}+/gu)
      ?.find((word) => tokenKey(word) === key)
      ?.toLowerCase() ?? key
  );
}
