import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The one reading of country names, for records and for filters. */

const reviewed = { id: z.string(), note: z.string(), reviewedOn: z.iso.date(), nextReviewOn: z.iso.date() };
const rulesSchema = z.strictObject({
  ...reviewed,
  countries: z.array(
    z.strictObject({ name: z.string(), aliases: z.array(z.string()).min(1), parts: z.array(z.string()).default([]) }),
  ),
});
const codesSchema = z.strictObject({
  ...reviewed,
  countries: z.array(
    z.strictObject({
      name: z.string(),
      codes: z.tuple([z.string().length(2), z.string().length(3)]),
      askedAs: z.array(z.string()).optional(),
      ambiguous: z.array(z.string()).optional(),
    }),
  ),
});

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

/** Names by the key of each spelling. Throws where one spelling would stand for two countries. */
class Spellings {
  readonly #names = new Map<string, string>();

  constructor(file: string, countries: readonly { name: string; spellings: readonly string[] }[], known?: Spellings) {
    for (const { name, spellings } of countries) {
      for (const spelling of [name, ...spellings]) {
        const other = known?.nameOf(spelling) ?? this.nameOf(spelling);
        if (other !== null && other !== name) {
          throw new Error(`data/rules/${file} gives "${spelling}" to both ${other} and ${name}; keep one`);
        }
        this.#names.set(keyOf(spelling), name);
      }
    }
  }

  nameOf(spelling: string): string | null {
    return this.#names.get(keyOf(spelling)) ?? null;
  }

  /** The name of a spelling, also in a long form (`Türkiye (Republic of)`) or beside a second one (`Czechia (Czech Republic)`). */
  read(spelling: string): string | null {
    const name = this.nameOf(spelling);
    if (name !== null) return name;
    const key = keyOf(spelling);
    for (const pattern of TITLED) {
      const { title = '', name: untitled = '' } = pattern.exec(key)?.groups ?? {};
      // Not of two countries with one name, whose listed long forms tell which, and not where the title is a country itself.
      if (AMBIGUOUS.has(untitled) || this.nameOf(title) !== null) continue;
      const found = this.nameOf(untitled);
      if (found !== null) return found;
    }
    return this.#readBracketed(spelling);
  }

  /** `Czechia (Czech Republic)` names one country twice, `USA (Texas)` a country and a part; `China (Taiwan)` names two and is not read. */
  #readBracketed(spelling: string): string | null {
    const [, before = '', within = ''] = IN_BRACKETS.exec(spelling) ?? [];
    const [first, second] = [this.nameOf(before), this.nameOf(within)];
    if (first !== null && second !== null) return first === second ? first : null;
    const joined = this.nameOf(`${within} ${before}`) ?? this.nameOf(`${before} ${within}`);
    if (joined !== null) return joined;
    return isUncertain(before) || /\bformer\b/i.test(spelling) ? null : (first ?? second);
  }
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../data/rules/${file}`, import.meta.url), 'utf8'));
}

const RULES = rulesSchema.parse(read('countries.json')).countries;
const CODES = codesSchema.parse(read('country-codes.json')).countries;
/** Countries that were one, under both names. */
const FORMER_STATES = /\bserbia and montenegro\b/i;
/** Names that another place has too. */
const AMBIGUOUS = new Set(CODES.flatMap(({ ambiguous = [] }) => ambiguous.map(keyOf)));

/** What records are read by. */
const STATED = new Spellings('countries.json', [
  ...RULES.map(({ name, aliases, parts }) => ({ name, spellings: [...aliases, ...parts] })),
  ...CODES.map(({ name, askedAs = [] }) => ({ name, spellings: askedAs.filter((one) => !AMBIGUOUS.has(keyOf(one))) })),
]);
/** What a filter takes besides. */
const ASKED = new Spellings(
  'country-codes.json',
  CODES.map(({ name, codes, askedAs = [] }) => ({ name, spellings: [...codes, ...askedAs] })),
  STATED,
);

/** A country and a state of the United States. */
const STATE_TOO = 'georgia';
const isUncertain = (name: string): boolean => AMBIGUOUS.has(keyOf(name)) || keyOf(name) === STATE_TOO;

const PARTS = new Set(RULES.flatMap(({ parts }) => parts.map(keyOf)));

/** Every country by its common name. */
export const COUNTRY_NAMES: readonly string[] = [...new Set([...CODES, ...RULES].map(({ name }) => name))];

/** Cache: both registries together use a few hundred spellings. */
const seen = new Map<string, string>();
const MAX_SEEN = 10_000;

/** The common name of a country as either registry spells it; a spelling without a rule stays as it is. */
export function countryName(raw: string): string {
  const known = seen.get(raw);
  if (known !== undefined) return known;
  const name = STATED.read(raw) ?? raw;
  if (seen.size < MAX_SEEN) seen.set(raw, name);
  return name;
}

/** Distinct common names in order of first appearance. */
export function countryNames(raw: string[]): string[] {
  return [...new Set(raw.flatMap((text) => listedCountries(text) ?? countryName(text)))];
}

/** The countries of a text that lists several; null where any part is not certain to be one, as in `Georgia, USA`. */
function listedCountries(text: string): string[] | null {
  if (STATED.read(text) !== null || FORMER_STATES.test(text)) return null;
  // "Bosnia and Herzegovina" is one part, "France and Germany" two.
  const parts = text.split(BETWEEN_COUNTRIES).flatMap((part) => (STATED.read(part) === null ? part.split(AND) : part));
  if (parts.length < 2 || parts.length > COUNTRIES_LISTED_MAX) return null;
  const names = parts.map((part) => (isUncertain(part) ? null : STATED.read(part)));
  return names.every((name) => name !== null) ? names : null;
}

/** The common name of a country that a caller names, by any spelling of a registry or by its ISO code; null if unknown. */
export function askedCountry(text: string): string | null {
  return STATED.read(text) ?? ASKED.nameOf(text);
}

/** Whether a caller names a part of a country, as Scotland, which is read as the whole of it. */
export function isPartOfCountry(text: string): boolean {
  return PARTS.has(keyOf(text));
}

/** Whether a caller may mean another place by the name, as Korea. */
export function isAmbiguousCountry(text: string): boolean {
  return AMBIGUOUS.has(keyOf(text));
}
