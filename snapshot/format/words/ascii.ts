/** Unifies characters: composition, dashes, apostrophes, accents and case. Used for words and for identifiers. */

const NOT_ASCII = /[^\x00-\x7f]/;
/** Every dash of Unicode, the minus sign and the hyphen bullet. */
const DASHES = /[\p{Pd}\u2212\u2043]/gu;
/** Characters that are typed as an apostrophe, including the prime. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u2032`]/g;
/** Acute accent typed as an apostrophe ("Crohn´s"); composition would make it a blank with an accent. */
const SPACING_ACUTE = /[\u00b4\u1ffd]/g;
/** Invisible characters that do not end a word: soft hyphen, joiners, marks of direction. */
const INVISIBLE = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** Signs that compatibility composition would append to the word before them ("Avastin™" -> "AvastinTM"). */
const GLUED_MARKS = /[\u2120\u2122]/g;
const ZERO_WIDTH_SPACE = /\u200b/g;

/** Combining accents of Latin, Greek and Cyrillic. Marks of other scripts are vowels and stay. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that do not decompose into a base letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  þ: 'th',
  ς: 'σ',
};
const UNDECOMPOSED = /[æœßøđðħıłŋŧþς]/g;

/** True when every character is ASCII, so that only case and backticks can change. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/**
 * The text in NFKC with every dash as `-`, every apostrophe as `'` and no invisible characters. Keeps case and accents.
 */
export function unifyText(text: string): string {
  if (isAscii(text)) return text.includes('`') ? text.replaceAll('`', "'") : text;
  return text
    .replace(INVISIBLE, '')
    .replace(GLUED_MARKS, ' ')
    .replace(ZERO_WIDTH_SPACE, ' ')
    .replace(SPACING_ACUTE, "'")
    .normalize('NFKC')
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-');
}

/** Lower case without accents; Latin ligatures and special letters are spelt out, other scripts keep their letters. */
export function asciiFold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}
