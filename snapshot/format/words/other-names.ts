import { type TextUnit, textUnits } from './tokens.ts';

/**
 * Names of substances that a registration states beside each other for one intervention: "Entresto" beside "sacubitril
 * and valsartan". The image has a posting for each such pair, so that the trials that state it can be counted.
 */

/** Types of intervention whose names are names of substances, as the registry states them in lower case. */
const SUBSTANCE_TYPES = new Set(['drug', 'biological', 'genetic', 'dietary_supplement', 'combination_product']);
const NAME_MAX_WORDS = 6;
const NAME_MIN_CHARACTERS = 3;
/** Names of one intervention that are paired; a longer list is a list of substances. */
const PAIRED_NAMES = 8;
/** A name with one of these words is no name of a substance. */
const NO_NAME =
  /(?<![\p{L}\p{N}])(?:placebo|sham|vehicle|dummy|control|comparator|care|arms?|groups?|cohort|dose|doses|drugs?|treatment|therapy|intervention|study|standard|(?:\d[\d.,]*\s*)?(?:mg|mcg|µg|μg|ug|ml|g|kg|iu|units?)|\d+\s*%)(?![\p{L}\p{N}])/iu;
const MARKS = /[®™©\u2120]/g;
const SEPARATOR = '\t';

/** One form for "AZD9291", "AZD-9291" and "azd 9291". */
export function nameKey(text: string): string {
  return nameKeyOf(textUnits(text));
}

/** `nameKey` of a text whose words are read already. */
export function nameKeyOf(units: readonly TextUnit[]): string {
  return units.map((unit) => (unit.kind === 'word' ? unit.key : unit.joined)).join('');
}

/** The distinct names among the texts, as they are shown: without trade marks, in lower case. */
export function statedNames(texts: readonly (string | null)[]): { key: string; name: string }[] {
  const found = new Map<string, string>();
  for (const text of texts.flatMap((one) => (one === null ? [] : partsOf(one)))) {
    if (found.size === PAIRED_NAMES) break;
    const name = text.replaceAll(MARKS, '').normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
    const key = isName(name) ? nameKey(name) : '';
    if (key !== '' && !found.has(key)) found.set(key, name);
  }
  return [...found].map(([key, name]) => ({ key, name }));
}

/** Every ordered pair of names of one intervention, as the end of its posting key. */
export function namePairs(type: string | null, texts: readonly (string | null)[]): string[] {
  if (type === null || !SUBSTANCE_TYPES.has(type)) return [];
  const names = statedNames(texts);
  return names.flatMap((one) => names.flatMap((other) => (other === one ? [] : [pairsOf(one.key) + other.name])));
}

/** The beginning of the posting keys of a name; the other name follows it. */
export function pairsOf(key: string): string {
  return key + SEPARATOR;
}

/** "Vericiguat (Verquvo, BAY1021189) (5 mg)" holds three names. */
function partsOf(text: string): string[] {
  return /^[^()]+(?:\([^()]*\)\s*)+$/.test(text) ? text.split(/[(),;]/) : [text];
}

function isName(name: string): boolean {
  const words = textUnits(name).length;
  const isShort = words > 0 && words <= NAME_MAX_WORDS && name.length >= NAME_MIN_CHARACTERS;
  return isShort && /\p{L}/u.test(name) && !NO_NAME.test(name);
}
