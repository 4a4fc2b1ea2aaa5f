import { CONCEPT_QUERY_MAX_WORDS } from '../../contract/limits/limits.ts';
import { textPieces } from '../../snapshot/format/words/tokens.ts';

/** Whether a text has few enough words to be read as concepts. */
export function isShortEnough(text: string): boolean {
  return textPieces(text).length <= CONCEPT_QUERY_MAX_WORDS;
}

/** Texts that match=concepts reads. */
const READ_AS_CONCEPTS = ['q', 'condition', 'intervention'] as const;

type AskedTexts = { readonly [Name in (typeof READ_AS_CONCEPTS)[number]]?: string | undefined };

/** The first text with too many words for match=concepts, refused before any of them is looked up. */
export function tooManyWords(
  texts: AskedTexts & { match?: string | undefined },
): { parameter: string; expected: string } | null {
  if (texts.match !== 'concepts') return null;
  const parameter = READ_AS_CONCEPTS.find((name) => texts[name] !== undefined && !isShortEnough(texts[name]));
  if (parameter === undefined) return null;
  const expected = `at most ${CONCEPT_QUERY_MAX_WORDS} words with match=concepts, where each may be a name; leave out those that say little, or send match=words`;
  return { parameter, expected };
}
