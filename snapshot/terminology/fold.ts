import { type TextUnit, textUnits } from '../format/words/tokens.ts';

/** Reads a text as the tokens in which phrases are compared: the keys of search, with numerals and Greek letters unified. */

/** The ways to read one unit: a compound as its parts, or as one word. */
export type Readings = readonly (readonly string[])[];

/** Words after which a Roman numeral is a number. */
const NUMBERED = new Set(
  'type phase stage class grade factor interferon group category level subtype angiotensin collagen bipolar'.split(' '),
);
const ROMAN = /^(xi{0,3}|ix|iv|vi{0,3}|i{1,3})([a-c]?)$/;
const ROMAN_VALUES = new Map(
  'i ii iii iv v vi vii viii ix x xi xii xiii'.split(' ').map((numeral, index) => [numeral, String(index + 1)]),
);
const NUMBER = /^(\d+)([a-c]?)$/;
/** "type2" and "type2diabetes": the blanks around the number are left out. */
const GLUED = new RegExp(`^(${[...NUMBERED].join('|')})(\\d+)(\\p{L}{4,})?$`, 'u');
/** Behind a name in a compound they leave it the subject: "cystic fibrosis-related", "cancer-associated". */
const ABOUT = new Set(
  'related associated positive infected affected specific focused survivor based guided assisted derived induced mediated activated'.split(
    ' ',
  ),
);
const ROMAN_NUMERALS = new Map([...ROMAN_VALUES].map(([numeral, digits]) => [digits, numeral]));
const GREEK = /[α-ω]/g;
const GREEK_WORDS =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega';
const GREEK_NAMES = new Map(GREEK_WORDS.split(' ').map((name, index) => ['αβγδεζηθικλμνξοπρστυφχψω'[index]!, name]));

/** International names of substances write alfa. */
const GREEK_LETTERS = new Map(
  [...GREEK_NAMES].map(([letter, name]) => [name, name === 'alpha' ? [letter, 'alfa'] : [letter]]),
);

/** The readings of every unit. A unit without any is passed over: "the" in "cancer of the lung". */
export function readingsOf(units: readonly TextUnit[]): Readings[] {
  let previous = '';
  return units.map((unit) => {
    if (unit.kind === 'word') {
      if (unit.key === 'the' && previous === 'of') return [];
      const [, word = '', ...rest] = GLUED.exec(unit.key) ?? [];
      previous = tokenOf(unit.key, previous);
      return word === '' ? [[previous]] : [[word, ...rest.filter((part) => part !== undefined)], [previous]];
    }
    const parts = unit.parts.map((part) => {
      previous = tokenOf(part, previous);
      return previous;
    });
    const bare = ABOUT.has(parts.at(-1) as string) ? [parts.slice(0, -1)] : [];
    return [parts, ...bare, [tokenOf(unit.joined, '')]];
  });
}

/** The key of a word as a token: numerals after such words as type are numbers, Greek letters are their names. */
export function tokenOf(key: string, previous: string): string {
  const roman = NUMBERED.has(previous) ? ROMAN.exec(key) : null;
  if (roman) return `${ROMAN_VALUES.get(roman[1]!)}${roman[2]}`;
  if (key === 'alfa') return 'alpha';
  return key.replace(GREEK, (letter) => GREEK_NAMES.get(letter) ?? letter);
}

/** How a text may write a token that stands after `previous`: as it is, a number as a Roman numeral, a name as a Greek letter. */
export function writingsOf(token: string, previous: string): string[] {
  const [, digits = '', letter = ''] = NUMBERED.has(previous) ? (NUMBER.exec(token) ?? []) : [];
  const roman = ROMAN_NUMERALS.get(digits);
  const greek = GREEK_LETTERS.get(token);
  return [token, ...(roman === undefined ? [] : [roman + letter]), ...(greek ?? [])];
}

/** The token sequences of a name: compounds as parts, and compounds as one word. */
export function tokensOfName(name: string): string[][] {
  const readings = readingsOf(textUnits(name)).filter((reading) => reading.length > 0);
  const parts = readings.flatMap((reading) => reading[0]!);
  const joined = readings.flatMap((reading) => reading.at(-1)!);
  return parts.length === joined.length ? [parts] : [parts, joined];
}
