import { asciiFold, isAscii, unifyText } from '../../snapshot/format/words/ascii.ts';
import { tokenKey } from '../../snapshot/format/words/tokens.ts';

/** One word of a text: as written, in lower case without accents, and its key, which spellings and plurals share. */
export interface Word {
  written: string;
  folded: string;
  key: string;
}

/**
 * `same`: equal key; `starts`: equal prefix; `exact`: as written, with or without a plural s; `code`: the prefix, which may be
 * empty, and at least CODE_DIGITS digits; `gap`: up to GAP_WORDS words.
 */
type WordPiece = { kind: 'same' | 'starts' | 'exact' | 'code'; text: string };
type Piece = WordPiece | { kind: 'gap' };
export type Pattern = readonly Piece[];

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** Words of ASCII text, found in a third of the time. */
const ASCII_WORD = /[A-Za-z0-9]+/g;
/** Most words that `…` in a pattern may stand for. */
const GAP_WORDS = 4;
const CODE_DIGITS = 3;
const DIGITS = /^\d+[a-z]?$/;

/** Words of a text in order, as written; a hyphen separates words, so that "CAR-T" equals "CAR T". */
export function writtenWords(text: string): readonly string[] {
  const unified = unifyText(text);
  return unified.match(isAscii(unified) ? ASCII_WORD : WORD) ?? [];
}

export function wordOf(written: string): Word {
  return { written, folded: asciiFold(written), key: tokenKey(written) };
}

export function wordsOf(text: string): Word[] {
  return writtenWords(text).map(wordOf);
}

/** Reads a term of the vocabulary, whose note explains `=`, `*`, `#` and `…`. Throws if it is empty or begins or ends with a gap. */
export function parsePattern(term: string): Pattern {
  const pieces = term.split(' ').flatMap((chunk): Piece[] => {
    if (chunk === '…') return [{ kind: 'gap' }];
    if (chunk.startsWith('=')) return [{ kind: 'exact', text: chunk.slice(1) }];
    if (chunk.endsWith('#')) return [{ kind: 'code', text: asciiFold(chunk.slice(0, -1)) }];
    const words = wordsOf(chunk);
    return words.map(({ folded, key }, place) =>
      chunk.endsWith('*') && place === words.length - 1
        ? { kind: 'starts', text: folded }
        : { kind: 'same', text: key },
    );
  });
  if (pieces.length === 0 || pieces[0]?.kind === 'gap' || pieces.at(-1)?.kind === 'gap') {
    throw new Error(`data/rules/modality.json: "${term}" is not a valid term`);
  }
  return pieces;
}

/** End (exclusive) of the match at `at` with the shortest gaps; -1 without a match. */
export function matchEnd(pattern: Pattern, words: readonly Word[], at: number, piece = 0): number {
  const wanted = pattern[piece];
  if (wanted === undefined) return at;
  if (wanted.kind === 'gap') {
    for (let skipped = 0; skipped <= GAP_WORDS; skipped++) {
      const end = matchEnd(pattern, words, at + skipped, piece + 1);
      if (end >= 0) return end;
    }
    return -1;
  }
  const word = words[at];
  return word !== undefined && meets(word, wanted) ? matchEnd(pattern, words, at + 1, piece + 1) : -1;
}

/** Whether the pattern can begin with this word. */
export function canBegin(word: Word, [first]: Pattern): boolean {
  return first !== undefined && first.kind !== 'gap' && meets(word, first);
}

function meets(word: Word, { kind, text }: WordPiece): boolean {
  if (kind === 'same') return word.key === text;
  if (kind === 'starts') return word.folded.startsWith(text);
  if (kind === 'exact') return word.written === text || word.written === `${text}s`;
  const digits = word.folded.slice(text.length);
  return digits.length >= CODE_DIGITS && word.folded.startsWith(text) && DIGITS.test(digits);
}
