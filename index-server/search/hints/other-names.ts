import { QUERY_MAX_CHARACTERS } from '../../../contract/limits/limits.ts';
import { operatorsIn } from '../../../snapshot/format/words/query-syntax.ts';
import { textUnits } from '../../../snapshot/format/words/tokens.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import { isShortEnough } from '../concepts/answer.ts';
import type { ReadText } from '../concepts/readings.ts';
import { hintOf } from './finding-more.ts';
import type { CountedSearch, Hint } from './hint.ts';

/** Concepts and words of one text that are looked at. */
const PARTS_LOOKED_AT = 3;
/** Concepts above one that are counted, the nearest first. */
const BROADER_COUNTED = 5;

/**
 * What words may mean instead: each thing that an ambiguous abbreviation stands for, what is broader than a concept of few trials, and
 * concepts that people take for one another. By words, only an answer with few trials is given any.
 */
export async function otherNames(search: CountedSearch): Promise<Hint[]> {
  const { query, matched, isFew, total } = search;
  const read = isFew || query.match === 'concepts' ? matched.readings() : null;
  if (read === null) return [];
  const { terminology } = read;
  const hints: Hint[] = [];
  for (const text of read.texts) {
    const offer = async (words: string, instead: string | null, least: number, says: string): Promise<boolean> => {
      const value = instead === null ? null : withInstead(text.value, words, instead);
      if (value === null || value.length > QUERY_MAX_CHARACTERS || !isShortEnough(value)) return false;
      if (hints.some(({ changed }) => changed?.[text.parameter] === value)) return false;
      const changed = { [text.parameter]: value, match: 'concepts' };
      const sentence = (trials: string) => `“${words}” ${says} “${instead}”: ${trials} by concepts.`;
      const found = await hintOf(search, changed, sentence, least);
      hints.push(...found);
      return found.length > 0;
    };
    for (const [words, instead] of meaningsIn(text, terminology)) {
      await offer(words, instead, 0, 'was matched as a word and may mean');
    }
    const concepts = text.query.clauses.flatMap(({ reading }) => (reading.kind === 'concept' ? [reading] : []));
    for (const { words, concept } of concepts.slice(0, PARTS_LOOKED_AT)) {
      for (const one of isFew ? nearestAbove(concept, terminology) : []) {
        if (await offer(words, nameOf(one, terminology), total + 1, 'is a kind of')) break;
      }
      // What is narrower than the concept is found by it already.
      const related = terminology.relatedTo(concept).filter((one) => !terminology.broaderOf(one).includes(concept));
      for (const one of related) await offer(words, nameOf(one, terminology), 1, 'is often taken for or filed under');
    }
  }
  return hints;
}

/** Words that no concept has because they mean several, with each; in small letters only where they are all that is asked for. */
function meaningsIn({ query: { clauses } }: ReadText, terminology: Terminology): [string, string][] {
  return clauses.slice(0, PARTS_LOOKED_AT).flatMap(({ reading: { kind, words } }) => {
    if (kind !== 'words' && kind !== 'names') return [];
    const exact = terminology.meaningsOf(words);
    const means = exact.length > 0 || clauses.length > 1 ? exact : terminology.meaningsOf(words.toUpperCase());
    return means.map((instead): [string, string] => [words, instead]);
  });
}

/** A nearer concept has more concepts above it. */
function nearestAbove(concept: number, terminology: Terminology): number[] {
  const height = (one: number): number => terminology.broaderOf(one).length;
  return terminology
    .broaderOf(concept)
    .toSorted((one, other) => height(other) - height(one))
    .slice(0, BROADER_COUNTED);
}

/** The heading, or another name of the concept that is read as it; null where no name is. */
function nameOf(concept: number, terminology: Terminology): string | null {
  const names = [terminology.concepts[concept]!.heading, ...terminology.namesOf(concept).map(({ term }) => term)];
  const isRead = (name: string): boolean => {
    const units = textUnits(name);
    const [found] = terminology.recognise(units, name);
    return found?.concept === concept && found.from === 0 && found.to === units.length;
  };
  return names.find(isRead) ?? null;
}

/** The text with other words in place of some; null where they do not stand in it as they were read. */
function withInstead(text: string, words: string, instead: string): string | null {
  if (text.trim() === words) return instead;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(words)}(?![\\p{L}\\p{N}])`, 'u');
  if (!pattern.test(text)) return null;
  const grouped = operatorsIn(text).length > 0 && /\s/.test(instead) ? `(${instead})` : instead;
  return text.replace(pattern, () => grouped);
}
