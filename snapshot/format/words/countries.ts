import { readFileSync } from 'node:fs';

/** The one reading of country names, for records and for filters. */

interface StatedCountry {
  name: string;
  aliases: string[];
  parts?: string[];
}
interface CodedCountry {
  name: string;
  codes: [two: string, three: string];
  askedAs?: string[];
  ambiguous?: string[];
}

/** Names are compared without case, accents, punctuation and a leading article; & is `and`. */
function keyOf(name: string): string {
  return name
    .replaceAll('&', ' and ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}

/** What stands before or behind a name in the long form of a country, as `Federal Republic of`; of a key. */
const TITLE =
  '(?:(?:islamic|federal|federative|arab|socialist|democratic|people s|independent|plurinational|bolivarian|hashemite|eastern|united|co operative) )*(?:republic|kingdom|states?|commonwealth|sultanate|principality|grand duchy|federation|union|confederation)(?: of)?(?: the)?';
const TITLED = [new RegExp(`^(?<title>${TITLE}) (?<name>.+)$`), new RegExp(`^(?<name>.+?) (?<title>${TITLE})$`)];
const IN_BRACKETS = /^([^()]+)\(([^()]+)\)\s*$/;
const BETWEEN_COUNTRIES = /\s*[,;/]\s*(?:(?:and|&)\s+)?/i;
const AND = /\s+(?:and|&)\s+/i;
const COUNTRIES_LISTED_MAX = 60;

function countriesIn<Country>(file: string): Country[] {
  const text = readFileSync(new URL(`../../../data/rules/${file}`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { countries: Country[] }).countries;
}

const RULES = countriesIn<StatedCountry>('countries.json');
const CODES = countriesIn<CodedCountry>('country-codes.json');
/** Countries that were one, under both names. */
const FORMER_STATES = /\bserbia and montenegro\b/i;
/** Names that another place has too. */
const AMBIGUOUS = new Set(CODES.flatMap(({ ambiguous = [] }) => ambiguous.map(keyOf)));

/** What records are read by: names by the key of each spelling. */
const STATED = new Map<string, string>();
/** What a filter takes besides. */
const ASKED = new Map<string, string>();
for (const { name, aliases, parts = [] } of RULES) {
  for (const spelling of [name, ...aliases, ...parts]) STATED.set(keyOf(spelling), name);
}
for (const { name, codes, askedAs = [] } of CODES) {
  for (const key of [name, ...askedAs].map(keyOf))
    (AMBIGUOUS.has(key) && key !== keyOf(name) ? ASKED : STATED).set(key, name);
  for (const code of codes) ASKED.set(keyOf(code), name);
}

function nameOf(spelling: string): string | null {
  return STATED.get(keyOf(spelling)) ?? null;
}

/** The name of a spelling, also in a long form (`Türkiye (Republic of)`) or beside a second one (`Czechia (Czech Republic)`). */
function readName(spelling: string): string | null {
  const name = nameOf(spelling);
  if (name !== null) return name;
  const key = keyOf(spelling);
  for (const pattern of TITLED) {
    const { title = '', name: untitled = '' } = pattern.exec(key)?.groups ?? {};
    // Not of two countries with one name, whose listed long forms tell which, and not where the title is a country itself.
    if (AMBIGUOUS.has(untitled) || nameOf(title) !== null) continue;
    const found = nameOf(untitled);
    if (found !== null) return found;
  }
  return readBracketed(spelling);
}

/** `Czechia (Czech Republic)` names one country twice, `USA (Texas)` a country and a part; `China (Taiwan)` names two and is not read. */
function readBracketed(spelling: string): string | null {
  const [, before = '', within = ''] = IN_BRACKETS.exec(spelling) ?? [];
  const [first, second] = [nameOf(before), nameOf(within)];
  if (first !== null && second !== null) return first === second ? first : null;
  const joined = nameOf(`${within} ${before}`) ?? nameOf(`${before} ${within}`);
  if (joined !== null) return joined;
  return isUncertain(before) || /\bformer\b/i.test(spelling) ? null : (first ?? second);
}

/** A country and a state of the United States. */
const STATE_TOO = 'georgia';
const isUncertain = (name: string): boolean => AMBIGUOUS.has(keyOf(name)) || keyOf(name) === STATE_TOO;

const PARTS = new Set(RULES.flatMap(({ parts = [] }) => parts.map(keyOf)));

/** Every country by its common name. */
export const COUNTRY_NAMES: readonly string[] = [...new Set([...CODES, ...RULES].map(({ name }) => name))];

/** Cache: both registries together use a few hundred spellings. */
const seen = new Map<string, string>();
const MAX_SEEN = 10_000;

/** The common name of a country as either registry spells it; a spelling without a rule stays as it is. */
export function countryName(raw: string): string {
  const known = seen.get(raw);
  if (known !== undefined) return known;
  const name = readName(raw) ?? raw;
  if (seen.size < MAX_SEEN) seen.set(raw, name);
  return name;
}

/** Distinct common names in order of first appearance. */
export function countryNames(raw: string[]): string[] {
  return [...new Set(raw.flatMap((text) => listedCountries(text) ?? countryName(text)))];
}

/** The countries of a text that lists several; null where any part is not certain to be one, as in `Georgia, USA`. */
function listedCountries(text: string): string[] | null {
  if (readName(text) !== null || FORMER_STATES.test(text)) return null;
  // "Bosnia and Herzegovina" is one part, "France and Germany" two.
  const parts = text.split(BETWEEN_COUNTRIES).flatMap((part) => (readName(part) === null ? part.split(AND) : part));
  if (parts.length < 2 || parts.length > COUNTRIES_LISTED_MAX) return null;
  const names = parts.map((part) => (isUncertain(part) ? null : readName(part)));
  return names.every((name) => name !== null) ? names : null;
}

/** The common name of a country that a caller names, by any spelling of a registry or by its ISO code; null if unknown. */
export function askedCountry(text: string): string | null {
  return readName(text) ?? ASKED.get(keyOf(text)) ?? null;
}

/** True where a caller names a part of a country, as Scotland, which is read as the whole of it. */
export function isPartOfCountry(text: string): boolean {
  return PARTS.has(keyOf(text));
}

/** True where a caller may mean another place by the name, as Korea. */
export function isAmbiguousCountry(text: string): boolean {
  return AMBIGUOUS.has(keyOf(text));
}
