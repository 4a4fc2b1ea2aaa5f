import { POSTING } from '../../../snapshot-format/serving-columns.ts';
import { plainWordKey, textUnits, tokenKey } from '../../../snapshot-format/tokens.ts';
import type { Terminology } from '../../../terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';

/** Mends a misspelt word of a query where the mended words name a concept. */

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PLAIN_WORD = /^[a-z]{4,20}$/;
/** A shorter word is mended only as a part of a longer phrase: too many words lie one letter from it. */
const LONE_WORD_LETTERS = 6;
/** The mended word must occur in more than this many times as many trials. */
const TIMES_AS_OFTEN = 20;

export interface Respelling {
  from: string;
  to: string;
}

/**
 * The word at `place` of `words` with one letter more, less, other or exchanged with its neighbour, so that a concept is
 * named with it: the longest phrase counts, then the word that most trials have. Null where there is none.
 */
export function respell(
  words: readonly string[],
  place: number,
  { image, terminology }: { image: SnapshotImage; terminology: Terminology },
): Respelling | null {
  const from = (words[place] as string).toLowerCase();
  if (!PLAIN_WORD.test(from)) return null;
  const ownKey = tokenKey(from);
  const trialsWith = (key: string): number => image.posting(POSTING.text + key)?.count ?? 0;
  const least = trialsWith(ownKey) * TIMES_AS_OFTEN;
  // A common word is no slip, however near it lies to another.
  if (least >= image.trials) return null;
  let best: Candidate | null = null;
  for (const to of nearWords(from)) {
    const key = plainWordKey(to);
    // Hardly any of some hundred near words is a word of a name.
    if (key === ownKey || !terminology.hasWord(key)) continue;
    const trials = trialsWith(key);
    if (trials <= least) continue;
    const units = unitsNamed(words, place, to, terminology);
    if (units === 0 || (units === 1 && from.length < LONE_WORD_LETTERS)) continue;
    const candidate = { to, units, trials, sameLength: to.length === from.length };
    if (best === null || isBetter(candidate, best)) best = candidate;
  }
  return best && { from, to: best.to };
}

interface Candidate {
  to: string;
  /** Units of the concept phrase that it is part of. */
  units: number;
  trials: number;
  sameLength: boolean;
}

function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.units !== other.units) return one.units > other.units;
  return one.trials === other.trials ? one.sameLength && !other.sameLength : one.trials > other.trials;
}

/** How many units the concept phrase has that the mended word is part of; 0 where there is none. */
function unitsNamed(words: readonly string[], place: number, to: string, terminology: Terminology): number {
  const text = words.with(place, to).join(' ');
  const found = terminology.recognise(textUnits(text), text).find((one) => one.from <= place && place < one.to);
  return found === undefined ? 0 : found.to - found.from;
}

/** Every word that is one slip away, each once. */
function nearWords(word: string): Set<string> {
  const near = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of LETTERS) {
      near.add(before + letter + after);
      if (after !== '') near.add(before + letter + after.slice(1));
    }
    if (after !== '') near.add(before + after.slice(1));
    if (after.length > 1) near.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  near.delete(word);
  return near;
}
