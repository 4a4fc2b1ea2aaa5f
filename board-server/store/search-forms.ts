import { textPieces, tokenKey } from '../../snapshot/format/words/tokens.ts';

/**
 * What of a text is searched, made here and not by a database, so that every store finds the same. A row has a form, in
 * which asked parts are looked for, and PostgreSQL also keeps keys of it, which lead to the few rows to look at.
 */

/** What a question asks of a row: all of these keys, and each of these parts somewhere in its form. */
export interface Asked {
  keys: string[];
  parts: string[];
}

/** Longer words are left out. A question has 500 characters, and PostgreSQL takes 2,700 bytes for a key. */
export const WORD_MAX_CHARACTERS = 500;
/** Stands where a word was left out and between two texts of a row: no word, so that no phrase goes across it. */
const GAP = '\ue000';

/**
 * Words of a row's texts in their order, each by its key: without regard to case, accents, plural, and British or
 * American spelling. Case is folded first, so that two words that differ in case alone always share a key.
 */
export function wordForm(texts: readonly string[]): string {
  const words = texts.flatMap((text, place) => (place === 0 ? wordsOf(text) : [GAP, ...wordsOf(text)]));
  return ` ${words.join(' ')} `;
}

export function wordKeys(form: string): string[] {
  return [...new Set(form.split(' '))].filter((word) => word !== '' && word !== GAP);
}

/**
 * All words of any text, in whatever order and text of a row. A piece between blanks with several words, such as
 * `beta-cell`, must occur as a phrase; no character is an operator. Null, which no row has, for a text without words.
 */
export function askedWords(q: string): Asked | null {
  const pieces = [...new Set(q.split(/\s+/u).map((piece) => wordForm([piece])))];
  const parts = pieces.filter((piece) => piece.trim() !== '');
  const isNowhere = parts.length === 0 || parts.some((part) => part.includes(GAP));
  return isNowhere ? null : { keys: wordKeys(parts.join('')), parts };
}

/** A text in which any part of three letters or more is found, without regard to case alone. */
export function letterForm([text = '']: readonly string[]): string {
  return caseless(text);
}

/** Every three letters in a row. */
export function letterKeys(form: string): string[] {
  const letters = [...form];
  return [...new Set(letters.slice(2).map((_, place) => letters.slice(place, place + 3).join('')))];
}

/** The text as it stands; null, which no row has, for one of less than three letters. */
export function askedLetters(part: string): Asked | null {
  const form = caseless(part);
  const keys = letterKeys(form);
  return keys.length === 0 ? null : { keys, parts: [form] };
}

function wordsOf(text: string): string[] {
  const words = textPieces(text.toLowerCase()).flat().map(tokenKey);
  return words.filter((word) => word !== '').map((word) => (lengthOf(word) > WORD_MAX_CHARACTERS ? GAP : word));
}

/**
 * Folds letter by letter, so that a part of a text is a part of its form: lower case, also of letters that have it only by
 * way of their upper case (ſ, ϐ). What no store can hold stands for itself as one character.
 */
function caseless(text: string): string {
  const folded = text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.toWellFormed().replaceAll('\u0000', '\ufffd');
}

function lengthOf(word: string): number {
  return word.length <= WORD_MAX_CHARACTERS ? word.length : [...word].length;
}
