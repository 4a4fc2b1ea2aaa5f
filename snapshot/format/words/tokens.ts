import { asciiFold, unifyText } from './ascii.ts';
import { keepsFinalS, singularKey, spellFold } from './word-rules.ts';

/** Splits text into keys: for postings in the pipeline and for queries in the index server. */

/** A word, or words joined by a hyphen or an apostrophe without blanks; `joined` is the key of the word without joins. */
export type TextUnit = WordUnit | CompoundUnit;
export interface WordUnit {
  kind: 'word';
  key: string;
}
export interface CompoundUnit {
  kind: 'compound';
  joined: string;
  parts: string[];
}

const CACHED_WORDS = 200_000;
/** Longer runs of letters hardly ever occur twice. */
const CACHED_WORD_LENGTH = 40;
const keyCache = new Map<string, string>();

/** SSRIs, TKIs, 1990s. Case matters, because a final -is or -us in lower case is no plural. */
const ACRONYM_PLURAL = /^[A-Z0-9]{2,}s$/;

/**
 * Equivalence key of one word in its original case: equal for British and American spellings, for a word and its
 * simple plural or possessive, and without regard to case and accents.
 */
export function tokenKey(word: string): string {
  const known = keyCache.get(word);
  if (known !== undefined) return known;
  const key = makeKey(word);
  if (word.length <= CACHED_WORD_LENGTH) {
    if (keyCache.size >= CACHED_WORDS) keyCache.clear();
    keyCache.set(word, key);
  }
  return key;
}

/** `tokenKey` of a word of the letters a to z alone. It remembers no word: for guesses, which are hardly words and do not come again. */
export function plainWordKey(word: string): string {
  return spellFold(singularKey(word));
}

function makeKey(word: string): string {
  const bare = unifyText(word).replace(/(?:'s|')$/i, '');
  const folded = asciiFold(bare);
  if (ACRONYM_PLURAL.test(bare) && !keepsFinalS(folded)) return folded.slice(0, -1);
  return spellFold(singularKey(folded));
}

/** Words and compounds of a text in order; everything but letters, digits and joins separates them. */
export function textUnits(text: string): TextUnit[] {
  return textPieces(text).map(unitOf);
}

/** The words of each unit of a text as they are written, without a possessive 's. */
export function textPieces(text: string): string[][] {
  const unified = unifyText(text);
  const units: string[][] = [];
  let at = 0;
  while (at < unified.length) {
    if (!isWordStart(unified, at)) {
      at += codePointLength(unified, at);
      continue;
    }
    const pieces: string[] = [];
    at = readPieces(unified, at, pieces);
    units.push(pieces);
  }
  return units;
}

/** All distinct keys under which a text is found: words, parts of compounds, and compounds joined. */
export function indexKeys(text: string): string[] {
  return unitKeys(textUnits(text));
}

/** Distinct keys of units, in the order of their first appearance. */
export function unitKeys(units: readonly TextUnit[]): string[] {
  const keys = new Set<string>();
  for (const unit of units) {
    if (unit.kind === 'word') {
      keys.add(unit.key);
    } else {
      for (const part of unit.parts) keys.add(part);
      keys.add(unit.joined);
    }
  }
  return [...keys];
}

function unitOf(pieces: readonly string[]): TextUnit {
  const first = pieces[0];
  if (first === undefined) throw new Error('A text unit has at least one piece.');
  if (pieces.length === 1) return { kind: 'word', key: tokenKey(first) };
  return { kind: 'compound', joined: tokenKey(pieces.join('')), parts: pieces.map(tokenKey) };
}

/** Reads the run of joined words that begins at `start` into `pieces`; returns where it ends. */
function readPieces(text: string, start: number, pieces: string[]): number {
  let at = start;
  for (;;) {
    const end = wordEnd(text, at);
    pieces.push(text.slice(at, end));
    at = isPossessive(text, end) ? end + 2 : end;
    const joined = text[at] === '-' || text[at] === "'";
    if (!joined || !isWordStart(text, at + 1)) return at;
    at += 1;
  }
}

/** True when `'s` stands at `at` and no letter follows. */
function isPossessive(text: string, at: number): boolean {
  const isSuffix = text[at] === "'" && (text[at + 1] === 's' || text[at + 1] === 'S');
  return isSuffix && (at + 2 >= text.length || characterClass(text, at + 2) === OTHER);
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && characterClass(text, at) !== OTHER) at += codePointLength(text, at);
  return at;
}

function isWordStart(text: string, at: number): boolean {
  return at < text.length && characterClass(text, at) === LETTER;
}

const OTHER = 1;
const LETTER = 2;
/** A combining mark: part of a word, never its beginning. */
const MARK = 3;
/** Class by UTF-16 unit, filled on first use (0: not yet known), because property patterns are slow. */
const classes = new Uint8Array(0x10000);
const IS_LETTER = /^[\p{L}\p{N}]/u;
const IS_MARK = /^\p{M}/u;

function characterClass(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  if (isSurrogate) return classify(text.codePointAt(at) ?? unit);
  let found = classes[unit] ?? 0;
  if (found === 0) {
    found = classify(unit);
    classes[unit] = found;
  }
  return found;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (IS_LETTER.test(character)) return LETTER;
  return IS_MARK.test(character) ? MARK : OTHER;
}

function codePointLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
